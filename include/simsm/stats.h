/* Statistics of a run. Every value is a sum, so that the statistics of parts can be added. */
#ifndef SIMSM_STATS_H
#define SIMSM_STATS_H

#include "simsm/config.h"
#include "simsm/kernel.h"
#include "simsm/occupancy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Counts of one static instruction. */
struct simsm_line_stats {
    uint64_t issues;        /* warp instructions */
    uint64_t threads;       /* sum of the active lanes of all issues */
    uint64_t threads_off;   /* of these, lanes whose guard predicate was false */
    uint64_t sectors;       /* sectors requested from L1, or passes through shared memory */
    uint64_t sectors_least; /* sectors that the bytes need, or passes without bank conflicts */
    uint64_t sector_hits;   /* of loads, sectors that were in L1 or on their way to it */
    uint64_t states[SIMSM_STATE_COUNT]; /* warp cycles with this instruction at the head */
};

/* Text and place of one static instruction. */
struct simsm_line_info {
    const char *text; /* as disassembled or as written */
    uint32_t line;    /* in the source file, from 1; 0 if unknown */
    uint32_t pc;      /* byte offset in the kernel */
    enum simsm_op_class op;
    const char *file; /* source file; NULL if unknown, or if it is the trace itself */
};

/*
 * The gap between theoretical and achieved occupancy, by cause. Unit: warp places x cycles, summed
 * over the SMs while they have a resident block. docs/metrics.md has the derivation.
 */
struct simsm_gap {
    uint64_t capacity;      /* theoretical warps x active SM cycles: the sum of the next six */
    uint64_t alive;         /* places held by warps that have not exited */
    uint64_t within_blocks; /* places held by exited warps whose block still runs */
    uint64_t refill;        /* empty places while blocks wait: latency and rate of block dispatch */
    uint64_t few_blocks;    /* places never filled: the grid has less than one full wave */
    uint64_t partial_wave;  /* places empty in the last wave, which has too few blocks */
    uint64_t across_blocks; /* places empty at the end: blocks do not end at the same time */
    uint64_t idle; /* not part of the gap: SMs without a block after the last block has started */
};

/*
 * Statistics of one launch, summed over all SMs. Times are cycles of the SM's clock since the
 * launch. The simulation owns line_info and lines and keeps them until simsm_close.
 */
struct simsm_stats {
    struct simsm_launch launch;
    struct simsm_occupancy occupancy;
    uint32_t sms;           /* SMs simulated */
    uint64_t cycles;        /* from launch to end, which is some cycles after the last block */
    uint64_t launch_cycles; /* of these, before the first block */
    uint64_t blocks_total, blocks_done;
    uint64_t block_cycles_sum, block_cycles_min,
        block_cycles_max;     /* durations of the blocks done */
    uint64_t last_wave_cycle; /* when the last block started */
    uint64_t last_end_cycle;  /* when the last block that is done ended */
    uint64_t block_inst_max;  /* warp instructions of the block done that has most */
    uint64_t longest_warps;   /* sum over the blocks done: warps x instructions of the longest */
    uint64_t blocks_inst;     /* warp instructions of the blocks done */
    uint64_t visited_cycles;  /* SM cycles that were simulated one by one */
    uint64_t counter[SIMSM_COUNTER_COUNT];
    uint64_t states[SIMSM_STATE_COUNT];   /* slot cycles, all SMs, from launch to end */
    uint64_t lanes[SIMSM_WARP_LANES + 1]; /* instructions issued with n active lanes */
    struct simsm_gap gap;
    uint32_t line_count;
    const struct simsm_line_info *line_info; /* [line_count] */
    const struct simsm_line_stats *lines;    /* [line_count] */
    bool complete;                           /* false: stopped before the end */
};

/* A figure derived from the counters (sim/report/metrics.def). */
struct simsm_metric {
    const char *name, *unit, *meaning;
    double value; /* NaN where it is not defined */
};

#ifdef __cplusplus
}
#endif

#endif
