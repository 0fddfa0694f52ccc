/* The keys of a configuration, from the schema: for `simsm config keys` and docs/configuration.md.
 */
#ifndef SIM_CLI_CONFIG_KEYS_H
#define SIM_CLI_CONFIG_KEYS_H

/* Print every key: type, range, default, unit, meaning. */
void config_keys_text(void);
void config_keys_markdown(void);

#endif
