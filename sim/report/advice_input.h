/*
 * What the estimates of advice share: figures of a launch as shares of its time, and how advice
 * says what it has found. Each file advice_*.c estimates faults of one kind.
 */
#ifndef SIM_REPORT_ADVICE_INPUT_H
#define SIM_REPORT_ADVICE_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "report/advice_estimate.h"

typedef const struct advice_input input;

/* What kernels without faults reach of the roof of their busiest resource. */
#define ATTAINABLE 0.85

static inline double count(input *in, enum simsm_counter counter)
{
    return (double)in->stats->counter[counter];
}

static inline double of(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static inline double positive(double x)
{
    return x > 0 ? x : 0;
}

static inline double least(double a, double b)
{
    return a < b ? a : b;
}

/* Returns the share of the resident warps' cycles in a state. */
double advice_state(input *in, enum simsm_warp_state which);

/* Returns the share of the time after the first block could begin. */
double advice_running_share(input *in);

/* Returns the share of the resident warps' cycles that wait for global or local memory. */
double advice_memory_waits(input *in);

/* Returns how busy the SM's own units are while the SM runs, of what is attainable: 0 to 1. */
double advice_sm_use(input *in);

/* Returns `share`, but no more than leaves the busiest resource busy: without the fault a launch
 * still moves its bytes and issues its instructions. */
double advice_below_roof(input *in, double share);

/* Returns the threads of a warp, mean over the warps of a block. */
double advice_warp_threads(input *in);

/* Writes the figure that shows the fault. */
void advice_say(struct advice *advice, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sets the share to that of a state, and the line to that which waits longest in it. */
void advice_state_at(input *in, struct advice *advice, enum simsm_warp_state which);

/* Sets the line at which `value` is greatest. */
#define CHOOSE_LINE(advice, in, value)                                                             \
    do {                                                                                           \
        double most = 0;                                                                           \
        for (uint32_t i = 0; i < (in)->stats->line_count; i++) {                                   \
            const struct simsm_line_stats *line = &(in)->stats->lines[i];                          \
            const enum simsm_op_class op = (in)->stats->line_info[i].op;                           \
            const double here = (value);                                                           \
            (void)line;                                                                            \
            (void)op;                                                                              \
            if (!(here > most))                                                                    \
                continue;                                                                          \
            most = here;                                                                           \
            (advice)->line = i;                                                                    \
        }                                                                                          \
    } while (0)

/* The estimates, which advice_estimate() calls by advice. */
typedef void advice_estimator(input *in, struct advice *advice);

/* advice_memory.c */
advice_estimator estimate_uncoalesced, estimate_local_memory, estimate_bank_conflicts,
    estimate_atomics, estimate_l1_capacity, estimate_latency, estimate_dram;
/* advice_lanes.c */
advice_estimator estimate_divergence, estimate_predication, estimate_partial_warps;
/* advice_grid.c */
advice_estimator estimate_occupancy, estimate_within_blocks, estimate_imbalance,
    estimate_few_blocks, estimate_partial_wave, estimate_launch;
/* advice_instructions.c */
advice_estimator estimate_barriers, estimate_code, estimate_constants, estimate_double_precision,
    estimate_unfused, estimate_tensor;

#endif
