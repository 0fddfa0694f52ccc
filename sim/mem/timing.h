/*
 * The cycles of the memory system, worked out once from a configuration: latencies there count
 * from the issue of a load to the issue of its first user; here they are split among the stages.
 */
#ifndef SIM_MEM_TIMING_H
#define SIM_MEM_TIMING_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/config.h"

struct mem_timing {
    bool flat;                                      /* ideal or fixed: no stage has a rate */
    bool fast;                                      /* fast.h instead of all behind the stage */
    uint32_t flat_latency, flat_shared;             /* all other spaces, shared memory */
    uint32_t shared_latency, shared_atomic_latency; /* from the stage */
    uint32_t shared_atomic_interval, banks;
    uint32_t shared_cas_latency, shared_cas_passes; /* from the stage; for each of another atomic */
    uint32_t stage_interval, pass_interval, tags_per_cycle;
    uint32_t return_bytes, shared_return_bytes; /* 0: no bound */
    uint32_t l1_latency;                        /* from the stage */
    uint32_t xbar_latency; /* one way; at most half of what an L2 hit takes from the stage */
    uint32_t l2_service;   /* from a slice's taking a read until its reply leaves */
    uint32_t dram_extra;   /* added to that by a miss */
    uint32_t line_shift;   /* of L1 */
    uint32_t l1_sectors, l2_sectors;   /* of a line */
    uint32_t l2_sector_shift;          /* l2_sectors = 1 << this */
    uint32_t stores_in_flight;         /* sectors of an SM */
    uint32_t store_cycles;             /* that L1 takes with a store */
    uint32_t waiting_limit;            /* lines of an SM's reductions */
    uint32_t atomic_bytes, mask_bytes; /* beside sectors, on the way to L2 */
    bool cache_global, store_allocate;
};

void timing_init(struct mem_timing *timing, const struct simsm_config *config);

/* Shift of the largest power of two that is not above `n`. */
static inline uint32_t timing_shift(uint32_t n)
{
    return n == 0 ? 0 : 31u - (uint32_t)__builtin_clz(n);
}

#endif
