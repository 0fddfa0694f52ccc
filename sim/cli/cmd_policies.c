/* `simsm policies`: what the policy tables hold. */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "simsm/policy.h"

/* Of the configuration's choices, those that decide how a warp's paths run. */
static void print_choice(const char *table, const char *name, const char *meaning)
{
    static const char family[] = "divergence_";
    if (strncmp(table, family, sizeof family - 1) == 0)
        (void)printf("  %-12s %s\n", name, meaning);
}

int cmd_policies(int argc, char **argv)
{
    static const struct argp parser = {
        .doc = "Lists the policies that a configuration or --set can name.",
    };
    if (argp_parse(&parser, argc, argv, 0, NULL, NULL) != 0)
        return SIMSM_BAD_INPUT;
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
    return cli_finish(SIMSM_OK);
}
