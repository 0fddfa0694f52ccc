#include "plugin/plugin.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "plugin/plugin_parts.h"

static enum simsm_status load(struct module *module, struct simsm_error *error)
{
    enum simsm_status status = module_check_file(module->path, error);
    if (status != SIMSM_OK)
        return status;
    module->handle = dlopen(module->path, RTLD_NOW | RTLD_LOCAL);
    if (!module->handle) {
        const char *why = dlerror();
        return err_set(error, SIMSM_BAD_INPUT,
                       "%.300s: cannot be loaded: %.300s; a module calls only what it is linked "
                       "with, and of simsm nothing",
                       module->path, why ? why : "no reason is given");
    }
    module->table = dlsym(module->handle, "simsm_policy_module");
    if (!module->table)
        return err_set(error, SIMSM_BAD_INPUT,
                       "%.300s: does not define simsm_policy_module, the table of its policies",
                       module->path);
    return module_check_table(module->table, module->path, error);
}

static enum simsm_status read_values(struct module *module, const struct simsm_config *config,
                                     struct simsm_error *error)
{
    size_t count = module->table->param_count;
    module->param = calloc(count ? count : 1, sizeof *module->param);
    if (!module->param)
        return err_no_memory(error);
    return module_read_values(module, config->policy_params, error);
}

/* Hands over what was opened, or closes what was not. */
static enum simsm_status opened(struct module **result, struct module *module,
                                enum simsm_status status)
{
    if (status == SIMSM_OK)
        *result = module;
    else
        module_close(module);
    return status;
}

enum simsm_status module_open(struct module **result, const struct simsm_config *config,
                              struct simsm_error *error)
{
    *result = NULL;
    if (!config->policy_module[0] && !config->policy_params[0])
        return SIMSM_OK;
    if (!config->policy_module[0])
        return err_set(error, SIMSM_BAD_INPUT,
                       "policy.params: there is no module that they are for; name it with "
                       "policy.module or --policy");
    struct module *module = calloc(1, sizeof *module);
    if (!module)
        return err_no_memory(error);
    enum simsm_status status = module_find(config->policy_module, module->path, error);
    if (status == SIMSM_OK)
        status = load(module, error);
    if (status == SIMSM_OK)
        status = read_values(module, config, error);
    return opened(result, module, status);
}

enum simsm_status module_wrap(struct module **result, const struct simsm_policy_module *table,
                              const struct simsm_config *config, struct simsm_error *error)
{
    *result = NULL;
    struct module *module = calloc(1, sizeof *module);
    if (!module)
        return err_no_memory(error);
    module->table = table;
    enum simsm_status status = module_check_table(table, "options.module", error);
    if (status == SIMSM_OK)
        status = read_values(module, config, error);
    return opened(result, module, status);
}

void module_close(struct module *module)
{
    if (!module)
        return;
    free(module->param);
    if (module->handle)
        (void)dlclose(module->handle);
    free(module);
}

static bool is_first(const char *name)
{
    return strcmp(name, "module") == 0;
}

const struct simsm_scheduler *module_scheduler(const struct module *module, const char *name)
{
    for (uint32_t i = 0; module && i < module->table->scheduler_count; i++) {
        if (is_first(name) || strcmp(module->table->schedulers[i].name, name) == 0)
            return &module->table->schedulers[i];
    }
    return NULL;
}

const struct simsm_dispatcher *module_dispatcher(const struct module *module, const char *name)
{
    for (uint32_t i = 0; module && i < module->table->dispatcher_count; i++) {
        if (is_first(name) || strcmp(module->table->dispatchers[i].name, name) == 0)
            return &module->table->dispatchers[i];
    }
    return NULL;
}

const struct simsm_l1_policy *module_l1(const struct module *module, const char *name)
{
    for (uint32_t i = 0; module && i < module->table->l1_policy_count; i++) {
        if (is_first(name) || strcmp(module->table->l1_policies[i].name, name) == 0)
            return &module->table->l1_policies[i];
    }
    return NULL;
}

enum simsm_status module_choices(const char *name, module_choose *choose, void *context,
                                 struct simsm_error *error)
{
    struct simsm_config config = {0};
    struct module *module;
    if (strlen(name) >= sizeof config.policy_module)
        return err_set(error, SIMSM_BAD_INPUT, "policy.module: the name is longer than %zu bytes",
                       sizeof config.policy_module - 1);
    (void)snprintf(config.policy_module, sizeof config.policy_module, "%s", name);
    enum simsm_status status = module_open(&module, &config, error);
    if (status != SIMSM_OK || !module)
        return status;
    const struct simsm_policy_module *table = module->table;
    choose(context, "policy.module", module->path);
    if (table->scheduler_count)
        choose(context, "sm.scheduler", table->schedulers[0].name);
    if (table->dispatcher_count)
        choose(context, "dispatch.policy", table->dispatchers[0].name);
    if (table->l1_policy_count)
        choose(context, "policy.l1", table->l1_policies[0].name);
    if (table->path_order)
        choose(context, "divergence.first", "module");
    module_close(module);
    return SIMSM_OK;
}
