/* Runs all warps of a front without time and writes them into a recording. */
#include "record/record_front.h"

#include <stdlib.h>

#include "base/err.h"
#include "model/op.h"

enum { WATCH_EVERY = 1 << 20 }; /* instructions between two calls of watch->stop within a block */

struct front_recorder {
    const struct front *front;
    const struct record_watch *watch;
    struct record_counts counts;
    struct byte_buffer *warp; /* [warps] */
    unsigned char *cursors;   /* [warps] cursors of cursor_size bytes */
    size_t cursor_size;
    uint32_t warps;
};

static enum simsm_status check_stop(const struct front_recorder *recorder)
{
    const struct record_watch *watch = recorder->watch;
    if (!watch || !watch->stop)
        return SIMSM_OK;
    return watch->stop(watch->context, recorder->counts.blocks, recorder->counts.instructions);
}

static enum simsm_status record_warp(struct front_recorder *recorder, uint32_t w)
{
    const struct front *front = recorder->front;
    void *cursor = recorder->cursors + recorder->cursor_size * w;
    struct byte_buffer *out = &recorder->warp[w];
    struct packed_writer writer;
    struct warp_inst inst = {0};
    struct wait wait;
    out->size = 0;
    packed_writer_begin(&writer, front->code, out);
    while (!(inst.flags & WARP_INST_LAST)) {
        struct lane_addresses addresses;
        front->ops->warp_next(front, cursor, &inst);
        if (inst.flags & WARP_INST_WAITS) {
            front->ops->wait(front, cursor, &wait);
            packed_put_wait(&writer, &wait);
        }
        if (inst.exec && op_is_memory((enum simsm_op_class)front->code[inst.index].op))
            front->ops->addresses(front, cursor, &inst, &addresses);
        packed_put(&writer, &inst, &addresses);
        if (++recorder->counts.instructions % WATCH_EVERY == 0) {
            enum simsm_status status = check_stop(recorder);
            if (status != SIMSM_OK || out->failed)
                return status;
        }
    }
    packed_writer_end(&writer);
    recorder->counts.packed_bytes += out->size;
    return SIMSM_OK;
}

/*
 * Records one block. All its warps begin before the first warp runs, so that a front made of blocks
 * produces each block once.
 */
static enum simsm_status record_block(struct front_recorder *recorder,
                                      struct recording_writer *writer, uint64_t block,
                                      struct simsm_error *error)
{
    const struct front *front = recorder->front;
    enum simsm_status status = check_stop(recorder);
    for (uint32_t w = 0; w < recorder->warps; w++)
        front->ops->warp_begin(front, recorder->cursors + recorder->cursor_size * w, block, w);
    for (uint32_t w = 0; w < recorder->warps && status == SIMSM_OK; w++)
        status = record_warp(recorder, w);
    for (uint32_t w = 0; w < recorder->warps; w++)
        front_warp_end(front, recorder->cursors + recorder->cursor_size * w);
    if (status == SIMSM_OK)
        status = front_status(front, error);
    if (status == SIMSM_OK)
        status = recording_put_block(writer, block, recorder->warp, recorder->warps, error);
    recorder->counts.blocks++;
    return status;
}

static enum simsm_status record_all(struct front_recorder *recorder,
                                    struct recording_writer *writer, struct simsm_error *error)
{
    const struct front *front = recorder->front;
    const struct recording_launch launch = {.launch = &front->launch,
                                            .code = front->code,
                                            .text = front->text,
                                            .code_size = front->code_size,
                                            .source = front->path,
                                            .paths = front->paths,
                                            .memory = &front->memory};
    uint64_t blocks = simsm_grid_blocks(&front->launch);
    enum simsm_status status = recording_begin(writer, &launch, error);
    for (uint64_t b = 0; b < blocks && status == SIMSM_OK; b++)
        status = record_block(recorder, writer, b, error);
    return status;
}

enum simsm_status record_front(struct recording_writer *writer, const struct front *front,
                               const struct record_watch *watch, struct record_counts *counts,
                               struct simsm_error *error)
{
    struct front_recorder recorder = {.front = front,
                                      .watch = watch,
                                      .cursor_size = (front->cursor_size + 15) / 16 * 16,
                                      .warps = simsm_block_warps(&front->launch)};
    recorder.warp = calloc(recorder.warps, sizeof *recorder.warp);
    recorder.cursors = aligned_alloc(16, recorder.cursor_size * recorder.warps);
    enum simsm_status status = SIMSM_OK;
    if (recorder.warp && recorder.cursors)
        status = record_all(&recorder, writer, error);
    else
        status = err_no_memory(error);
    for (uint32_t w = 0; recorder.warp && w < recorder.warps; w++)
        buffer_free(&recorder.warp[w]);
    free(recorder.warp);
    free(recorder.cursors);
    if (counts)
        *counts = recorder.counts;
    return status;
}
