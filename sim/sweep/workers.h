/*
 * Work in processes: each job has a process of its own, so that one that crashes, hangs or runs out
 * of memory is an answer like any other. A job's answer is plain data of a fixed size, sent through
 * a pipe; the parent never runs a job itself.
 */
#ifndef SIM_SWEEP_WORKERS_H
#define SIM_SWEEP_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simsm/error.h"

enum { WORKERS_MOST = 1024, WORKERS_REASON = 160 };

struct workers {
    uint32_t jobs;   /* processes at a time, at most WORKERS_MOST */
    double seconds;  /* real time for a job; 0: no limit */
    uint64_t memory; /* bytes of address space for a job; 0: no limit */
    size_t answer_size;
    void *context;
    /* The next job; false: there is none now. */
    bool (*next)(void *context, uint32_t *job);
    /* In a process of its own: does the job and fills *answer, which begins as zeros. */
    void (*work)(void *context, uint32_t job, void *answer);
    /*
     * In the parent: what came of it. `answer` NULL: the process ended without one, and `reason`
     * says how. `seconds`: from its start to its end.
     */
    void (*ended)(void *context, uint32_t job, const void *answer, const char *reason,
                  double seconds);
    /* In the parent, after all that has ended, and now and then. NULL: nobody wants it. A failure
     * ends the workers. */
    enum simsm_status (*pause)(void *context, struct simsm_error *error);
    /* Not 0: no job is begun any more, those that run are stopped. Asked in all processes. */
    int (*stop)(void);
};

/*
 * Runs jobs until there are no more. SIMSM_INTERRUPTED: stopped; jobs that ran then have ended
 * without an answer, or with one that says so. SIMSM_FAILED: no process can be started, or `pause`
 * has failed.
 */
enum simsm_status workers_run(const struct workers *workers, struct simsm_error *error);

/* For `work`: whether it is to stop, because of workers.stop or because its parent has gone. */
int workers_stopped(void);

/* How many processors there are, at most WORKERS_MOST. */
uint32_t workers_processors(void);

#endif
