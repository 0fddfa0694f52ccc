/* Estimates of lanes without work: by branches, by predicates, and in partial warps. */
#include "model/op.h"
#include "report/advice_input.h"
#include "report/quantity.h"

/* Returns the warp cycles at a line: issuing it, or waiting to, but not for global memory. */
static double line_cycles(const struct simsm_line_stats *line)
{
    double sum = 0;
    for (unsigned s = SIMSM_STATE_ISSUED; s < SIMSM_STATE_COUNT; s++)
        sum += s != SIMSM_STATE_LONG_SCOREBOARD ? (double)line->states[s] : 0;
    return sum;
}

static bool counts_lanes(enum simsm_op_class op)
{
    return !op_is_memory(op) && op != SIMSM_OP_EXIT && op != SIMSM_OP_BARRIER;
}

/* Returns the share of the lanes that have left a line by a branch, where that counts. */
static double branch_loss(input *in, const struct simsm_line_stats *line, enum simsm_op_class op)
{
    const double lanes = of((double)line->threads, (double)line->issues);
    return counts_lanes(op) && line->issues ? positive(1 - of(lanes, advice_warp_threads(in))) : 0;
}

/* Returns the share of the lanes of a line that a predicate switches off, where that counts. */
static double guard_loss(input *in, const struct simsm_line_stats *line, enum simsm_op_class op)
{
    const double off = of((double)line->threads_off, (double)line->issues);
    return counts_lanes(op) && !op_is_control_flow((uint8_t)op) ? of(off, advice_warp_threads(in))
                                                                : 0;
}

/*
 * Idle lanes cost the cycles of their warps, if warps wait for themselves, or the issue slots of
 * their instructions, if they wait for the SM's units. The greater of both is the estimate.
 */
static void lanes(input *in, struct advice *advice,
                  double (*loss)(input *, const struct simsm_line_stats *, enum simsm_op_class))
{
    const struct simsm_stats *stats = in->stats;
    double cycles = 0, issues = 0;
    for (uint32_t i = 0; i < stats->line_count; i++) {
        const double idle = loss(in, &stats->lines[i], stats->line_info[i].op);
        cycles += idle * line_cycles(&stats->lines[i]);
        issues += idle * (double)stats->lines[i].issues;
    }
    CHOOSE_LINE(advice, in, loss(in, line, op) * line_cycles(line));
    const double waiting = of(cycles, (double)metrics_resident_cycles(stats));
    const double issuing = of(issues, count(in, SIMSM_COUNTER_INST_EXECUTED)) * advice_sm_use(in);
    advice->share = (waiting > issuing ? waiting : issuing) * advice_running_share(in);
    if (advice->line == ADVICE_NO_LINE)
        return;
    const struct simsm_line_stats *line = &stats->lines[advice->line];
    advice_say(
        advice,
        "%s of %.0f lanes are active there; %s of 32 in a mean instruction, %s with its guard true",
        quantity_ratio(of((double)(line->threads - line->threads_off), (double)line->issues)).text,
        advice_warp_threads(in), quantity_ratio(in->metrics[METRIC_THREADS_PER_INST].value).text,
        quantity_ratio(in->metrics[METRIC_PRED_ON_PER_INST].value).text);
}

void estimate_divergence(input *in, struct advice *advice)
{
    lanes(in, advice, branch_loss);
}

void estimate_predication(input *in, struct advice *advice)
{
    lanes(in, advice, guard_loss);
}

void estimate_partial_warps(input *in, struct advice *advice)
{
    advice->share = (1 - advice_warp_threads(in) / SIMSM_WARP_LANES) * advice_running_share(in);
    advice_say(advice, "a block has %llu threads: its last warp has %llu of 32",
               (unsigned long long)simsm_block_threads(&in->stats->launch),
               (unsigned long long)(simsm_block_threads(&in->stats->launch) % SIMSM_WARP_LANES));
}
