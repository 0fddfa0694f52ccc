#include "cuda/begun.h"

#include <stdlib.h>

#include "base/err.h"

struct begun {
    struct front front;
    struct front *inner;
    uint8_t *blocks; /* one byte for each block */
};

static void close_begun(struct front *front)
{
    struct begun *begun = (struct begun *)front;
    front_close(begun->inner);
    free(begun->blocks);
    free(begun);
}

static void warp_begin(const struct front *front, void *stream, uint64_t block, uint32_t warp)
{
    const struct begun *begun = (const struct begun *)front;
    begun->blocks[block] = 1;
    begun->inner->ops->warp_begin(begun->inner, stream, block, warp);
}

static void warp_next(const struct front *front, void *stream, struct warp_inst *inst)
{
    const struct begun *begun = (const struct begun *)front;
    begun->inner->ops->warp_next(begun->inner, stream, inst);
}

static void addresses(const struct front *front, const void *stream, const struct warp_inst *inst,
                      struct lane_addresses *lanes)
{
    const struct begun *begun = (const struct begun *)front;
    begun->inner->ops->addresses(begun->inner, stream, inst, lanes);
}

static void warp_end(const struct front *front, void *stream)
{
    const struct begun *begun = (const struct begun *)front;
    if (begun->inner->ops->warp_end)
        begun->inner->ops->warp_end(begun->inner, stream);
}

static void wait_of(const struct front *front, const void *stream, struct wait *wait)
{
    const struct begun *begun = (const struct begun *)front;
    begun->inner->ops->wait(begun->inner, stream, wait);
}

static void repeat(const struct front *front, void *stream)
{
    const struct begun *begun = (const struct begun *)front;
    begun->inner->ops->repeat(begun->inner, stream);
}

static enum simsm_status status_of(const struct front *front, struct simsm_error *error)
{
    const struct begun *begun = (const struct begun *)front;
    return begun->inner->ops->status ? begun->inner->ops->status(begun->inner, error) : SIMSM_OK;
}

static enum simsm_status keep_clocks(const struct front *front, struct simsm_error *error)
{
    return front_keep_clocks(((const struct begun *)front)->inner, error);
}

static void place_of(const struct front *front, uint64_t block, uint32_t warp, uint32_t sm,
                     uint32_t slot)
{
    const struct begun *begun = (const struct begun *)front;
    if (begun->inner->ops->place)
        begun->inner->ops->place(begun->inner, block, warp, sm, slot);
}

static void clock_of(const struct front *front, const void *stream, uint32_t ordinal,
                     uint64_t cycle)
{
    const struct begun *begun = (const struct begun *)front;
    if (begun->inner->ops->clock)
        begun->inner->ops->clock(begun->inner, stream, ordinal, cycle);
}

static enum simsm_status timed(const struct front *front, char **note, struct simsm_error *error)
{
    return front_timed(((const struct begun *)front)->inner, note, error);
}

static const struct front_ops ops = {
    .name = "begun",
    .close = close_begun,
    .warp_begin = warp_begin,
    .warp_next = warp_next,
    .addresses = addresses,
    .warp_end = warp_end,
    .wait = wait_of,
    .repeat = repeat,
    .status = status_of,
    .keep_clocks = keep_clocks,
    .place = place_of,
    .clock = clock_of,
    .timed = timed,
};

enum simsm_status begun_open(struct front **front, struct simsm_error *error)
{
    struct front *inner = *front;
    struct begun *begun = calloc(1, sizeof *begun);
    uint8_t *blocks = calloc(1, simsm_grid_blocks(&inner->launch));
    if (!begun || !blocks) {
        free(begun);
        free(blocks);
        front_close(inner);
        return err_no_memory(error);
    }
    begun->front = *inner;
    begun->front.ops = &ops;
    begun->inner = inner;
    begun->blocks = blocks;
    *front = &begun->front;
    return SIMSM_OK;
}

enum simsm_status begun_finish(const struct front *front, struct simsm_error *error)
{
    const struct begun *begun = (const struct begun *)front;
    const uint64_t blocks = simsm_grid_blocks(&front->launch);
    const uint32_t warps = simsm_block_warps(&front->launch);
    /* Streams are aligned to 16 bytes in the array, as malloc aligns the whole. */
    const size_t step = (front->cursor_size + 15) / 16 * 16;
    uint8_t *streams = malloc(step * warps);
    if (!streams)
        return err_no_memory(error);
    for (uint64_t b = 0; b < blocks; b++) {
        if (begun->blocks[b])
            continue;
        for (uint32_t w = 0; w < warps; w++)
            warp_begin(front, streams + w * step, b, w);
        for (uint32_t w = 0; w < warps; w++)
            warp_end(front, streams + w * step);
    }
    free(streams);
    return status_of(front, error);
}
