/* What a run has counted. Everything is a sum, so that parts of a run can be added. */
#ifndef SIMSM_STATS_H
#define SIMSM_STATS_H

#include "simsm/config.h"
#include "simsm/kernel.h"
#include "simsm/occupancy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One static instruction of the kernel. */
struct simsm_line_stats {
    uint64_t issues;                    /* warp instructions */
    uint64_t threads;                   /* active lanes, summed */
    uint64_t sectors;                   /* 32-byte sectors asked of L1, or shared wavefronts */
    uint64_t states[SIMSM_STATE_COUNT]; /* warp cycles with this instruction at the head */
};

/* What a report or a viewer shows of one static instruction. */
struct simsm_line_info {
    const char *text; /* as disassembled or as written */
    uint32_t line;    /* in the source file, from 1; 0 if unknown */
    uint32_t pc;      /* byte offset in the kernel */
    enum simsm_op_class op;
};

/*
 * Empty warp places by cause: the gap between theoretical and achieved occupancy. All are warp
 * places x cycles, summed over the SMs while they are active; docs/metrics.md has the derivation.
 */
struct simsm_gap {
    uint64_t capacity;      /* places that theory fills: theoretical warps x active SM cycles */
    uint64_t alive;         /* of these, held by warps that have not exited */
    uint64_t within_blocks; /* held by exited warps whose block still runs */
    uint64_t refill;        /* empty although blocks were waiting: launch latency and rate */
    uint64_t few_blocks;    /* never filled, because the grid has less than one full wave */
    uint64_t partial_wave;  /* empty in the last wave, because it has too few blocks */
    uint64_t across_blocks; /* empty at the end, because blocks do not end together */
    uint64_t idle;          /* beside the gap: SMs without any block after the last one started */
};

/*
 * What one launch has counted, over all SMs; times in cycles of the SM's clock since the launch.
 * line_info and lines belong to the simulation and live as long as it does.
 */
struct simsm_stats {
    struct simsm_launch launch;
    struct simsm_occupancy occupancy;
    uint32_t sms;           /* SMs simulated */
    uint64_t cycles;        /* from launch to end, which is some cycles after the last block */
    uint64_t launch_cycles; /* of these, before the first block */
    uint64_t blocks_total, blocks_done;
    uint64_t block_cycles_sum, block_cycles_min, block_cycles_max; /* over blocks done */
    uint64_t last_wave_cycle;                                      /* when the last block started */
    uint64_t visited_cycles; /* SM cycles that were simulated one by one */
    uint64_t counter[SIMSM_COUNTER_COUNT];
    uint64_t states[SIMSM_STATE_COUNT];   /* slot cycles, all SMs, from launch to end */
    uint64_t lanes[SIMSM_WARP_LANES + 1]; /* instructions issued with n active lanes */
    struct simsm_gap gap;
    uint32_t line_count;
    const struct simsm_line_info *line_info; /* [line_count] */
    const struct simsm_line_stats *lines;    /* [line_count] */
    bool complete;                           /* false: stopped before the end */
};

/* A figure derived from the counters; the table is sim/report's. */
struct simsm_metric {
    const char *name, *unit, *meaning;
    double value; /* NaN where it is not defined */
};

#ifdef __cplusplus
}
#endif

#endif
