/* Plug-ins: policies from a shared object. */
#ifndef SIM_PLUGIN_PLUGIN_H
#define SIM_PLUGIN_PLUGIN_H

#include "simsm/config.h"
#include "simsm/error.h"
#include "simsm/policy.h"

enum { PLUGIN_PATH = 1024 };

struct plugin {
    const struct simsm_policy_module *table;
    double *param; /* [table->param_count] */
    void *handle;  /* of dlopen; NULL: the table belongs to the program */
    char path[PLUGIN_PATH];
};

/*
 * Loads the plug-in that config->policy_module names and reads config->policy_params. *plugin
 * becomes NULL if the configuration names none. On success the caller closes *plugin with
 * plugin_close. Returns SIMSM_BAD_INPUT if the file or a parameter is wrong.
 */
enum simsm_status plugin_open(struct plugin **plugin, const struct simsm_config *config,
                              struct simsm_error *error);

/* Like plugin_open, for a table of the calling program. The table must outlive the plug-in. */
enum simsm_status plugin_wrap(struct plugin **plugin, const struct simsm_policy_module *table,
                              const struct simsm_config *config, struct simsm_error *error);

/* Closes the plug-in. NULL is allowed. */
void plugin_close(struct plugin *plugin);

/* Finds the file that `name` stands for. Writes its absolute path. */
enum simsm_status plugin_find(const char *name, char path[PLUGIN_PATH], struct simsm_error *error);

/* Return the policy of that name, or the first policy if the name is "module"; NULL if the plug-in
 * has none. `plugin` may be NULL. */
const struct simsm_scheduler *plugin_scheduler(const struct plugin *plugin, const char *name);
const struct simsm_dispatcher *plugin_dispatcher(const struct plugin *plugin, const char *name);
const struct simsm_l1_policy *plugin_l1(const struct plugin *plugin, const char *name);

enum { PLUGIN_CHOICES = 5 }; /* most calls of plugin_choose */

typedef void plugin_choose(void *context, const char *key, const char *value);

/*
 * Calls `choose` for each key of a configuration that makes a run use the first policy of each kind
 * in the plug-in `name`. The texts are valid until `choose` returns.
 */
enum simsm_status plugin_choices(const char *name, plugin_choose *choose, void *context,
                                 struct simsm_error *error);

#endif
