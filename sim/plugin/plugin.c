#include "plugin/plugin.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "plugin/plugin_parts.h"

static enum simsm_status load(struct plugin *plugin, struct simsm_error *error)
{
    enum simsm_status status = plugin_check_file(plugin->path, error);
    if (status != SIMSM_OK)
        return status;
    plugin->handle = dlopen(plugin->path, RTLD_NOW | RTLD_LOCAL);
    if (!plugin->handle) {
        const char *why = dlerror();
        return err_set(error, SIMSM_BAD_INPUT,
                       "%.300s: cannot be loaded: %.300s; a plugin calls only what it is linked "
                       "with, and of simsm nothing",
                       plugin->path, why ? why : "no reason is given");
    }
    plugin->table = dlsym(plugin->handle, "simsm_policy_module");
    if (!plugin->table)
        return err_set(error, SIMSM_BAD_INPUT,
                       "%.300s: does not define simsm_policy_module, the table of its policies",
                       plugin->path);
    return plugin_check_table(plugin->table, plugin->path, error);
}

static enum simsm_status read_values(struct plugin *plugin, const struct simsm_config *config,
                                     struct simsm_error *error)
{
    size_t count = plugin->table->param_count;
    plugin->param = calloc(count ? count : 1, sizeof *plugin->param);
    if (!plugin->param)
        return err_no_memory(error);
    return plugin_read_values(plugin, config->policy_params, error);
}

/* Passes the plug-in to *result if `status` is SIMSM_OK, else closes it. Returns `status`. */
static enum simsm_status opened(struct plugin **result, struct plugin *plugin,
                                enum simsm_status status)
{
    if (status == SIMSM_OK)
        *result = plugin;
    else
        plugin_close(plugin);
    return status;
}

enum simsm_status plugin_open(struct plugin **result, const struct simsm_config *config,
                              struct simsm_error *error)
{
    *result = NULL;
    if (!config->policy_module[0] && !config->policy_params[0])
        return SIMSM_OK;
    if (!config->policy_module[0])
        return err_set(error, SIMSM_BAD_INPUT,
                       "policy.params: there is no plugin that they are for; name it with "
                       "policy.module or --policy");
    struct plugin *plugin = calloc(1, sizeof *plugin);
    if (!plugin)
        return err_no_memory(error);
    enum simsm_status status = plugin_find(config->policy_module, plugin->path, error);
    if (status == SIMSM_OK)
        status = load(plugin, error);
    if (status == SIMSM_OK)
        status = read_values(plugin, config, error);
    return opened(result, plugin, status);
}

enum simsm_status plugin_wrap(struct plugin **result, const struct simsm_policy_module *table,
                              const struct simsm_config *config, struct simsm_error *error)
{
    *result = NULL;
    struct plugin *plugin = calloc(1, sizeof *plugin);
    if (!plugin)
        return err_no_memory(error);
    plugin->table = table;
    enum simsm_status status = plugin_check_table(table, "options.module", error);
    if (status == SIMSM_OK)
        status = read_values(plugin, config, error);
    return opened(result, plugin, status);
}

void plugin_close(struct plugin *plugin)
{
    if (!plugin)
        return;
    free(plugin->param);
    if (plugin->handle)
        (void)dlclose(plugin->handle);
    free(plugin);
}

static bool is_first(const char *name)
{
    return strcmp(name, "module") == 0;
}

const struct simsm_scheduler *plugin_scheduler(const struct plugin *plugin, const char *name)
{
    for (uint32_t i = 0; plugin && i < plugin->table->scheduler_count; i++) {
        if (is_first(name) || strcmp(plugin->table->schedulers[i].name, name) == 0)
            return &plugin->table->schedulers[i];
    }
    return NULL;
}

const struct simsm_dispatcher *plugin_dispatcher(const struct plugin *plugin, const char *name)
{
    for (uint32_t i = 0; plugin && i < plugin->table->dispatcher_count; i++) {
        if (is_first(name) || strcmp(plugin->table->dispatchers[i].name, name) == 0)
            return &plugin->table->dispatchers[i];
    }
    return NULL;
}

const struct simsm_l1_policy *plugin_l1(const struct plugin *plugin, const char *name)
{
    for (uint32_t i = 0; plugin && i < plugin->table->l1_policy_count; i++) {
        if (is_first(name) || strcmp(plugin->table->l1_policies[i].name, name) == 0)
            return &plugin->table->l1_policies[i];
    }
    return NULL;
}

enum simsm_status plugin_choices(const char *name, plugin_choose *choose, void *context,
                                 struct simsm_error *error)
{
    struct simsm_config config = {0};
    struct plugin *plugin;
    if (strlen(name) >= sizeof config.policy_module)
        return err_set(error, SIMSM_BAD_INPUT, "policy.module: the name is longer than %zu bytes",
                       sizeof config.policy_module - 1);
    (void)snprintf(config.policy_module, sizeof config.policy_module, "%s", name);
    enum simsm_status status = plugin_open(&plugin, &config, error);
    if (status != SIMSM_OK || !plugin)
        return status;
    const struct simsm_policy_module *table = plugin->table;
    choose(context, "policy.module", plugin->path);
    if (table->scheduler_count)
        choose(context, "sm.scheduler", table->schedulers[0].name);
    if (table->dispatcher_count)
        choose(context, "dispatch.policy", table->dispatchers[0].name);
    if (table->l1_policy_count)
        choose(context, "policy.l1", table->l1_policies[0].name);
    if (table->path_order)
        choose(context, "divergence.first", "module");
    plugin_close(plugin);
    return SIMSM_OK;
}
