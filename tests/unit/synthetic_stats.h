/*
 * Statistics made by hand, for tests of what is derived from them: round numbers, so that each
 * expected value can be checked in one's head.
 */
#ifndef TESTS_UNIT_SYNTHETIC_STATS_H
#define TESTS_UNIT_SYNTHETIC_STATS_H

#include <string.h>

#include "config/schema.h"
#include "report/run_info.h"
#include "simsm/stats.h"

struct synthetic {
    struct simsm_config config;
    struct simsm_stats stats;
    struct simsm_line_info info[2];
    struct simsm_line_stats lines[2];
    struct run_info run;
};

static void synthetic_config(struct simsm_config *config)
{
    schema_defaults(config);
    (void)strcpy(config->gpu_name, "Made-up GPU");
    config->gpu_compute_capability = 75;
    config->gpu_sms = 2;
    config->gpu_clock_mhz = 1000; /* a cycle is a nanosecond */
    config->sm_sub_partitions = 4;
    config->sm_l1_shared_bytes = 98304;
    config->l2_slices = 4;
    config->l2_slice_bytes = 32; /* 128 bytes a cycle */
    config->xbar_reply_bytes = 64;
    config->dram_bandwidth_gbs = 100; /* bytes a cycle */
    config->dram_efficiency = 0.8;
    config->ops[SIMSM_OP_FP32] = (struct simsm_op_timing){SIMSM_PIPE_FMA, 4, 2};
    config->ops[SIMSM_OP_LD_GLOBAL] = (struct simsm_op_timing){SIMSM_PIPE_LSU, 0, 1};
}

static void synthetic_counters(uint64_t counter[SIMSM_COUNTER_COUNT])
{
    counter[SIMSM_COUNTER_INST_EXECUTED] = 20000;
    counter[SIMSM_COUNTER_THREAD_INST_EXECUTED] = 560000; /* 28 lanes */
    counter[SIMSM_COUNTER_THREAD_INST_PRED_ON] = 500000;
    counter[SIMSM_COUNTER_BODY_INST_EXECUTED] = 10000;
    counter[SIMSM_COUNTER_BODY_THREAD_INST_EXECUTED] = 160000; /* half of the lanes */
    counter[SIMSM_COUNTER_BRANCHES] = 200;
    counter[SIMSM_COUNTER_BRANCHES_DIVERGENT] = 50;
    counter[SIMSM_COUNTER_ISSUE_ACTIVE] = 20000;
    counter[SIMSM_COUNTER_SMSP_CYCLES_ACTIVE] = 64000;
    counter[SIMSM_COUNTER_SM_CYCLES_ACTIVE] = 18000;
    counter[SIMSM_COUNTER_WARPS_ACTIVE] = 200000;
    counter[SIMSM_COUNTER_WARPS_ELIGIBLE] = 32000;
    counter[SIMSM_COUNTER_GLOBAL_LD_REQUESTS] = 1000;
    counter[SIMSM_COUNTER_GLOBAL_LD_SECTORS] = 16000;
    counter[SIMSM_COUNTER_GLOBAL_LD_SECTOR_HITS] = 4000;
    counter[SIMSM_COUNTER_LDGSTS_SECTORS] = 8000;
    counter[SIMSM_COUNTER_GLOBAL_LD_BYTES] = 128000; /* 4 sectors a request would do */
    counter[SIMSM_COUNTER_SHARED_LD_REQUESTS] = 500;
    counter[SIMSM_COUNTER_SHARED_LD_WAVEFRONTS] = 1000;
    counter[SIMSM_COUNTER_SHARED_LD_CONFLICTS] = 100;
    counter[SIMSM_COUNTER_L2_READ_SECTORS] = 12000;
    counter[SIMSM_COUNTER_L2_READ_HITS] = 9000;
    counter[SIMSM_COUNTER_DRAM_READ_BYTES] = 96000;
    counter[SIMSM_COUNTER_DRAM_WRITE_BYTES] = 14000;
    counter[SIMSM_COUNTER_DRAM_ACCESSES] = 3000;
    counter[SIMSM_COUNTER_MEM_REQUESTS_STARTED] = 1500;
}

static void synthetic_states(uint64_t states[SIMSM_STATE_COUNT])
{
    states[SIMSM_STATE_EMPTY] = 400000;
    states[SIMSM_STATE_EXITED] = 8000;
    states[SIMSM_STATE_ISSUED] = 20000; /* 10 % of 200,000 */
    states[SIMSM_STATE_NOT_SELECTED] = 12000;
    states[SIMSM_STATE_LONG_SCOREBOARD] = 50000;
    states[SIMSM_STATE_WAIT] = 60000;
    states[SIMSM_STATE_SHORT_SCOREBOARD] = 40000;
    states[SIMSM_STATE_BARRIER] = 18000;
}

/* Must not be copied: it points into itself. */
static void synthetic_fill(struct synthetic *s)
{
    memset(s, 0, sizeof *s);
    synthetic_config(&s->config);
    s->stats = (struct simsm_stats){
        .launch = {.name = "kernel",
                   .grid = {5, 2, 1},
                   .block = {100, 1, 1}, /* 4 warps, the last with 4 lanes */
                   .registers = 64,
                   .shared_static = 2048,
                   .carveout = SIMSM_CARVEOUT_DEFAULT},
        .occupancy = {.blocks = 4,
                      .warps = 16,
                      .warps_per_block = 4,
                      .max_warps = 32,
                      .limit = {[SIMSM_LIMIT_WARPS] = 8,
                                [SIMSM_LIMIT_REGISTERS] = 4,
                                [SIMSM_LIMIT_SHARED] = SIMSM_NO_LIMIT,
                                [SIMSM_LIMIT_BLOCKS] = 16},
                      .limiters = 1u << SIMSM_LIMIT_REGISTERS,
                      .registers_per_warp = 2048,
                      .shared_per_block = 2048,
                      .carveout = 32768},
        .sms = 2,
        .cycles = 11000,
        .launch_cycles = 1000,
        .blocks_total = 10,
        .blocks_done = 10,
        .last_end_cycle = 10500,
        .block_cycles_sum = 40000,
        .block_cycles_min = 3000,
        .block_cycles_max = 6000,
        .lanes = {[16] = 10000, [32] = 10000},
        .gap = {.capacity = 288000,
                .alive = 200000,
                .within_blocks = 8000,
                .refill = 20000,
                .partial_wave = 40000,
                .across_blocks = 20000,
                .idle = 32000},
        .line_count = 2,
        .line_info = s->info,
        .lines = s->lines,
        .complete = true,
    };
    synthetic_counters(s->stats.counter);
    synthetic_states(s->stats.states);
    s->info[0] = (struct simsm_line_info){"FFMA R0, R1, R2, R3", 7, 0, SIMSM_OP_FP32, NULL};
    s->info[1] = (struct simsm_line_info){"LDG R1, [R4]", 9, 16, SIMSM_OP_LD_GLOBAL, NULL};
    s->lines[0] = (struct simsm_line_stats){.issues = 19000, .threads = 532000};
    s->lines[0].states[SIMSM_STATE_ISSUED] = 19000;
    s->lines[0].states[SIMSM_STATE_WAIT] = 31000; /* a quarter of all warp cycles */
    s->lines[1] = (struct simsm_line_stats){.issues = 1000, .threads = 28000, .sectors = 16000};
    s->lines[1].states[SIMSM_STATE_ISSUED] = 1000;
    s->lines[1].states[SIMSM_STATE_LONG_SCOREBOARD] = 99000; /* half of them */
    s->run = (struct run_info){.config_name = "configs/made-up.yaml",
                               .trace = "traces/made-up.trace",
                               .config = &s->config};
}

#endif
