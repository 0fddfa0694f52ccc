/*
 * MODEL: how a latency of the configuration, which counts from the issue of a load to the issue of
 * its first user, is split among the stages: the queue before the load/store stage, the crossbar
 * both ways, L2, DRAM. The sum is exact for one lane with nothing else going on.
 * SOURCE: own choice; the latencies themselves are measured (docs/calibration.md).
 * LEFT OUT: nothing known.
 */
#include "mem/timing.h"

#include "mem/coalesce.h"
#include "mem/mem.h"

/* Returns `latency` less `spent`; at least 1. */
static uint32_t remaining(uint32_t latency, uint32_t spent)
{
    return latency > spent ? latency - spent : 1;
}

void timing_init(struct mem_timing *timing, const struct simsm_config *config)
{
    uint32_t front = mem_front_cycles(config);
    uint32_t l1_shift = timing_shift(config->l1_line_bytes);
    uint32_t l2_shift = timing_shift(config->l2_line_bytes);
    bool ideal = config->memory_model == SIMSM_IDEAL_memory_model;
    uint32_t l2 = remaining(config->l2_latency, front);
    uint32_t xbar = config->xbar_latency;
    if (xbar > l2 / 2)
        xbar = l2 / 2;
    if (xbar == 0)
        xbar = 1;
    *timing = (struct mem_timing){
        .flat = config->memory_model < SIMSM_FULL_memory_model,
        .fast = config->memory_model == SIMSM_FAST_memory_model,
        .flat_latency = ideal ? config->memory_ideal_latency : config->memory_fixed_latency,
        .flat_shared = ideal ? config->memory_ideal_latency : config->shared_latency,
        .shared_latency = remaining(config->shared_latency, front),
        .shared_atomic_latency = remaining(config->shared_atomic_latency, front),
        .shared_atomic_interval = config->shared_atomic_interval,
        .banks = config->shared_banks,
        .shared_cas_latency =
            remaining(config->shared_cas_latency != 0 ? config->shared_cas_latency
                                                      : config->shared_atomic_latency,
                      front),
        .shared_cas_passes = config->shared_cas_passes,
        .remote_latency = config->cluster_access_latency,
        .remote_bytes = config->cluster_bytes,
        .receive_bytes = config->cluster_receive_bytes,
        .stage_interval = config->mio_stage_interval,
        .pass_interval = config->mio_pass_interval,
        .tags_per_cycle = config->l1_tags_per_cycle,
        .return_bytes = config->mio_return_bytes,
        .shared_return_bytes = config->shared_return_bytes,
        .l1_latency = remaining(config->l1_latency, front),
        .xbar_latency = xbar,
        .l2_service = l2 > 2 * xbar ? l2 - 2 * xbar : 0,
        .dram_extra = !config->what_if_free_dram && config->dram_latency > config->l2_latency
                          ? config->dram_latency - config->l2_latency
                          : 0,
        .line_shift = l1_shift,
        .l1_sectors = 1u << (l1_shift - SECTOR_SHIFT),
        .l2_sectors = 1u << (l2_shift - SECTOR_SHIFT),
        .l2_sector_shift = l2_shift - SECTOR_SHIFT,
        .l2_parted = config->l2_partitions > 1,
        .fence_near = config->barrier_fence_near,
        .fence_far = config->barrier_fence_far,
        .stores_in_flight = config->xbar_stores_in_flight,
        .store_cycles = config->l1_store_cycles,
        .waiting_limit = config->l2_atomic_queue != 0 ? config->l2_atomic_queue : UINT32_MAX,
        .atomic_bytes = config->xbar_atomic_bytes,
        .mask_bytes = config->xbar_mask_bytes,
        .cache_global = config->l1_global_loads,
        .store_allocate = config->l1_store_allocate,
        .dense = config->what_if_coalesced,
        .no_conflicts = config->what_if_no_bank_conflicts,
        .no_contention = config->what_if_no_contention,
    };
}
