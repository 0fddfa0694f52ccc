/* A module with policies of one's own, open. */
#ifndef SIM_PLUGIN_PLUGIN_H
#define SIM_PLUGIN_PLUGIN_H

#include "simsm/config.h"
#include "simsm/error.h"
#include "simsm/policy.h"

enum { PLUGIN_PATH = 1024 };

struct plugin {
    const struct simsm_policy_module *table;
    double *param; /* [table->param_count] */
    void *handle;  /* of dlopen; NULL: the table is the program's own */
    char path[PLUGIN_PATH];
};

/*
 * Loads the module that config->policy_module names and reads config->policy_params. If the
 * configuration names none, *module is NULL. On success it must be closed with plugin_close. What
 * is wrong with the file or the parameters is SIMSM_BAD_INPUT.
 */
enum simsm_status plugin_open(struct plugin **plugin, const struct simsm_config *config,
                              struct simsm_error *error);

/* Likewise for a table of the program's own, which must outlive the module. */
enum simsm_status plugin_wrap(struct plugin **plugin, const struct simsm_policy_module *table,
                              const struct simsm_config *config, struct simsm_error *error);

/* NULL is allowed. */
void plugin_close(struct plugin *plugin);

/* The file that `name` stands for, as an absolute path. */
enum simsm_status plugin_find(const char *name, char path[PLUGIN_PATH], struct simsm_error *error);

/* Its policy of this name, the first one if that is "module"; NULL: it has none. `module` may be
 * NULL. */
const struct simsm_scheduler *plugin_scheduler(const struct plugin *plugin, const char *name);
const struct simsm_dispatcher *plugin_dispatcher(const struct plugin *plugin, const char *name);
const struct simsm_l1_policy *plugin_l1(const struct plugin *plugin, const char *name);

enum { PLUGIN_CHOICES = 5 }; /* most calls of it */

typedef void plugin_choose(void *context, const char *key, const char *value);

/*
 * Calls `choose` for the keys of a configuration that make a run use what the module `name` has:
 * the first policy of each kind. The texts live until `choose` returns.
 */
enum simsm_status plugin_choices(const char *name, plugin_choose *choose, void *context,
                                 struct simsm_error *error);

#endif
