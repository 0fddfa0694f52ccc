#include "exec/waiting/clocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "model/op.h"

/* Bytes of instruction sequences that are kept in full, to find where two executions differ. Beyond
 * this limit only their hashes are kept. */
#define KEPT_MAX ((size_t)256 << 20)

struct timed_warp {
    bool placed;
    uint32_t sm, slot;
    uint64_t *cycle; /* [count] */
    uint32_t count, room;
    uint64_t size, hash; /* of the stream */
    uint8_t *bytes;      /* NULL: too many */
};

struct exec_clocks {
    struct timed_warp **block; /* [blocks] of [warps]; NULL: nothing is known */
    uint64_t blocks;
    uint32_t warps;
    size_t kept; /* bytes */
    bool lost;
};

struct exec_clocks *exec_clocks_create(uint64_t blocks, uint32_t warps)
{
    struct exec_clocks *clocks = calloc(1, sizeof *clocks);
    if (!clocks)
        return NULL;
    clocks->blocks = blocks;
    clocks->warps = warps;
    clocks->block = calloc(blocks, sizeof *clocks->block);
    if (clocks->block)
        return clocks;
    free(clocks);
    return NULL;
}

void exec_clocks_destroy(struct exec_clocks *clocks)
{
    if (!clocks)
        return;
    for (uint64_t b = 0; b < clocks->blocks; b++) {
        for (uint32_t w = 0; clocks->block[b] && w < clocks->warps; w++) {
            free(clocks->block[b][w].cycle);
            free(clocks->block[b][w].bytes);
        }
        free(clocks->block[b]);
    }
    free((void *)clocks->block);
    free(clocks);
}

/* NULL: out of memory. */
static struct timed_warp *warps_of(struct exec_clocks *clocks, uint64_t block)
{
    if (!clocks->block[block])
        clocks->block[block] = calloc(clocks->warps, sizeof **clocks->block);
    clocks->lost |= !clocks->block[block];
    return clocks->block[block];
}

static uint64_t hash_of(const struct byte_buffer *cursor)
{
    uint64_t hash = cursor->size, word;
    for (size_t at = 0; at < cursor->size; at += sizeof word) {
        size_t left = cursor->size - at;
        word = 0;
        memcpy(&word, cursor->data + at, left < sizeof word ? left : sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

enum simsm_status exec_clocks_keep(struct exec_clocks *clocks, uint64_t block,
                                   const struct byte_buffer *cursor, struct simsm_error *error)
{
    struct timed_warp *warp = warps_of(clocks, block);
    if (!warp)
        return err_no_memory(error);
    for (uint32_t w = 0; w < clocks->warps; w++) {
        warp[w].size = cursor[w].size;
        warp[w].hash = hash_of(&cursor[w]);
        if (clocks->kept + cursor[w].size > KEPT_MAX)
            continue;
        warp[w].bytes = malloc(cursor[w].size + 1);
        if (!warp[w].bytes)
            return err_no_memory(error);
        if (cursor[w].size)
            memcpy(warp[w].bytes, cursor[w].data, cursor[w].size);
        clocks->kept += cursor[w].size;
    }
    return SIMSM_OK;
}

void exec_clocks_place(struct exec_clocks *clocks, uint64_t block, uint32_t warp, uint32_t sm,
                       uint32_t slot)
{
    struct timed_warp *timed = warps_of(clocks, block);
    if (!timed)
        return;
    timed[warp].placed = true;
    timed[warp].sm = sm;
    timed[warp].slot = slot;
}

bool exec_clocks_where(const struct exec_clocks *clocks, uint64_t block, uint32_t warp,
                       uint32_t *sm, uint32_t *slot)
{
    const struct timed_warp *timed = clocks->block[block];
    if (!timed || !timed[warp].placed)
        return false;
    *sm = timed[warp].sm;
    *slot = timed[warp].slot;
    return true;
}

void exec_clocks_set(struct exec_clocks *clocks, uint64_t block, uint32_t warp, uint32_t ordinal,
                     uint64_t cycle)
{
    struct timed_warp *timed = clocks->block[block] ? &clocks->block[block][warp] : NULL;
    if (!timed)
        return;
    if (ordinal >= timed->room) {
        uint32_t room = timed->room ? 2 * timed->room : 4;
        uint64_t *grown = realloc(timed->cycle, room * sizeof *grown);
        clocks->lost |= !grown;
        if (!grown)
            return;
        timed->cycle = grown;
        timed->room = room;
    }
    timed->cycle[ordinal] = cycle;
    timed->count = ordinal >= timed->count ? ordinal + 1 : timed->count;
}

bool exec_clocks_get(const struct exec_clocks *clocks, uint64_t block, uint32_t warp,
                     uint32_t ordinal, uint64_t *cycle)
{
    const struct timed_warp *timed = clocks->block[block] ? &clocks->block[block][warp] : NULL;
    bool known = timed && ordinal < timed->count;
    *cycle = known                   ? timed->cycle[ordinal]
             : timed && timed->count ? timed->cycle[timed->count - 1]
                                     : 0;
    return known;
}

bool exec_clocks_lost(const struct exec_clocks *clocks)
{
    return clocks->lost;
}

static bool same_addresses(const struct packed_reader *a, const struct warp_inst *in_a,
                           const struct packed_reader *b, const struct warp_inst *in_b)
{
    struct lane_addresses of_a, of_b;
    packed_addresses(a, in_a, &of_a);
    packed_addresses(b, in_b, &of_b);
    for (unsigned lane = 0; lane < SIMSM_WARP_LANES; lane++)
        if ((in_a->exec >> lane & 1u) && lane_address(&of_a, lane) != lane_address(&of_b, lane))
            return false;
    return true;
}

/* Returns the instruction at which two executions of a warp differ: the instruction whose lanes or
 * addresses differ, or the last one before the next instructions differ. */
static uint32_t find_difference(const struct inst *code, uint32_t code_size, const uint8_t *kept,
                                size_t size, const struct byte_buffer *cursor)
{
    struct packed_reader a, b;
    struct warp_inst in_a = {0}, in_b = {0};
    uint32_t before = UINT32_MAX;
    packed_reader_begin(&a, code, code_size, kept, size);
    packed_reader_begin(&b, code, code_size, cursor->data, cursor->size);
    while (!(in_a.flags & WARP_INST_LAST)) {
        if (!packed_next(&a, &in_a) || !packed_next(&b, &in_b))
            return before;
        if (in_a.index != in_b.index || in_a.active != in_b.active)
            return before;
        before = in_a.index;
        if (in_a.exec != in_b.exec)
            return before;
        if (in_a.exec && op_is_memory((enum simsm_op_class)code[before].op) &&
            !same_addresses(&a, &in_a, &b, &in_b))
            return before;
    }
    return before;
}

bool exec_clocks_differ(const struct exec_clocks *clocks, uint64_t block,
                        const struct byte_buffer *cursor, const struct inst *code,
                        uint32_t code_size, struct exec_difference *difference)
{
    for (uint32_t w = 0; w < clocks->warps; w++) {
        const struct timed_warp *kept = &clocks->block[block][w];
        if (kept->size == cursor[w].size && kept->hash == hash_of(&cursor[w]))
            continue;
        *difference = (struct exec_difference){block, w, UINT32_MAX};
        if (kept->bytes)
            difference->index =
                find_difference(code, code_size, kept->bytes, kept->size, &cursor[w]);
        return true;
    }
    return false;
}
