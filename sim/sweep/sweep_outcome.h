/* The outcome of a simulation: plain data, which one process can send to another. */
#ifndef SIM_SWEEP_SWEEP_OUTCOME_H
#define SIM_SWEEP_SWEEP_OUTCOME_H

#include "report/metrics.h"
#include "simsm/simsm.h"
#include "sweep/texts.h"

enum { OUTCOME_KERNEL = 160 };

/* Metrics of a sampled point, numbered after the metrics of sim/report. */
enum outcome_sample {
    OUTCOME_SAMPLE = METRIC_COUNT - 1,
#define FIGURE(id, ...) OUTCOME_SAMPLE_##id,
#include "sweep/sample_figures.def"
#undef FIGURE
    OUTCOME_METRICS
};

/* The result of one simulation. */
struct sweep_outcome {
    enum simsm_status status; /* SIMSM_OK: it ran to its end */
    struct simsm_error error; /* if status is not SIMSM_OK */
    double wall_seconds, cpu_seconds;
    uint64_t peak_bytes; /* of the process */
    char kernel[OUTCOME_KERNEL];
    uint32_t grid[3], block[3]; /* zeros: several launches that differ */
    uint64_t counter[SIMSM_COUNTER_COUNT];
    double metric[OUTCOME_METRICS]; /* NaN: undefined */
};

/* Fills names, units and meanings of the metrics; their values are NaN. */
void outcome_describe(struct simsm_metric metrics[OUTCOME_METRICS]);

/* A simulation to run. */
struct outcome_run {
    const struct simsm_config *config;
    const char *trace;
    const struct texts *params; /* "name=value", for the trace */
    uint64_t max_cycles;        /* UINT64_MAX: no limit */
    uint32_t threads;           /* 0: one */
    /*
     * Treats all launches of a recording or a list of traces as one point: some launches are timed,
     * the others are estimated (sample/sampler.h). Counters and cycles are sums. Metrics of a
     * single launch are undefined.
     */
    bool sample;
    int (*stop)(void); /* called many times a second; nonzero: ends with SIMSM_INTERRUPTED */
};

/* Simulates in this process and fills *outcome. On failure counters are 0 and metrics NaN. */
void outcome_simulate(const struct outcome_run *run, struct sweep_outcome *outcome);

/* Returns whether a simulation of `trace` can be opened: SIMSM_OK, or the failure. */
enum simsm_status outcome_check_open(const char *trace, const struct simsm_config *config,
                                     const struct texts *params, struct simsm_error *error);

#endif
