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
    bool less_than_a_wave = gpu->first->blocks < (uint64_t)gpu->sms * gpu->setup.occupancy->blocks;
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
static void count_pipes(const struct gpu *gpu, const struct gpu_grid *grid,
                        uint64_t counter[SIMSM_COUNTER_COUNT])
{
    const struct front *front = grid->seen.front;
    for (uint32_t i = 0; i < front->code_size; i++) {
        uint32_t pipes = counted_pipes(&front->code[i], gpu->setup.config);
        for (uint32_t p = 0; p < COUNTED_BY_ALL; p++)
            counter[SIMSM_COUNTER_PIPE_ALU + p] += pipes >> p & 1u ? grid->lines[i].issues : 0;
    }
}

/* What is the same for a grid whether it is alone or not. */
static struct simsm_stats grid_stats(const struct gpu *gpu, const struct gpu_grid *grid)
{
    return (struct simsm_stats){
        .launch = grid->seen.front->launch,
        .occupancy = *grid->occupancy,
        .sms = gpu->sms,
        .launch_cycles = gpu->setup.config->gpu_launch_cycles,
        .blocks_total = simsm_grid_blocks(&grid->seen.front->launch),
        .blocks_done = grid->done,
        .block_cycles_sum = grid->block_cycles_sum,
        .block_cycles_min = grid->done ? grid->block_cycles_min : 0,
        .block_cycles_max = grid->block_cycles_max,
        .last_wave_cycle = grid->latest_start,
        .last_end_cycle = grid->latest_retired,
        .line_count = grid->seen.front->code_size,
        .lines = grid->lines,
    };
}

void gpu_stats(struct gpu *gpu, struct simsm_stats *stats)
{
    const struct simsm_line_info *line_info = stats->line_info;
    *stats = grid_stats(gpu, gpu->first);
    stats->line_info = line_info;
    stats->cycles = gpu->cycles;
    stats->gap = sum_gaps(gpu);
    stats->complete = gpu->over && gpu->first->blocks == stats->blocks_total;
    memcpy(stats->counter, gpu->tally.counter, sizeof stats->counter);
    memcpy(stats->states, gpu->tally.states, sizeof stats->states);
    memcpy(stats->lanes, gpu->tally.lanes, sizeof stats->lanes);
    stats->block_inst_max = gpu->tally.block_inst_max;
    stats->longest_warps = gpu->tally.longest_warps;
    stats->blocks_inst = gpu->tally.blocks_inst;
    stats->counter[SIMSM_COUNTER_WARPS_ACTIVE] = stats->gap.alive;
    count_pipes(gpu, gpu->first, stats->counter);
    for (uint32_t i = 0; i < gpu->sms; i++)
        stats->visited_cycles += gpu->sm[i].sm ? sm_visited(gpu->sm[i].sm) : 0;
}

/* Sums what is counted for each instruction of the grid. */
static void sum_lines(const struct gpu_grid *grid, struct simsm_stats *stats)
{
    uint64_t *counter = stats->counter;
    for (uint32_t i = 0; i < grid->seen.front->code_size; i++) {
        const struct simsm_line_stats *line = &grid->lines[i];
        counter[SIMSM_COUNTER_INST_EXECUTED] += line->issues;
        counter[SIMSM_COUNTER_THREAD_INST_EXECUTED] += line->threads;
        for (int s = 0; s < SIMSM_STATE_COUNT; s++)
            stats->states[s] += line->states[s];
    }
    counter[SIMSM_COUNTER_ISSUE_ACTIVE] = counter[SIMSM_COUNTER_INST_EXECUTED];
    counter[SIMSM_COUNTER_SM_CYCLES_ACTIVE] = grid->active;
    counter[SIMSM_COUNTER_BLOCKS_LAUNCHED] = grid->placed;
    counter[SIMSM_COUNTER_WARPS_LAUNCHED] = grid->placed * grid->seen.warps_per_block;
    for (int s = 0; s < SIMSM_STATE_COUNT; s++)
        if (s != SIMSM_STATE_EMPTY && s != SIMSM_STATE_EXITED)
            counter[SIMSM_COUNTER_WARPS_ACTIVE] += stats->states[s];
}

bool gpu_grid_stats(struct gpu *gpu, const struct gpu_grid *grid, struct simsm_stats *stats)
{
    const struct simsm_line_info *line_info = stats->line_info;
    const struct gpu_grid_times times = gpu_times(gpu, grid);
    if (grids_alone(gpu))
        return false;
    parts_sum(gpu);
    *stats = grid_stats(gpu, grid);
    stats->line_info = line_info;
    stats->cycles = times.ended - times.came;
    stats->last_wave_cycle -= times.came;
    stats->last_end_cycle -= times.came;
    stats->complete = true;
    sum_lines(grid, stats);
    count_pipes(gpu, grid, stats->counter);
    return true;
}
