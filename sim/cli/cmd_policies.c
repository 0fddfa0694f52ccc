/* `simsm policies [PLUGIN]`: the policies that simsm or a policy plugin provides. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "plugin/plugin.h"
#include "simsm/policy.h"

/* Prints a choice of the configuration if it belongs to divergence.* . */
static void print_choice(const char *table, const char *name, const char *meaning)
{
    static const char family[] = "divergence_";
    if (strncmp(table, family, sizeof family - 1) == 0)
        (void)printf("  %-12s %s\n", name, meaning);
}

static void list_built_in(void)
{
    (void)printf("Warp schedulers (sm.scheduler)\n");
    for (const struct simsm_scheduler *const *s = simsm_schedulers; *s; s++)
        (void)printf("  %-12s %s\n", (*s)->name, (*s)->summary);
    (void)printf("\nBlock dispatchers (dispatch.policy)\n");
    for (const struct simsm_dispatcher *const *d = simsm_dispatchers; *d; d++)
        (void)printf("  %-12s %s\n", (*d)->name, (*d)->summary);
    (void)printf("\nDivergent branches (divergence.model, divergence.first)\n");
#define CHOICES(table)
#define CHOICE(table, id, name, meaning) print_choice(#table, name, meaning);
#define CHOICES_END(table)
#include "simsm/defs/config_enums.def"
#undef CHOICES
#undef CHOICE
#undef CHOICES_END
}

static void list_params(const struct simsm_policy_module *table)
{
    if (table->param_count)
        (void)printf("\nParameters (--policy-param NAME=VALUE, policy.params)\n");
    for (uint32_t i = 0; i < table->param_count; i++) {
        const struct simsm_policy_param *p = &table->params[i];
        if (p->type == SIMSM_PARAM_BOOL)
            (void)printf("  %-12s %s; default %s\n", p->name, p->meaning,
                         p->value != 0 ? "true" : "false");
        else
            (void)printf("  %-12s %s; a %snumber from %.10g to %.10g, default %.10g\n", p->name,
                         p->meaning, p->type == SIMSM_PARAM_WHOLE ? "whole " : "", p->min, p->max,
                         p->value);
    }
}

static void list_plugin(const struct plugin *plugin)
{
    const struct simsm_policy_module *table = plugin->table;
    (void)printf("%s: %s\n%s\n", table->name, table->summary, plugin->path);
    if (table->scheduler_count)
        (void)printf("\nWarp schedulers (sm.scheduler)\n");
    for (uint32_t i = 0; i < table->scheduler_count; i++)
        (void)printf("  %-12s %s\n", table->schedulers[i].name, table->schedulers[i].summary);
    if (table->dispatcher_count)
        (void)printf("\nBlock dispatchers (dispatch.policy)\n");
    for (uint32_t i = 0; i < table->dispatcher_count; i++)
        (void)printf("  %-12s %s\n", table->dispatchers[i].name, table->dispatchers[i].summary);
    if (table->l1_policy_count)
        (void)printf("\nL1 policies (policy.l1)\n");
    for (uint32_t i = 0; i < table->l1_policy_count; i++)
        (void)printf("  %-12s %s\n", table->l1_policies[i].name, table->l1_policies[i].summary);
    if (table->path_order)
        (void)printf("\nOrder of divergent paths (divergence.first: module)\n  %-12s %s\n",
                     table->path_order->name, table->path_order->summary);
    list_params(table);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    const char **name = state->input;
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    if (*name)
        argp_error(state, "expected one PLUGIN, but found '%s' as well", text);
    *name = text;
    return 0;
}

const struct command_parser policies_parser = {
    .argp = {.parser = parse,
             .args_doc = "[PLUGIN]",
             .doc = "Lists the policies that a configuration or --set can name: those of simsm, or "
                    "those of PLUGIN, a shared object, with its parameters."},
};

int cmd_policies(int argc, char **argv)
{
    const char *name = NULL;
    command_parser_run(&policies_parser, argc, argv, 0, &name);
    if (!name) {
        list_built_in();
        return cli_finish(SIMSM_OK);
    }
    struct simsm_config config = {0};
    struct simsm_error error;
    struct plugin *plugin;
    if (strlen(name) < sizeof config.policy_module)
        (void)snprintf(config.policy_module, sizeof config.policy_module, "%s", name);
    if (plugin_open(&plugin, &config, &error) != SIMSM_OK)
        return cli_fail(&error);
    if (plugin)
        list_plugin(plugin);
    plugin_close(plugin);
    return cli_finish(plugin ? SIMSM_OK : SIMSM_BAD_INPUT);
}
