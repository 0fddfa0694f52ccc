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

/* Returns NULL if memory runs out. */
struct gpu *gpu_create(const struct gpu_setup *setup);
void gpu_destroy(struct gpu *gpu);

/* What L2 holds: as mem_take_lines, mem_give_lines and mem_hold have it. */
struct mem_lines *gpu_take_lines(struct gpu *gpu);
void gpu_give_lines(struct gpu *gpu, struct mem_lines *lines);
void gpu_hold(struct gpu *gpu, uint64_t address, uint64_t bytes);

/* As simsm_advance. */
enum simsm_status gpu_run(struct gpu *gpu, uint64_t until, uint64_t bound,
                          struct simsm_error *error);

/* Fills *stats but for line_info, which is the caller's; the line counts stay the GPU's. */
void gpu_stats(struct gpu *gpu, struct simsm_stats *stats);

#endif
