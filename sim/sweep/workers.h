/*
 * Runs jobs in processes. Each job has a process of its own: a job that crashes, hangs or runs out
 * of memory is reported like any other result. The answer of a job is plain data of fixed size,
 * sent through a pipe. The parent never runs a job itself.
 */
#ifndef SIM_SWEEP_WORKERS_H
#define SIM_SWEEP_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simsm/error.h"

enum { WORKERS_MOST = 1024, WORKERS_REASON = 160 };

struct workers {
    uint32_t jobs;   /* processes at a time, 1 to WORKERS_MOST */
    double seconds;  /* real time per job; 0: no limit */
    uint64_t memory; /* bytes of address space per job; 0: no limit */
    size_t answer_size;
    void *context;
    /* Sets *job to the next job. Returns false if there is none. */
    bool (*next)(void *context, uint32_t *job);
    /* Called in the process of the job: does the job and fills *answer, which begins as zeros. */
    void (*work)(void *context, uint32_t job, void *answer);
    /* Called in the parent when a job has ended. `answer` NULL: the process ended without an
     * answer, and `reason` says how. `seconds` is the time from start to end. */
    void (*ended)(void *context, uint32_t job, const void *answer, const char *reason,
                  double seconds);
    /* Called in the parent repeatedly, and after jobs have ended. NULL: not called. A failure ends
     * all jobs. */
    enum simsm_status (*pause)(void *context, struct simsm_error *error);
    /*
     * Nonzero: no job is started any more, and running jobs are stopped. Called in all processes.
     */
    int (*stop)(void);
};

/*
 * Runs jobs until there are no more. Returns SIMSM_INTERRUPTED if `stop` ended it: jobs that ran
 * then have ended without an answer, or with an answer that says so. Returns SIMSM_FAILED if no
 * process can be started, or the failure of `pause`.
 */
enum simsm_status workers_run(const struct workers *workers, struct simsm_error *error);

/* For `work`: returns whether to stop, because of workers.stop or because the parent has ended. */
int workers_stopped(void);

/* Returns the number of processors, at most WORKERS_MOST. */
uint32_t workers_processors(void);

#endif
