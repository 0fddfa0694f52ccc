/* The table of estimates, and what they share. */
#include "report/advice_estimate.h"

#include <stdarg.h>
#include <stdio.h>

#include "language/language.h"
#include "report/advice_input.h"

double advice_state(input *in, enum simsm_warp_state which)
{
    return (double)in->stats->states[which] / (double)metrics_resident_cycles(in->stats);
}

double advice_running_share(input *in)
{
    return 1 - of((double)in->stats->launch_cycles, (double)in->stats->cycles);
}

double advice_memory_waits(input *in)
{
    return advice_state(in, SIMSM_STATE_LONG_SCOREBOARD) +
           advice_state(in, SIMSM_STATE_LG_THROTTLE) + advice_state(in, SIMSM_STATE_DRAIN) +
           advice_state(in, SIMSM_STATE_MEMBAR);
}

double advice_sm_use(input *in)
{
    const struct simsm_metric *m = in->metrics;
    double most = m[METRIC_ISSUE_SLOTS_BUSY].value;
    for (unsigned p = 0; p < SIMSM_PIPE_COUNT; p++)
        most = m[METRIC_PIPE_BUSY + p].value > most ? m[METRIC_PIPE_BUSY + p].value : most;
    return least(1, most / 100 / ATTAINABLE);
}

double advice_below_roof(input *in, double share)
{
    const double busy = advice_roof(in->config, in->stats, in->metrics).share;
    return least(share, positive(1 - busy / ATTAINABLE));
}

double advice_warp_threads(input *in)
{
    return of((double)simsm_block_threads(&in->stats->launch),
              in->stats->occupancy.warps_per_block);
}

void advice_say(struct advice *advice, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(advice->figure, sizeof advice->figure, translate(format), arguments);
    va_end(arguments);
}

void advice_state_at(input *in, struct advice *advice, enum simsm_warp_state which)
{
    CHOOSE_LINE(advice, in, (double)line->states[which]);
    advice->share = advice_below_roof(in, advice_state(in, which));
}

static advice_estimator *const estimates[ADVICE_COUNT] = {
    [ADVICE_UNCOALESCED] = estimate_uncoalesced,
    [ADVICE_LOCAL] = estimate_local_memory,
    [ADVICE_BANKS] = estimate_bank_conflicts,
    [ADVICE_ATOMICS] = estimate_atomics,
    [ADVICE_DIVERGENCE] = estimate_divergence,
    [ADVICE_PREDICATION] = estimate_predication,
    [ADVICE_PARTIAL_WARPS] = estimate_partial_warps,
    [ADVICE_OCCUPANCY] = estimate_occupancy,
    [ADVICE_WITHIN_BLOCKS] = estimate_within_blocks,
    [ADVICE_IMBALANCE] = estimate_imbalance,
    [ADVICE_PARTIAL_WAVE] = estimate_partial_wave,
    [ADVICE_FEW_BLOCKS] = estimate_few_blocks,
    [ADVICE_BARRIERS] = estimate_barriers,
    [ADVICE_CODE] = estimate_code,
    [ADVICE_CONSTANTS] = estimate_constants,
    [ADVICE_FP64] = estimate_double_precision,
    [ADVICE_UNFUSED] = estimate_unfused,
    [ADVICE_TENSOR] = estimate_tensor,
    [ADVICE_LAUNCH] = estimate_launch,
    [ADVICE_L1] = estimate_l1_capacity,
    [ADVICE_LATENCY] = estimate_latency,
    [ADVICE_DRAM] = estimate_dram,
};

void advice_estimate(const struct advice_input *in, struct advice *advice)
{
    estimates[advice->id](in, advice);
}
