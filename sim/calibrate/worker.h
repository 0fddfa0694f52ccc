/*
 * Measuring points in a process of its own: a kernel that faults leaves the driver of its process
 * useless, and one that hangs can only be ended with it.
 */
#ifndef SIM_CALIBRATE_WORKER_H
#define SIM_CALIBRATE_WORKER_H

#include "calibrate/gpu_run.h"
#include "calibrate/table.h"

enum { WORKER_RUNS = 64 };

/* What came of one point. */
struct worker_answer {
    enum simsm_status status;
    struct simsm_error error; /* unless SIMSM_OK */
    uint32_t runs;
    struct measured measured[WORKER_RUNS];
};

struct worker {
    int to, from; /* pipes; -1: no process */
    int seconds;  /* how long an answer may take */
    long process;
};

/* A worker that has not started yet. */
#define WORKER_NONE(limit) ((struct worker){.to = -1, .from = -1, .seconds = (limit)})

/* What GPU there is, asked of the worker's process, which is started if it does not run. */
enum simsm_status worker_about(struct worker *worker, struct gpu_about *about,
                               struct simsm_error *error);

/*
 * Measures one point, `repeat` times (at most WORKER_RUNS), with the kernels of `cubin`. What goes
 * wrong with the point is in the answer; the next call then starts a new process. A failure is
 * returned only if no process can be started.
 */
enum simsm_status worker_measure(struct worker *worker, const struct table *table, uint32_t index,
                                 const char *cubin, uint32_t repeat, struct worker_answer *answer,
                                 struct simsm_error *error);

void worker_end(struct worker *worker);

#endif
