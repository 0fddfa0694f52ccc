/* Checks that this version of simsm can use the table of a plug-in. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "plugin/plugin_parts.h"

#define STATE_MOST ((size_t)16 << 20) /* bytes, of one SM or sub-partition */
enum { PARAMS_MOST = 64, POLICIES_MOST = 64, NAME_MOST = 31 };

static enum simsm_status wrong(const char *path, const char *what, const char *name,
                               struct simsm_error *error)
{
    return err_set(error, SIMSM_BAD_INPUT, "%.300s: %s%s%.100s%s", path, what, name ? " in '" : "",
                   name ? name : "", name ? "'" : "");
}

static enum simsm_status check_head(const struct simsm_policy_head *head, const char *path,
                                    struct simsm_error *error)
{
    static const struct simsm_policy_head ours = SIMSM_POLICY_HEAD;
    if (head->abi != ours.abi)
        return err_set(error, SIMSM_BAD_INPUT,
                       "%.300s: has version %u of the interface for policies, this simsm has "
                       "version %u; compile it with this simsm's simsm/policy.h",
                       path, head->abi, ours.abi);
    if (head->module != ours.module || memcmp(head, &ours, sizeof ours) != 0)
        return err_set(error, SIMSM_BAD_INPUT,
                       "%.300s: was compiled with another simsm/policy.h: its table has %u bytes, "
                       "this simsm's %u, or a structure within differs; compile it with this one's",
                       path, head->module, ours.module);
    return SIMSM_OK;
}

static bool is_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return name && name[0] && strspn(name, letters) == strlen(name) && strlen(name) <= NAME_MOST;
}

/* Returns false for an invalid name, and for a name that has another meaning. */
static bool is_policy_name(const char *name)
{
    return is_name(name) && strcmp(name, "module") != 0 && strcmp(name, "none") != 0;
}

static enum simsm_status check_params(const struct simsm_policy_module *table, const char *path,
                                      struct simsm_error *error)
{
    if (table->param_count > PARAMS_MOST || (table->param_count && !table->params))
        return wrong(path, "the table of parameters is missing or too long", NULL, error);
    for (uint32_t i = 0; i < table->param_count; i++) {
        const struct simsm_policy_param *param = &table->params[i];
        if (!is_name(param->name) || !param->meaning)
            return wrong(path, "a parameter needs a name of letters, digits and _, and a meaning",
                         param->name, error);
        if (param->type > SIMSM_PARAM_BOOL ||
            (param->type != SIMSM_PARAM_BOOL &&
             !(param->min <= param->value && param->value <= param->max)))
            return wrong(path, "a parameter's default is outside its range", param->name, error);
    }
    return SIMSM_OK;
}

static enum simsm_status check_policies(const struct simsm_policy_module *table, const char *path,
                                        struct simsm_error *error)
{
    static const char need[] =
        "a policy needs a name of letters, digits and _ that is not 'module', a summary, its "
        "function and a state of at most 16 MiB";
    for (uint32_t i = 0; i < table->scheduler_count; i++) {
        const struct simsm_scheduler *s = &table->schedulers[i];
        if (!is_policy_name(s->name) || !s->summary || !s->pick || s->state_size > STATE_MOST)
            return wrong(path, need, s->name, error);
    }
    for (uint32_t i = 0; i < table->dispatcher_count; i++) {
        const struct simsm_dispatcher *d = &table->dispatchers[i];
        if (!is_policy_name(d->name) || !d->summary || !d->pick || d->state_size > STATE_MOST)
            return wrong(path, need, d->name, error);
    }
    for (uint32_t i = 0; i < table->l1_policy_count; i++) {
        const struct simsm_l1_policy *l1 = &table->l1_policies[i];
        if (!is_policy_name(l1->name) || !l1->summary || !l1->on_access)
            return wrong(path, need, l1->name, error);
    }
    const struct simsm_path_order *order = table->path_order;
    if (order && (!is_policy_name(order->name) || !order->summary || !order->taken_first))
        return wrong(path, need, order->name, error);
    return SIMSM_OK;
}

enum simsm_status plugin_check_table(const struct simsm_policy_module *table, const char *path,
                                     struct simsm_error *error)
{
    enum simsm_status status = check_head(&table->head, path, error);
    if (status != SIMSM_OK)
        return status;
    if (!is_name(table->name) || !table->summary)
        return wrong(path, "a plugin needs a name of letters, digits and _, and a summary", NULL,
                     error);
    if (table->scheduler_count > POLICIES_MOST || table->dispatcher_count > POLICIES_MOST ||
        table->l1_policy_count > POLICIES_MOST || (table->scheduler_count && !table->schedulers) ||
        (table->dispatcher_count && !table->dispatchers) ||
        (table->l1_policy_count && !table->l1_policies) || table->sm_state_size > STATE_MOST)
        return wrong(path, "a list of policies is missing or too long, or the state too large",
                     NULL, error);
    if (!table->scheduler_count && !table->dispatcher_count && !table->l1_policy_count &&
        !table->path_order)
        return wrong(path, "holds no policy", NULL, error);
    status = check_params(table, path, error);
    return status == SIMSM_OK ? check_policies(table, path, error) : status;
}
