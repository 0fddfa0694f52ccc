/* The policies of a run: found by name. */
#include "api/policies.h"

#include <string.h>

#include "base/err.h"
#include "config/suggest.h"

static const struct simsm_scheduler *find_scheduler(const struct plugin *plugin, const char *name)
{
    const struct simsm_scheduler *found = plugin_scheduler(plugin, name);
    for (const struct simsm_scheduler *const *s = simsm_schedulers; *s && !found; s++)
        found = strcmp((*s)->name, name) == 0 ? *s : NULL;
    return found;
}

static const struct simsm_dispatcher *find_dispatcher(const struct plugin *plugin, const char *name)
{
    const struct simsm_dispatcher *found = plugin_dispatcher(plugin, name);
    for (const struct simsm_dispatcher *const *d = simsm_dispatchers; *d && !found; d++)
        found = strcmp((*d)->name, name) == 0 ? *d : NULL;
    return found;
}

enum { MOST_POLICIES = 64 };

/* Returns "; did you mean 'NAME'?" with the nearest built-in policy of the key, or "". */
static const char *nearest_policy(const char *key, const char *name,
                                  char question[SUGGEST_QUESTION])
{
    const char *names[MOST_POLICIES];
    size_t count = 0;
    for (const struct simsm_scheduler *const *s = simsm_schedulers;
         strcmp(key, "sm.scheduler") == 0 && *s && count < MOST_POLICIES; s++)
        names[count++] = (*s)->name;
    for (const struct simsm_dispatcher *const *d = simsm_dispatchers;
         strcmp(key, "dispatch.policy") == 0 && *d && count < MOST_POLICIES; d++)
        names[count++] = (*d)->name;
    return suggest_question(suggest_nearest(name, names, count), question);
}

static enum simsm_status unknown_policy(struct simsm_error *error, const struct plugin *plugin,
                                        const char *key, const char *name)
{
    char question[SUGGEST_QUESTION];
    if (strcmp(name, "module") == 0)
        return err_set(error, SIMSM_BAD_INPUT,
                       plugin ? "%s is module, but the plugin %s has no such policy"
                              : "%s is module, but no plugin is named; policy.module or --policy "
                                "does that%s",
                       key, plugin ? plugin->table->name : "");
    return err_set(error, SIMSM_BAD_INPUT,
                   "%s: there is no policy '%s'%s%s; `simsm policies%s` lists those there are%s",
                   key, name, plugin ? ", neither here nor in the plugin " : "",
                   plugin ? plugin->table->name : "", plugin ? " MODULE" : "",
                   nearest_policy(key, name, question));
}

enum simsm_status policies_find(struct policies *found, const struct plugin *plugin,
                                const struct simsm_config *config, struct simsm_error *error)
{
    found->scheduler = find_scheduler(plugin, config->sm_scheduler);
    found->dispatcher = find_dispatcher(plugin, config->dispatch_policy);
    found->l1 = plugin_l1(plugin, config->policy_l1);
    if (!found->scheduler)
        return unknown_policy(error, plugin, "sm.scheduler", config->sm_scheduler);
    if (!found->dispatcher)
        return unknown_policy(error, plugin, "dispatch.policy", config->dispatch_policy);
    if (!found->l1 && config->policy_l1[0] && strcmp(config->policy_l1, "none") != 0)
        return unknown_policy(error, plugin, "policy.l1", config->policy_l1);
    bool orders = config->divergence_first == SIMSM_MODULE_divergence_first;
    if (orders && (!plugin || !plugin->table->path_order))
        return unknown_policy(error, plugin, "divergence.first", "module");
    return SIMSM_OK;
}
