/* What came of one simulation: plain data, which a process can hand to another one. */
#ifndef SIM_SWEEP_SWEEP_OUTCOME_H
#define SIM_SWEEP_SWEEP_OUTCOME_H

#include "report/metrics.h"
#include "simsm/simsm.h"
#include "sweep/texts.h"

enum { OUTCOME_KERNEL = 160 };

/* What is known of a sample, behind the metrics of sim/report. */
enum outcome_sample {
    OUTCOME_SAMPLE = METRIC_COUNT - 1,
#define FIGURE(id, ...) OUTCOME_SAMPLE_##id,
#include "sweep/sample_figures.def"
#undef FIGURE
    OUTCOME_METRICS
};

struct sweep_outcome {
    enum simsm_status status; /* SIMSM_OK: it ran to its end */
    struct simsm_error error; /* otherwise */
    double wall_seconds, cpu_seconds;
    uint64_t peak_bytes; /* of the process */
    char kernel[OUTCOME_KERNEL];
    uint32_t grid[3], block[3]; /* zeros: of several launches that differ */
    uint64_t counter[SIMSM_COUNTER_COUNT];
    double metric[OUTCOME_METRICS]; /* NaN where it is not defined */
};

/* What the metrics are called; their values are NaN. */
void outcome_describe(struct simsm_metric metrics[OUTCOME_METRICS]);

struct outcome_run {
    const struct simsm_config *config;
    const char *trace;
    const struct texts *params; /* "name=value", for the trace */
    uint64_t max_cycles;        /* UINT64_MAX: no limit */
    uint32_t threads;           /* 0: one */
    /*
     * All launches of a recording or a list of traces as one: some are timed, what the others take
     * is estimated (sample/sampler.h). Counters and cycles are sums; metrics that belong to one
     * launch are not defined.
     */
    bool sample;
    int (*stop)(void); /* asked many times a second; not 0: ends with SIMSM_INTERRUPTED */
};

/* Simulates in this process. Figures are those of a complete run, or zeros and NaN. */
void outcome_simulate(const struct outcome_run *run, struct sweep_outcome *outcome);

/* Whether a simulation can be opened at all. */
enum simsm_status outcome_check_open(const char *trace, const struct simsm_config *config,
                                     const struct texts *params, struct simsm_error *error);

#endif
