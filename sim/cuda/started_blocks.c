/* A front that passes every call on, and notes which blocks have started. */
#include "cuda/started_blocks.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/err.h"

struct started_blocks {
    struct front front;
    struct front *inner;
    uint8_t *blocks; /* [blocks of the grid] 1: the block has started */
};

static void close_started(struct front *front)
{
    struct started_blocks *started = (struct started_blocks *)front;
    front_close(started->inner);
    free(started->blocks);
    free(started);
}

static void warp_begin(const struct front *front, void *cursor, uint64_t block, uint32_t warp)
{
    const struct started_blocks *started = (const struct started_blocks *)front;
    SIMSM_CHECK(block < simsm_grid_blocks(&front->launch), "block %llu of a grid of %llu blocks",
                (unsigned long long)block, (unsigned long long)simsm_grid_blocks(&front->launch));
    started->blocks[block] = 1;
    started->inner->ops->warp_begin(started->inner, cursor, block, warp);
}

static void warp_next(const struct front *front, void *cursor, struct warp_inst *inst)
{
    const struct started_blocks *started = (const struct started_blocks *)front;
    started->inner->ops->warp_next(started->inner, cursor, inst);
}

static void addresses(const struct front *front, const void *cursor, const struct warp_inst *inst,
                      struct lane_addresses *lanes)
{
    const struct started_blocks *started = (const struct started_blocks *)front;
    started->inner->ops->addresses(started->inner, cursor, inst, lanes);
}

static void warp_end(const struct front *front, void *cursor)
{
    const struct started_blocks *started = (const struct started_blocks *)front;
    if (started->inner->ops->warp_end)
        started->inner->ops->warp_end(started->inner, cursor);
}

static void wait_of(const struct front *front, const void *cursor, struct wait *wait)
{
    const struct started_blocks *started = (const struct started_blocks *)front;
    started->inner->ops->wait(started->inner, cursor, wait);
}

static void repeat(const struct front *front, void *cursor)
{
    const struct started_blocks *started = (const struct started_blocks *)front;
    started->inner->ops->repeat(started->inner, cursor);
}

static enum simsm_status status_of(const struct front *front, struct simsm_error *error)
{
    const struct started_blocks *started = (const struct started_blocks *)front;
    return started->inner->ops->status ? started->inner->ops->status(started->inner, error)
                                       : SIMSM_OK;
}

static const struct front_ops ops = {
    .name = "started blocks",
    .close = close_started,
    .warp_begin = warp_begin,
    .warp_next = warp_next,
    .addresses = addresses,
    .warp_end = warp_end,
    .wait = wait_of,
    .repeat = repeat,
    .status = status_of,
};

enum simsm_status started_blocks_open(struct front **front, struct simsm_error *error)
{
    struct front *inner = *front;
    struct started_blocks *started = calloc(1, sizeof *started);
    uint8_t *blocks = calloc(1, simsm_grid_blocks(&inner->launch));
    if (!started || !blocks) {
        free(started);
        free(blocks);
        front_close(inner);
        return err_no_memory(error);
    }
    started->front = *inner;
    started->front.ops = &ops;
    started->inner = inner;
    started->blocks = blocks;
    *front = &started->front;
    return SIMSM_OK;
}

enum simsm_status started_blocks_run_rest(const struct front *front, struct simsm_error *error)
{
    const struct started_blocks *started = (const struct started_blocks *)front;
    const uint64_t blocks = simsm_grid_blocks(&front->launch);
    const uint32_t warps = simsm_block_warps(&front->launch);
    /* Each cursor of the array begins at a multiple of 16 bytes, the alignment of malloc. */
    const size_t step = (front->cursor_size + 15) / 16 * 16;
    uint8_t *cursors = malloc(step * warps);
    if (!cursors)
        return err_no_memory(error);
    for (uint64_t b = 0; b < blocks; b++) {
        if (started->blocks[b])
            continue;
        for (uint32_t w = 0; w < warps; w++)
            warp_begin(front, cursors + w * step, b, w);
        for (uint32_t w = 0; w < warps; w++)
            warp_end(front, cursors + w * step);
    }
    free(cursors);
    return status_of(front, error);
}
