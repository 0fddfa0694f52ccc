/*
 * A GPU that the launches of a program share. A launch begins beside the launches that are there,
 * if it finds room; L2 keeps its lines from launch to launch.
 *
 * Time is in cycles since the GPU was opened.
 */
#ifndef SIM_API_SHARED_GPU_H
#define SIM_API_SHARED_GPU_H

#include "front/front.h"
#include "simsm/simsm.h"

struct mem_written; /* model/mem_written.h */

struct shared_gpu;
struct gpu_launch; /* a launch that has begun */

/* `config` must outlive the device. Policies come from it alone; of *options, `check`, `no_skip`
 * and `threads` count. On success the caller calls shared_gpu_close. */
enum simsm_status shared_gpu_open(struct shared_gpu **shared, const struct simsm_config *config,
                                  const struct simsm_options *options, struct simsm_error *error);
/* Frees the device and the launches that are on it. NULL is allowed. */
void shared_gpu_close(struct shared_gpu *shared);

/* Returns the cycle to which the device has run. */
uint64_t shared_gpu_now(const struct shared_gpu *shared);

/* Returns the cycle that clocks count from in a launch that begins now. */
uint64_t shared_gpu_clock(const struct shared_gpu *shared);

struct shared_request {
    struct front *front;    /* the device takes it over if the launch begins */
    int priority;           /* blocks of higher priority are placed first */
    uint64_t launch_cycles; /* from now to the first block */
    void *owner;            /* the caller's */
};

/*
 * Begins a launch now. *launch becomes NULL, with SIMSM_OK, if the launch cannot be beside those
 * that are there: then it can begin once shared_gpu_is_empty().
 */
enum simsm_status shared_gpu_begin(struct shared_gpu *shared, const struct shared_request *request,
                                   struct gpu_launch **launch, struct simsm_error *error);

/* Returns whether no launch is on the device and nothing of an ended one is under way. */
bool shared_gpu_is_empty(const struct shared_gpu *shared);

/* Lets go of what is kept of launches that have ended, if none is on the device. */
void shared_gpu_rest(struct shared_gpu *shared);

/*
 * Runs to cycle `until`, or to the window in which the first launch ends. UINT64_MAX: to the end of
 * a launch; there must be one. `alone`: nothing else will happen before `until`, so that warps
 * which wait for ever fail. After a failure, shared_gpu_failed() names the launch.
 */
enum simsm_status shared_gpu_run(struct shared_gpu *shared, uint64_t until, bool alone,
                                 struct simsm_error *error);

/* Lets shared_gpu_run() return at the end of its window: called by a front, in a window. */
void shared_gpu_interrupt(struct shared_gpu *shared);

/* Returns the owner of the launch that has failed, or of the first that is on the device; NULL if
 * there is none. */
void *shared_gpu_failed(const struct shared_gpu *shared);

struct shared_times {
    uint64_t first_start; /* of its first block */
    uint64_t last_end;    /* of its last block */
    uint64_t ended;       /* of the launch: what it has stored is in memory */
};
struct shared_times shared_gpu_times(const struct shared_gpu *shared,
                                     const struct gpu_launch *launch);

/*
 * Takes a launch that has ended off the device, which must have run to its end. What it has stored
 * is in memory then. Fills *stats; `lines` of it stay valid until shared_gpu_free(). *beside: other
 * launches were on the device beside it, so that only what is counted for each instruction is
 * known.
 */
enum simsm_status shared_gpu_finish(struct shared_gpu *shared, struct gpu_launch *launch,
                                    struct simsm_stats *stats, bool *beside,
                                    struct simsm_error *error);
/* Frees a launch after shared_gpu_finish. */
void shared_gpu_free(struct shared_gpu *shared, struct gpu_launch *launch);

/* Tells the device that a copy or a fill has written this device memory. */
void shared_gpu_hold(struct shared_gpu *shared, const struct mem_written *written);

#endif
