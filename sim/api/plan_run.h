/* Runs one launch of machine code to its end and gives its results to the caller. */
#ifndef SIM_API_PLAN_RUN_H
#define SIM_API_PLAN_RUN_H

#include "exec/launch/launch_file.h"
#include "simsm/simsm.h"

struct plan_run {
    const char *path; /* of the file with the code */
    const struct simsm_config *config;
    const struct launch_plan *plan;
    const struct launch_results *results; /* NULL: nobody wants them */
    const struct simsm_options *options;  /* NULL: none */
    uint64_t max_cycles;                  /* 0: no limit */
    int (*stop)(void); /* called often; a result other than 0 ends the run. NULL: not called */
    /* Receives the statistics at the end of the launch. NULL: not called. */
    void (*ended)(void *context, const struct simsm_stats *stats);
    void *context;
};

/*
 * Runs the launch. Clock reads in the code return simulated time. *cycles (NULL is allowed) becomes
 * the duration of the launch. Returns SIMSM_LIMIT if the launch takes more than max_cycles, and
 * SIMSM_INTERRUPTED if `stop` ended it.
 */
enum simsm_status plan_run(const struct plan_run *run, uint64_t *cycles, struct simsm_error *error);

#endif
