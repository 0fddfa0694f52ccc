/* The interface of the simulated GPU: SMs, memory system, block dispatcher, clock. */
#ifndef SIM_GPU_GPU_H
#define SIM_GPU_GPU_H

#include "front/front.h"
#include "simsm/observer.h"
#include "simsm/policy.h"
#include "simsm/stats.h"

struct gpu;
struct mem_lines;

/* What a GPU is made of. Everything pointed to must outlive the GPU. */
struct gpu_setup {
    const struct simsm_config *config;
    const struct front *front;
    const struct simsm_occupancy *occupancy; /* blocks > 0 */
    const struct simsm_scheduler *scheduler;
    const struct simsm_dispatcher *dispatcher;
    const struct simsm_l1_policy *l1_policy;       /* NULL: none */
    const struct simsm_policy_module *module;      /* plugin of the user; NULL: none */
    const double *param;                           /* values of the plugin's parameters */
    const struct simsm_observer *const *observers; /* NULL-terminated, or NULL */
    bool no_skip;
    bool check;       /* verify invariants at the end of every gpu_run */
    uint64_t window;  /* cycles; 0: as long as possible. Results do not depend on it */
    uint32_t threads; /* threads that simulate SMs; 0 means 1. Results do not depend on it */
};

/* The state of a launch at the end of one of its blocks. */
struct gpu_progress {
    uint64_t cycle;        /* at which the block ends */
    uint64_t done, placed; /* blocks that have ended, this block included; blocks placed in an SM */
};

/* Cuts a launch short: blocks of the grid beyond a number are never started. One thread calls all
 * functions, in the order of the simulated events. */
struct gpu_cut {
    /*
     * Called at each end of a block, in the order of (cycle, SM), before the block's place is
     * refilled. Returns how many blocks of the grid are to run; UINT64_MAX: all. The least
     * effective number is the blocks placed + 1. A returned number cannot be taken back. Sets
     * *count if `window_counted` is to be called at the end of this window.
     */
    uint64_t (*block_ended)(void *context, const struct gpu_progress *progress, bool *count);
    /* Gets the statistics up to the end of a window, as gpu_stats fills them. */
    void (*window_counted)(void *context, const struct simsm_stats *stats);
    void *context;
};

/* Creates a GPU with the first blocks placed. Returns NULL if memory runs out. */
struct gpu *gpu_create(const struct gpu_setup *setup);
void gpu_destroy(struct gpu *gpu);

/* The lines that L2 holds: as mem_take_lines, mem_give_lines and mem_hold. */
struct mem_lines *gpu_take_lines(struct gpu *gpu);
void gpu_give_lines(struct gpu *gpu, struct mem_lines *lines);
void gpu_hold(struct gpu *gpu, uint64_t address, uint64_t bytes);

/* Sets the cut of the launch before gpu_run; *cut must outlive the GPU. A launch that has been cut
 * short ends as others do but is not complete. */
void gpu_cut_by(struct gpu *gpu, const struct gpu_cut *cut);

/* As simsm_advance. */
enum simsm_status gpu_run(struct gpu *gpu, uint64_t until, uint64_t bound,
                          struct simsm_error *error);

/*
 * Fills *stats, except line_info, which is the caller's. The line counts still belong to the GPU.
 */
void gpu_stats(struct gpu *gpu, struct simsm_stats *stats);

#endif
