/* A module with policies of one's own, open. */
#ifndef SIM_PLUGIN_PLUGIN_H
#define SIM_PLUGIN_PLUGIN_H

#include "simsm/config.h"
#include "simsm/error.h"
#include "simsm/policy.h"

enum { MODULE_PATH = 1024 };

struct module {
    const struct simsm_policy_module *table;
    double *param; /* [table->param_count] */
    void *handle;  /* of dlopen; NULL: the table is the program's own */
    char path[MODULE_PATH];
};

/*
 * Loads the module that config->policy_module names and reads config->policy_params. If the
 * configuration names none, *module is NULL. On success it must be closed with module_close. What
 * is wrong with the file or the parameters is SIMSM_BAD_INPUT.
 */
enum simsm_status module_open(struct module **module, const struct simsm_config *config,
                              struct simsm_error *error);

/* Likewise for a table of the program's own, which must outlive the module. */
enum simsm_status module_wrap(struct module **module, const struct simsm_policy_module *table,
                              const struct simsm_config *config, struct simsm_error *error);

/* NULL is allowed. */
void module_close(struct module *module);

/* The file that `name` stands for, as an absolute path. */
enum simsm_status module_find(const char *name, char path[MODULE_PATH], struct simsm_error *error);

/* Its policy of this name, the first one if that is "module"; NULL: it has none. `module` may be
 * NULL. */
const struct simsm_scheduler *module_scheduler(const struct module *module, const char *name);
const struct simsm_dispatcher *module_dispatcher(const struct module *module, const char *name);
const struct simsm_l1_policy *module_l1(const struct module *module, const char *name);

enum { MODULE_CHOICES = 5 }; /* most calls of it */

typedef void module_choose(void *context, const char *key, const char *value);

/*
 * Calls `choose` for the keys of a configuration that make a run use what the module `name` has:
 * the first policy of each kind. The texts live until `choose` returns.
 */
enum simsm_status module_choices(const char *name, module_choose *choose, void *context,
                                 struct simsm_error *error);

#endif
