/* The keys of the configuration, for `simsm config keys` and docs/configuration.md. */
#ifndef SIM_CLI_CONFIG_KEYS_H
#define SIM_CLI_CONFIG_KEYS_H

/* Prints every key with type, range, default, unit and meaning. */
void config_keys_text(void);

/* Prints the page docs/configuration.md. */
void config_keys_markdown(void);

#endif
