/* Packing the warps of any front, and comparing what comes out again. */
#ifndef TESTS_UNIT_STREAM_FIXTURE_H
#define TESTS_UNIT_STREAM_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "front/front.h"
#include "front/packed_warp.h"
#include "model/op.h"

/* Memory for a stream of `front`; the caller frees it. */
__attribute__((unused)) static void *stream_room(const struct front *front)
{
    void *cursor = aligned_alloc(16, (front->cursor_size + 15) / 16 * 16);
    assert_non_null(cursor);
    return cursor;
}

__attribute__((unused)) static bool has_addresses(const struct front *front,
                                                  const struct warp_inst *inst)
{
    return inst->exec && op_is_memory((enum simsm_op_class)front->code[inst->index].op);
}

/* Packs a warp; returns its number of instructions. `out` is to be freed. */
__attribute__((unused)) static uint64_t pack_warp(const struct front *front, uint64_t block,
                                                  uint32_t warp, struct byte_buffer *out)
{
    void *cursor = stream_room(front);
    struct packed_writer writer;
    struct warp_inst inst = {0};
    uint64_t count = 0;
    *out = (struct byte_buffer){0};
    packed_writer_begin(&writer, front->code, out);
    front->ops->warp_begin(front, cursor, block, warp);
    while (!(inst.flags & WARP_INST_LAST)) {
        struct lane_addresses addresses;
        front->ops->warp_next(front, cursor, &inst);
        if (has_addresses(front, &inst))
            front->ops->addresses(front, cursor, &inst, &addresses);
        packed_put(&writer, &inst, &addresses);
        count++;
    }
    packed_writer_end(&writer);
    front_warp_end(front, cursor);
    free(cursor);
    assert_false(out->failed);
    return count;
}

__attribute__((unused)) static void same_addresses(const struct lane_addresses *a,
                                                   const struct lane_addresses *b, uint32_t lanes)
{
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        assert_int_equal(lane_address(a, lane), lane_address(b, lane));
    }
}

enum { FLAGS = WARP_INST_TAKEN | WARP_INST_DIVERGENT | WARP_INST_LAST };

__attribute__((unused)) static void same_inst(const struct warp_inst *a, const struct warp_inst *b)
{
    assert_int_equal(a->index, b->index);
    assert_int_equal(a->active, b->active);
    assert_int_equal(a->exec, b->exec);
    assert_int_equal(a->flags & FLAGS, b->flags & FLAGS);
}

/* All warps of block `block` run alike in both fronts, addresses included. */
__attribute__((unused)) static void same_block(const struct front *a, const struct front *b,
                                               uint64_t block)
{
    void *one = stream_room(a), *two = stream_room(b);
    for (uint32_t w = 0; w < simsm_block_warps(&a->launch); w++) {
        struct warp_inst first = {0}, second = {0};
        a->ops->warp_begin(a, one, block, w);
        b->ops->warp_begin(b, two, block, w);
        while (!(first.flags & WARP_INST_LAST)) {
            a->ops->warp_next(a, one, &first);
            b->ops->warp_next(b, two, &second);
            same_inst(&first, &second);
            struct lane_addresses x, y;
            if (!has_addresses(a, &first))
                continue;
            a->ops->addresses(a, one, &first, &x);
            b->ops->addresses(b, two, &second, &y);
            same_addresses(&x, &y, first.exec);
        }
        front_warp_end(a, one);
        front_warp_end(b, two);
    }
    free(one);
    free(two);
}

#endif
