/* The statistics of a run: sums over all SMs. */
#include <string.h>

#include "gpu/gpu_state.h"
#include "model/model_counted.h"

static uint64_t alive_cycles(const struct tally *tally)
{
    uint64_t sum = 0;
    for (int i = 0; i < SIMSM_STATE_COUNT; i++) {
        if (i != SIMSM_STATE_EMPTY && i != SIMSM_STATE_EXITED)
            sum += tally->states[i];
    }
    return sum;
}

static struct simsm_gap sum_gaps(const struct gpu *gpu)
{
    struct simsm_gap sum = {0};
    bool less_than_a_wave = gpu->blocks_total < (uint64_t)gpu->sms * gpu->setup.occupancy->blocks;
    for (uint32_t i = 0; i < gpu->sms; i++) {
        const struct gap *gap = &gpu->sm[i].gap;
        sum.capacity += gap->active * gap->places;
        sum.across_blocks += gap->ended_early;
        sum.idle += gap->idle * gap->places;
        if (less_than_a_wave)
            sum.few_blocks += gap->short_of_blocks;
        else
            sum.partial_wave += gap->short_of_blocks;
    }
    sum.alive = alive_cycles(&gpu->tally);
    sum.within_blocks = gpu->tally.states[SIMSM_STATE_EXITED];
    /* The rest are places that wait for a block or, within a block, for the start of their warp. */
    sum.refill = sum.capacity - sum.alive - sum.within_blocks - sum.few_blocks - sum.partial_wave -
                 sum.across_blocks;
    return sum;
}

/* Adds the instructions of each line to the counters of the pipes that count them. */
static void count_pipes(const struct gpu *gpu, uint64_t counter[SIMSM_COUNTER_COUNT])
{
    const struct front *front = gpu->setup.front;
    for (uint32_t i = 0; i < front->code_size; i++) {
        uint32_t pipes = counted_pipes(&front->code[i], gpu->setup.config);
        for (uint32_t p = 0; p < COUNTED_BY_ALL; p++)
            counter[SIMSM_COUNTER_PIPE_ALU + p] += pipes >> p & 1u ? gpu->tally.lines[i].issues : 0;
    }
}

void gpu_stats(struct gpu *gpu, struct simsm_stats *stats)
{
    const struct simsm_line_info *line_info = stats->line_info;
    const uint64_t grid = simsm_grid_blocks(&gpu->setup.front->launch);
    *stats = (struct simsm_stats){
        .launch = gpu->setup.front->launch,
        .occupancy = *gpu->setup.occupancy,
        .sms = gpu->sms,
        .cycles = gpu->cycles,
        .launch_cycles = gpu->setup.config->gpu_launch_cycles,
        .blocks_total = grid,
        .blocks_done = gpu->blocks_done,
        .block_cycles_sum = gpu->block_cycles_sum,
        .block_cycles_min = gpu->blocks_done ? gpu->block_cycles_min : 0,
        .block_cycles_max = gpu->block_cycles_max,
        .last_wave_cycle = gpu->latest_start,
        .visited_cycles = 0,
        .gap = sum_gaps(gpu),
        .line_count = gpu->setup.front->code_size,
        .line_info = line_info,
        .lines = gpu->tally.lines,
        .complete = gpu->over && gpu->blocks_total == grid,
    };
    memcpy(stats->counter, gpu->tally.counter, sizeof stats->counter);
    memcpy(stats->states, gpu->tally.states, sizeof stats->states);
    memcpy(stats->lanes, gpu->tally.lanes, sizeof stats->lanes);
    stats->counter[SIMSM_COUNTER_WARPS_ACTIVE] = stats->gap.alive;
    count_pipes(gpu, stats->counter);
    for (uint32_t i = 0; i < gpu->sms; i++)
        stats->visited_cycles += gpu->sm[i].sm ? sm_visited(gpu->sm[i].sm) : 0;
}
