/* The roof of a launch: its busiest resource. */
#include <stdio.h>

#include "language/language.h"
#include "report/advice_input.h"

/* Replaces the roof if another resource is busier. */
static void raise_roof(struct advice_roof *roof, const char *name, bool pipe, double percent)
{
    if (!(percent / 100 > roof->share))
        return;
    (void)snprintf(roof->name, sizeof roof->name, "%s%s%s", pipe ? "the " : "", name,
                   pipe ? " pipe" : "");
    roof->pipe = pipe ? name : NULL;
    roof->share = percent / 100;
}

/* Returns the passes through shared memory. An SM makes one a cycle. */
static double shared_passes(const struct simsm_stats *stats)
{
    return (double)stats->counter[SIMSM_COUNTER_SHARED_LD_WAVEFRONTS] +
           (double)stats->counter[SIMSM_COUNTER_SHARED_ST_WAVEFRONTS] +
           (double)stats->counter[SIMSM_COUNTER_SHARED_ATOM_WAVEFRONTS];
}

struct advice_roof advice_roof(const struct simsm_config *config, const struct simsm_stats *stats,
                               const struct simsm_metric metrics[METRIC_COUNT])
{
    const double active = of((double)stats->counter[SIMSM_COUNTER_SM_CYCLES_ACTIVE],
                             (double)stats->cycles * stats->sms);
    struct advice_roof roof = {N_("nothing"), NULL, 0};
    const struct {
        const char *name;
        double share;
    } shared[] = {
        {"DRAM", metrics[METRIC_DRAM_THROUGHPUT].value / config->dram_efficiency},
        {"L2", metrics[METRIC_L2_THROUGHPUT].value},
        {N_("the way from L2"), metrics[METRIC_XBAR_REPLY].value},
        {N_("shared memory"),
         100 * active *
             of(shared_passes(stats), (double)stats->counter[SIMSM_COUNTER_SM_CYCLES_ACTIVE])},
        {N_("the issue slots"), metrics[METRIC_ISSUE_SLOTS_BUSY].value * active},
    };
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++)
        raise_roof(&roof, shared[i].name, false, shared[i].share);
    for (unsigned p = 0; p < SIMSM_PIPE_COUNT; p++)
        raise_roof(&roof, simsm_pipes[p].name, true, metrics[METRIC_PIPE_BUSY + p].value * active);
    return roof;
}
