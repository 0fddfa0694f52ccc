/* The interface of the simulated GPU: SMs, memory system, block dispatcher, clock. */
#ifndef SIM_GPU_GPU_H
#define SIM_GPU_GPU_H

#include "front/front.h"
#include "simsm/observer.h"
#include "simsm/policy.h"
#include "simsm/stats.h"

struct mem_written; /* model/mem_written.h */

struct gpu;
struct gpu_grid; /* a grid on the GPU */
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
    bool several;     /* further grids may come */
    /* Of the first grid, if `several`: */
    int priority;
    uint64_t launch_cycles; /* as in struct gpu_arrival */
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

/* Creates a GPU with the first blocks of the front's grid placed. Returns NULL if memory runs out.
 */
struct gpu *gpu_create(const struct gpu_setup *setup);
void gpu_destroy(struct gpu *gpu);

/* The lines that L2 holds: as mem_take_lines, mem_give_lines and mem_hold. */
struct mem_lines *gpu_take_lines(struct gpu *gpu);
void gpu_give_lines(struct gpu *gpu, struct mem_lines *lines);
void gpu_hold(struct gpu *gpu, const struct mem_written *written);

/* Sets the cut of the launch before gpu_run; *cut must outlive the GPU. A launch that has been cut
 * short ends as others do but is not complete. */
void gpu_cut_by(struct gpu *gpu, const struct gpu_cut *cut);

/* A grid that comes to the GPU. Everything pointed to must outlive it there. */
struct gpu_arrival {
    const struct front *front;
    const struct simsm_occupancy *occupancy;
    int priority; /* blocks of higher priority are placed first, then those of earlier grids */
    uint64_t launch_cycles; /* from its arrival to its first block */
};

/* Returns the grid for which the GPU was made. */
struct gpu_grid *gpu_first(const struct gpu *gpu);

/*
 * Returns whether a further grid may come to the GPU now, beside the grids that are there. A grid
 * that may not come has to wait until the GPU is idle, and needs a new GPU: policies and the size
 * of cursors stay as they were made for the first grid.
 */
bool gpu_takes(const struct gpu *gpu, const struct gpu_arrival *arrival);

/* Lets a grid come in cycle `cycle`, to which the GPU must have run; gpu_takes() must be true.
 * Returns NULL if memory runs out. */
struct gpu_grid *gpu_add(struct gpu *gpu, const struct gpu_arrival *arrival, uint64_t cycle);

/* What is known of a grid among others. */
struct gpu_grid_times {
    uint64_t came, first_start; /* the cycles of its arrival and of its first block */
    uint64_t last_end; /* cycle of the end of its last block; UINT64_MAX: it has not ended */
    uint64_t ended;    /* cycle of its end, likewise */
};
struct gpu_grid_times gpu_times(const struct gpu *gpu, const struct gpu_grid *grid);

/* Takes a grid that has ended off the GPU. Its front may then be closed, but not that of the first
 * grid. */
void gpu_remove(struct gpu *gpu, struct gpu_grid *grid);

/* Returns whether nothing can happen any more unless another grid comes. */
bool gpu_idle(const struct gpu *gpu);

/* Returns the cycle to which the GPU has run. */
uint64_t gpu_now(const struct gpu *gpu);

/*
 * Runs to cycle `until`, but not beyond the window in which a grid ends. Returns SIMSM_OK in both
 * cases. `alone`: nothing else will happen by cycle `until`, so that warps which wait for ever
 * fail.
 */
enum simsm_status gpu_step(struct gpu *gpu, uint64_t until, bool alone, struct simsm_error *error);

/* Lets gpu_step() return at the end of the window. */
void gpu_interrupt(struct gpu *gpu);

/* As simsm_advance. */
enum simsm_status gpu_run(struct gpu *gpu, uint64_t until, uint64_t bound,
                          struct simsm_error *error);

/*
 * Fills *stats, except line_info, which is the caller's. The line counts still belong to the GPU.
 */
void gpu_stats(struct gpu *gpu, struct simsm_stats *stats);

/* Fills *stats for one grid that has ended from what is counted for each of its instructions;
 * counters of the memory system belong to the GPU. Returns false if the grid was alone on the GPU:
 * gpu_stats() then knows all counters of the grid. */
bool gpu_grid_stats(struct gpu *gpu, const struct gpu_grid *grid, struct simsm_stats *stats);

#endif
