/* The times of the memory system's stages, in cycles, derived once from a configuration. */
#ifndef SIM_MEM_TIMING_H
#define SIM_MEM_TIMING_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/config.h"

struct mem_timing {
    bool flat; /* grade ideal or fixed: no stage has a rate */
    bool fast; /* grade fast: fast.c replaces everything behind the stage */
    uint32_t flat_latency, flat_shared; /* latency of all other spaces; of shared memory */
    uint32_t shared_latency, shared_atomic_latency; /* from the stage */
    uint32_t shared_atomic_interval, banks;
    uint32_t shared_cas_latency,
        shared_cas_passes; /* latency from the stage; passes for each pass of another atomic */
    uint32_t remote_latency, remote_bytes, receive_bytes; /* section cluster */
    uint32_t stage_interval, pass_interval, tags_per_cycle;
    uint32_t return_bytes, shared_return_bytes; /* 0: no limit */
    uint32_t l1_latency;                        /* from the stage */
    uint32_t xbar_latency; /* one way; at most half of the time of an L2 hit from the stage */
    uint32_t l2_service;   /* from a read's arrival at its slice until its reply leaves */
    uint32_t dram_extra;   /* cycles that a miss of L2 adds */
    uint32_t line_shift;   /* of L1 lines */
    uint32_t l1_sectors, l2_sectors;   /* sectors of a line */
    uint32_t l2_sector_shift;          /* log2 of l2_sectors */
    bool l2_parted;                    /* L2 has two partitions */
    uint32_t fence_near, fence_far;    /* cycles that fences take longer (mem_sm_fence) */
    uint32_t stores_in_flight;         /* most sectors in flight of one SM */
    uint32_t store_cycles;             /* cycles that L1 takes with a store */
    uint32_t waiting_limit;            /* most waiting lines of one SM's reductions */
    uint32_t atomic_bytes, mask_bytes; /* bytes on the way to L2 besides sectors */
    bool cache_global, store_allocate;
    bool dense, no_conflicts, no_contention; /* section what_if: coalesced, no_bank_conflicts */
};

/* Returns how many times as large L1 is as the hardware's (what_if.large_l1). */
static inline uint32_t timing_l1_times(const struct simsm_config *config)
{
    enum { LARGE = 16 };
    return config->what_if_large_l1 ? LARGE : 1;
}

void timing_init(struct mem_timing *timing, const struct simsm_config *config);

/* Returns which of two partitions owns an L2 line of `sectors` sectors (l2.h). */
static inline uint32_t timing_l2_owner(uint64_t line, uint32_t sectors)
{
    const uint64_t bits = 0x1D6AB; /* bits of the address, from bit 12 on */
    return (uint32_t)__builtin_parityll(line * sectors >> 7 & bits);
}

/* Returns the exponent of the largest power of two that is at most `n`; 0 if `n` is 0. */
static inline uint32_t timing_shift(uint32_t n)
{
    return n == 0 ? 0 : 31u - (uint32_t)__builtin_clz(n);
}

#endif
