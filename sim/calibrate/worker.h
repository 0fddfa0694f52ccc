/* Measures points in a process of its own: a kernel that faults makes the driver of its process
 * useless, and a kernel that hangs can only be ended with its process. */
#ifndef SIM_CALIBRATE_WORKER_H
#define SIM_CALIBRATE_WORKER_H

#include "calibrate/gpu_run.h"
#include "calibrate/table.h"

enum { WORKER_RUNS = 64 };

/* The result of one point. */
struct worker_answer {
    enum simsm_status status;
    struct simsm_error error; /* set unless `status` is SIMSM_OK */
    uint32_t runs;
    struct measured measured[WORKER_RUNS];
};

struct worker {
    int to, from; /* pipes; -1: no process */
    int seconds;  /* time limit for an answer */
    long process;
};

/* The initial value of a worker, without a process. */
#define WORKER_NONE(limit) ((struct worker){.to = -1, .from = -1, .seconds = (limit)})

/* Asks the worker's process for the GPU; starts the process if it does not run. */
enum simsm_status worker_about(struct worker *worker, struct gpu_about *about,
                               struct simsm_error *error);

/*
 * Measures one point, `repeat` times (at most WORKER_RUNS), with the kernels of `cubin`. A failure
 * of the point is in the answer; the next call then starts a new process. Returns an error only if
 * no process can be started.
 */
enum simsm_status worker_measure(struct worker *worker, const struct table *table, uint32_t index,
                                 const char *cubin, uint32_t repeat, struct worker_answer *answer,
                                 struct simsm_error *error);

void worker_end(struct worker *worker);

#endif
