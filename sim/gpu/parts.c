/*
 * Parts of one run, one for each thread. A part has the same SMs from beginning to end: pairs of
 * neighbours where there are enough SMs, because the first SM of each pair is the first to get
 * blocks. Each part has a tally of its own. Tallies are sums, and all that SMs exchange is ordered
 * by cycle between windows, so nothing depends on the number of parts or threads.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/gpu_state.h"

uint32_t parts_of_sm(const struct gpu *gpu, uint32_t sm)
{
    return sm / gpu->neighbours % gpu->threads;
}

/* Creates a crew for `parts` threads, but with no more threads than processors: further threads
 * would only wait. */
static struct crew *crew_for(uint32_t parts)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    bool fewer = processors > 0 && (uint64_t)processors < parts;
    return crew_create(parts, fewer ? (uint32_t)processors : parts);
}

bool parts_create(struct gpu *gpu)
{
    uint32_t threads = gpu->setup.threads ? gpu->setup.threads : 1;
    gpu->threads = threads < gpu->sms ? threads : gpu->sms;
    gpu->neighbours = gpu->sms >= 2 * gpu->threads ? 2 : 1;
    gpu->part = arena_take(&gpu->arena, gpu->threads, sizeof *gpu->part);
    if (!gpu->part)
        return false;
    gpu->crew = gpu->threads > 1 ? crew_for(gpu->threads) : NULL;
    return gpu->threads == 1 || gpu->crew;
}

void parts_free(struct gpu *gpu)
{
    crew_destroy(gpu->crew);
}

static void move(uint64_t *to, uint64_t *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i] += from[i];
        from[i] = 0;
    }
}

static void move_lines(struct simsm_line_stats *to, struct simsm_line_stats *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i].issues += from[i].issues;
        to[i].threads += from[i].threads;
        to[i].threads_off += from[i].threads_off;
        to[i].sectors += from[i].sectors;
        to[i].sectors_least += from[i].sectors_least;
        to[i].sector_hits += from[i].sector_hits;
        for (unsigned s = 0; s < SIMSM_STATE_COUNT; s++)
            to[i].states[s] += from[i].states[s];
        from[i] = (struct simsm_line_stats){0};
    }
}

void parts_sum_counters(struct gpu *gpu)
{
    for (uint32_t t = 0; t < gpu->threads; t++)
        move(gpu->tally.counter, gpu->part[t].tally.counter, SIMSM_COUNTER_COUNT);
}

void parts_sum(struct gpu *gpu)
{
    struct tally *sum = &gpu->tally;
    parts_sum_counters(gpu);
    for (uint32_t t = 0; t < gpu->threads; t++) {
        struct tally *tally = &gpu->part[t].tally;
        move(sum->states, tally->states, SIMSM_STATE_COUNT);
        move(sum->lanes, tally->lanes, SIMSM_WARP_LANES + 1);
        move(&sum->longest_warps, &tally->longest_warps, 1);
        move(&sum->blocks_inst, &tally->blocks_inst, 1);
        if (sum->block_inst_max < tally->block_inst_max)
            sum->block_inst_max = tally->block_inst_max;
    }
    for (struct gpu_grid *grid = gpu->grids; grid && gpu->threads > 1; grid = grid->next)
        for (uint32_t t = 0; t < gpu->threads; t++)
            move_lines(grid->lines, grid->seen.lines[t], grid->seen.front->code_size);
}
