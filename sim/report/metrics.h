/* Metrics: figures derived from the counters of a run by the table metrics.def. */
#ifndef SIM_REPORT_METRICS_H
#define SIM_REPORT_METRICS_H

#include "simsm/stats.h"

enum metric {
#define METRIC(id, ...) METRIC_##id,
#include "report/metrics.def"
#undef METRIC
    METRIC_STALL, /* first of a metric for each state of a live warp; metric_stall() finds it */
    METRIC_PIPE_BUSY =
        METRIC_STALL + SIMSM_STATE_COUNT - SIMSM_STATE_ISSUED, /* + enum simsm_pipe */
    METRIC_COUNT = METRIC_PIPE_BUSY + SIMSM_PIPE_COUNT
};

_Static_assert(SIMSM_STATE_EMPTY == 0 && SIMSM_STATE_EXITED == 1 && SIMSM_STATE_ISSUED == 2,
               "the states of a living warp follow those of a slot without one");

static inline unsigned metric_stall(enum simsm_warp_state state)
{
    return METRIC_STALL + (unsigned)state - SIMSM_STATE_ISSUED;
}

/*
 * Fills all METRIC_COUNT entries. A value that is not defined is NaN. Names, units and meanings are
 * static texts.
 */
void metrics_compute(const struct simsm_config *config, const struct simsm_stats *stats,
                     struct simsm_metric metrics[METRIC_COUNT]);

/* Fills names, units and meanings; all values are NaN. */
void metrics_describe(struct simsm_metric metrics[METRIC_COUNT]);

/* Returns the pipe of arithmetic that is busy for most cycles. */
unsigned metrics_busiest_pipe(const struct simsm_metric metrics[METRIC_COUNT]);

/* Returns the metric of throughput, among those of the memory levels, that is highest. */
unsigned metrics_busiest_memory(const struct simsm_metric metrics[METRIC_COUNT]);

/* Returns the slot cycles with a live warp: the sum over all states but `empty` and `exited`. */
uint64_t metrics_resident_cycles(const struct simsm_stats *stats);

/* Returns the state in which the resident warps spent most of their cycles, issuing included. */
enum simsm_warp_state metrics_main_state(const struct simsm_stats *stats);

#endif
