/* Which block was where, and when. */
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

/* Blocks of one SM from the events of its chunks. */
static enum simsm_status gather(struct run *run, uint32_t sm, struct timeline_data *data,
                                uint32_t *room, struct simsm_error *error)
{
    uint32_t count;
    const struct timeline_chunk *chunks = timeline_read_chunks(run->reader, sm, &count);
    uint32_t open[PLACES] = {0}; /* index + 1 of the block that is in a place */
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

const struct run_block *run_blocks(struct run *run, uint32_t *count, bool *all_sms,
                                   struct simsm_error *error)
{
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
    }
    *count = run->block_count;
    *all_sms = run->info->sm_count == run->info->sms;
    return run->blocks;
}
