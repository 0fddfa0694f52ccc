/* Runs one launch of machine code from its beginning to its end, for those who want its results. */
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
    int (*stop)(void);                    /* asked now and then; not 0: ends. NULL: nobody asks */
    /* Gets what was counted when the launch has ended. NULL: nobody wants it. */
    void (*ended)(void *context, const struct simsm_stats *stats);
    void *context;
};

/*
 * Clock reads in the code yield simulated time. *cycles (NULL: not wanted) is how long the launch
 * took. *note (NULL: not wanted) becomes NULL or a line for the user, to be freed: what the kernel
 * does depends on clock values. SIMSM_LIMIT: it takes more than max_cycles; results that were given
 * then are not timed. SIMSM_INTERRUPTED: stopped.
 */
enum simsm_status plan_run(const struct plan_run *run, uint64_t *cycles, char **note,
                           struct simsm_error *error);

#endif
