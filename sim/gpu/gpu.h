/* The GPU: SMs, memory system, block dispatcher, clock. */
#ifndef SIM_GPU_GPU_H
#define SIM_GPU_GPU_H

#include "front/front.h"
#include "simsm/observer.h"
#include "simsm/policy.h"
#include "simsm/stats.h"

struct gpu;
struct mem_lines;

/* Everything pointed to must outlive the GPU. */
struct gpu_setup {
    const struct simsm_config *config;
    const struct front *front;
    const struct simsm_occupancy *occupancy; /* blocks > 0 */
    const struct simsm_scheduler *scheduler;
    const struct simsm_dispatcher *dispatcher;
    const struct simsm_l1_policy *l1_policy;       /* NULL: none */
    const struct simsm_policy_module *module;      /* of the user's own; NULL: none */
    const double *param;                           /* values of its parameters */
    const struct simsm_observer *const *observers; /* NULL-terminated, or NULL */
    bool no_skip;
    bool check;       /* verify invariants at the end of every run call */
    uint64_t window;  /* cycles; 0 = as long as possible. Results do not depend on it */
    uint32_t threads; /* that simulate SMs; 0 is 1. Results do not depend on it */
};

/* How far a launch is when one of its blocks has ended. */
struct gpu_progress {
    uint64_t cycle;        /* of the end */
    uint64_t done, placed; /* blocks that have ended, with this one; that an SM has been given */
};

/*
 * Who cuts a launch short: the blocks of the grid beyond a number are never started. All functions
 * are called by one thread, in the order of what happens to the simulated GPU.
 */
struct gpu_cut {
    /*
     * At each end of a block, in the order of (cycle, SM), before its place is filled again: how
     * many blocks of the grid are to run; taken as one more than have been placed if it is less.
     * UINT64_MAX: all. A number that has been given cannot be taken back. *count: `window_counted`
     * is to be called when the window of this cycle is over.
     */
    uint64_t (*block_ended)(void *context, const struct gpu_progress *progress, bool *count);
    /* What has been counted up to the end of a window; as gpu_stats fills it. */
    void (*window_counted)(void *context, const struct simsm_stats *stats);
    void *context;
};

/* Returns NULL if memory runs out. */
struct gpu *gpu_create(const struct gpu_setup *setup);
void gpu_destroy(struct gpu *gpu);

/* What L2 holds: as mem_take_lines, mem_give_lines and mem_hold have it. */
struct mem_lines *gpu_take_lines(struct gpu *gpu);
void gpu_give_lines(struct gpu *gpu, struct mem_lines *lines);
void gpu_hold(struct gpu *gpu, uint64_t address, uint64_t bytes);

/* Before the run; *cut must outlive it. A launch that has been cut short comes to its end as others
 * do, but is not complete. */
void gpu_cut_by(struct gpu *gpu, const struct gpu_cut *cut);

/* As simsm_advance. */
enum simsm_status gpu_run(struct gpu *gpu, uint64_t until, uint64_t bound,
                          struct simsm_error *error);

/* Fills *stats but for line_info, which is the caller's; the line counts stay the GPU's. */
void gpu_stats(struct gpu *gpu, struct simsm_stats *stats);

#endif
