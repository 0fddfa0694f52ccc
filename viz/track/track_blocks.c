/* The blocks of a run: where and when each was resident. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "track/track_state.h"

enum { PLACES = 256 };

static bool add(struct run *run, uint32_t *room, const struct run_block *block)
{
    if (run->block_count == *room) {
        *room = *room ? 2 * *room : 1024;
        struct run_block *grown = realloc(run->blocks, *room * sizeof *grown);
        if (!grown)
            return false;
        run->blocks = grown;
    }
    run->blocks[run->block_count++] = *block;
    return true;
}

/* Gathers the blocks of one SM from the events of its chunks. */
static enum simsm_status gather(struct run *run, uint32_t sm, struct timeline_data *data,
                                uint32_t *room, struct simsm_error *error)
{
    uint32_t count;
    const struct timeline_chunk *chunks = timeline_read_chunks(run->reader, sm, &count);
    uint32_t open[PLACES] = {0}; /* index + 1 of the block in each place; 0: free */
    uint32_t waves[PLACES] = {0};
    for (uint32_t c = 0; c < count; c++) {
        enum simsm_status status = timeline_read_chunk(run->reader, &chunks[c], data, error);
        if (status != SIMSM_OK)
            return status;
        for (uint32_t i = 0; i < data->event_count; i++) {
            const struct timeline_sm_event *event = &data->events[i];
            if (event->kind == SIMSM_EVENT_BLOCK_START) {
                struct run_block block = {.start = event->cycle,
                                          .end = UINT64_MAX,
                                          .block = event->arg,
                                          .sm = sm,
                                          .place = event->sub,
                                          .wave = waves[event->sub]++};
                if (!add(run, room, &block))
                    return err_no_memory(error);
                open[event->sub] = run->block_count;
            } else if (event->kind == SIMSM_EVENT_BLOCK_END && open[event->sub]) {
                run->blocks[open[event->sub] - 1].end = event->cycle;
            }
        }
    }
    return SIMSM_OK;
}

static int by_place(const void *a, const void *b)
{
    const struct run_block *left = a;
    const struct run_block *right = b;
    if (left->sm != right->sm)
        return left->sm < right->sm ? -1 : 1;
    if (left->place != right->place)
        return left->place < right->place ? -1 : 1;
    return left->start < right->start ? -1 : left->start > right->start;
}

/* Takes the blocks of all SMs from the file's overview. */
static bool from_overview(struct run *run, const struct overview_view *overview)
{
    run->blocks = calloc((size_t)overview->block_count + 1, sizeof *run->blocks);
    if (!run->blocks)
        return false;
    for (uint32_t i = 0; i < overview->block_count; i++) {
        const struct overview_block *block = &overview->blocks[i];
        run->blocks[i] = (struct run_block){.start = block->start,
                                            .end = block->end,
                                            .block = block->block,
                                            .sm = block->sm,
                                            .place = block->place};
    }
    run->block_count = overview->block_count;
    qsort(run->blocks, run->block_count, sizeof *run->blocks, by_place);
    for (uint32_t i = 1; i < run->block_count; i++) {
        const struct run_block *before = &run->blocks[i - 1];
        if (before->sm == run->blocks[i].sm && before->place == run->blocks[i].place)
            run->blocks[i].wave = before->wave + 1;
    }
    run->blocks_known = run->blocks_of_all = true;
    return true;
}

static uint64_t earliest(const struct run *run)
{
    uint64_t first = run->block_count ? run->blocks[0].start : run_begin(run);
    for (uint32_t i = 1; i < run->block_count; i++)
        first = run->blocks[i].start < first ? run->blocks[i].start : first;
    return first;
}

uint64_t run_first_block(struct run *run)
{
    struct simsm_error error;
    uint32_t count;
    bool all;
    return run_blocks(run, &count, &all, &error) ? run->first_block : run_begin(run);
}

const struct run_block *run_blocks(struct run *run, uint32_t *count, bool *all_sms,
                                   struct simsm_error *error)
{
    const struct overview_view *overview = timeline_read_overview(run->reader);
    if (!run->blocks_known && overview && !overview->cut) {
        if (!from_overview(run, overview)) {
            err_no_memory(error);
            return NULL;
        }
        run->first_block = earliest(run);
    }
    if (!run->blocks_known) {
        struct timeline_data data = {0};
        uint32_t room = 0;
        enum simsm_status status = SIMSM_OK;
        run->block_count = 0;
        for (uint32_t i = 0; i < run->info->sm_count && status == SIMSM_OK; i++)
            status = gather(run, run->info->sm[i], &data, &room, error);
        timeline_data_free(&data);
        if (status == SIMSM_OK && !run->blocks)
            run->blocks = calloc(1, sizeof *run->blocks);
        if (status != SIMSM_OK || !run->blocks)
            return NULL;
        run->blocks_known = true;
        run->first_block = earliest(run);
    }
    *count = run->block_count;
    *all_sms = run->blocks_of_all || run->info->sm_count == run->info->sms;
    return run->blocks;
}

bool run_cluster_of(const struct run *run, uint32_t block, struct run_cluster *cluster)
{
    const uint32_t *size = run->info->launch.cluster;
    const uint32_t *grid = run->info->launch.grid;
    const uint64_t all = (uint64_t)size[0] * size[1] * size[2];
    if (!all || !grid[0] || !grid[1] || all > UINT32_MAX)
        return false;
    const uint32_t at[3] = {block % grid[0], block / grid[0] % grid[1], block / grid[0] / grid[1]};
    cluster->cluster = cluster->rank = 0;
    cluster->blocks = (uint32_t)all;
    for (int i = 2; i >= 0; i--) {
        cluster->cluster = cluster->cluster * (grid[i] / size[i]) + at[i] / size[i];
        cluster->rank = cluster->rank * size[i] + at[i] % size[i];
    }
    return true;
}
