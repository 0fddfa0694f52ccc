/* Packs instruction sequences; packing.h describes the bytes. */
#include <string.h>

#include "base/bits.h"
#include "base/check.h"
#include "front/packing.h"
#include "model/op.h"

void packed_writer_begin(struct packed_writer *writer, const struct inst *code,
                         struct byte_buffer *out)
{
    writer->out = out;
    writer->code = code;
    writer->run = SIZE_MAX;
    writer->wait = NULL;
    pack_begin(&writer->state);
}

/*
 * Writes an item with a mask: as item `known` + index if the mask is in the ring, else as `item`
 * and 4 bytes.
 */
static uint8_t *put_mask(struct packed_state *state, uint8_t *at, unsigned item, unsigned known,
                         uint32_t mask)
{
    for (unsigned i = 0; i < PACKED_MASKS; i++) {
        if (state->mask[i] == mask) {
            *at++ = (uint8_t)(known + i);
            return at;
        }
    }
    *at++ = (uint8_t)item;
    for (int i = 0; i < 4; i++)
        *at++ = (uint8_t)(mask >> 8 * i);
    return at;
}

/* Writes an instruction at which some active lanes do not execute, or at which lanes diverge. */
static uint8_t *put_one(struct packed_state *state, uint8_t *at, const struct warp_inst *inst)
{
    bool split = inst->flags & WARP_INST_DIVERGENT;
    if (!inst->exec && !split) {
        *at++ = PACK_ONE_NONE;
        return at;
    }
    uint8_t *behind = at;
    if (split)
        behind = put_mask(state, at, PACK_ONE_SPLIT, PACK_ONE_SPLIT_KNOWN, inst->exec);
    else
        behind = put_mask(state, at, PACK_ONE, PACK_ONE_KNOWN, inst->exec);
    if (split)
        pack_remember_split(state, inst->exec);
    else if (behind - at > 1)
        pack_remember(state, inst->exec);
    return behind;
}

struct affine {
    uint64_t base;
    int64_t stride;
};

static uint64_t at_lane(const struct affine *affine, unsigned lane)
{
    return affine->base + (uint64_t)affine->stride * lane;
}

/*
 * Returns whether the addresses of the executing lanes are base + stride x lane. With a single lane
 * any stride fits; the stride that `place` knows is chosen.
 */
static bool find_affine(const struct lane_addresses *addresses, uint32_t exec,
                        const struct packed_place *place, struct affine *affine)
{
    unsigned first = (unsigned)__builtin_ctz(exec);
    uint32_t others = exec & (exec - 1);
    uint64_t begin = lane_address(addresses, first);
    affine->stride = place->lanes ? 0 : place->stride;
    if (others && addresses->affine) {
        affine->stride = addresses->stride;
    } else if (others) {
        unsigned second = (unsigned)__builtin_ctz(others);
        int64_t step = (int64_t)(addresses->lane[second] - begin);
        affine->stride = step / (int64_t)(second - first);
    }
    affine->base = begin - (uint64_t)affine->stride * first;
    for (uint32_t rest = addresses->affine ? 0 : others; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (addresses->lane[lane] != at_lane(affine, lane))
            return false;
    }
    return true;
}

/*
 * Returns the addresses of the executing lanes one after another: `lane` itself if all lanes
 * execute, else a copy in `room`.
 */
static const uint64_t *executing_addresses(const uint64_t *lane, uint32_t exec, uint64_t *room)
{
    if (exec == UINT32_MAX)
        return lane;
    unsigned count = 0;
    for (uint32_t rest = exec; rest; rest &= rest - 1)
        room[count++] = lane[__builtin_ctz(rest)];
    return room;
}

static uint64_t lowest_of(const uint64_t *address, unsigned count)
{
    uint64_t lowest = address[0];
    for (unsigned i = 1; i < count; i++)
        lowest = address[i] < lowest ? address[i] : lowest;
    return lowest;
}

/* Writes the distances from the lowest address and adds their width and scale to *tag. */
static uint8_t *put_list(uint8_t *at, const uint64_t *address, unsigned count, uint64_t lowest,
                         unsigned *tag)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < count; i++)
        all |= address[i] - lowest;
    unsigned scale = (all & 1) ? 0 : (all & 2) ? 1 : (all & 4) ? 2 : 3;
    unsigned width = 1;
    while (width < 8 && all >> scale >> 8 * width)
        width++;
    *tag |= (width - 1) << PACK_WIDTH_SHIFT | scale << PACK_SCALE_SHIFT;
    for (unsigned i = 0; i < count; i++, at += width)
        /* Writes 8 bytes; the next entry overwrites the unused ones. */
        bytes_put_u64(at, (address[i] - lowest) >> scale);
    return at;
}

/*
 * Writes an address list after its tag byte, or only the tag PACK_FORM_SAME if the list equals the
 * latest list of `place`.
 */
static uint8_t *put_pattern_list(struct packed_writer *writer, struct packed_place *place,
                                 uint8_t *at, const uint64_t *lane, uint32_t exec, uint64_t *base)
{
    const uint8_t *begin = writer->out->data;
    uint64_t room[SIMSM_WARP_LANES] = {0};
    const uint64_t *address = executing_addresses(lane, exec, room);
    unsigned tag = PACK_FORM_LIST, count = bits_count(exec);
    *base = lowest_of(address, count);
    uint8_t *end = put_list(at + 1, address, count, *base, &tag);
    const uint8_t *old = begin + place->pattern;
    bool same = place->lanes == exec && (*old | PACK_BASE) == (tag | PACK_BASE) &&
                memcmp(old + 1, at + 1, (size_t)(end - at) - 1) == 0;
    if (same) {
        *at = PACK_FORM_SAME;
        return at + 1;
    }
    *at = (uint8_t)tag;
    place->lanes = exec;
    place->pattern = (uint32_t)(at - begin);
    return end;
}

static uint8_t *put_pattern_stride(struct packed_writer *writer, struct packed_place *place,
                                   uint8_t *at, int64_t stride)
{
    if (!place->lanes && place->stride == stride) {
        *at = PACK_FORM_SAME;
        return at + 1;
    }
    *at = PACK_FORM_STRIDE;
    place->lanes = 0;
    place->stride = stride;
    place->pattern = (uint32_t)(at - writer->out->data);
    return bytes_put_varint(at + 1, bytes_zigzag(stride));
}

static uint8_t *put_addresses(struct packed_writer *writer, uint8_t *at,
                              const struct warp_inst *inst, const struct lane_addresses *addresses)
{
    struct packed_state *state = &writer->state;
    const struct inst *code = &writer->code[inst->index];
    bool first = state->place[inst->index % PACKED_PLACES].owner != inst->index + 1;
    struct packed_place *place = pack_place(state, code, inst->index);
    struct affine affine;
    uint8_t *tag = at;
    if (find_affine(addresses, inst->exec, place, &affine)) {
        at = put_pattern_stride(writer, place, at, affine.stride);
    } else {
        at = put_pattern_list(writer, place, at, addresses->lane, inst->exec, &affine.base);
    }
    if (affine.base != place->base + place->delta) {
        *tag |= PACK_BASE;
        at = bytes_put_varint(at, bytes_zigzag((int64_t)(affine.base - place->base)));
    }
    pack_accessed(state, place, code, affine.base, first);
    return at;
}

/*
 * Extends the current run by one instruction. Returns false if there is no run or the run is full.
 */
static bool continue_run(struct packed_writer *writer)
{
    if (writer->run == SIZE_MAX || writer->out->data[writer->run] == PACK_RUN_MAX - 1)
        return false;
    writer->out->data[writer->run]++;
    return true;
}

static uint8_t *put_change(struct packed_writer *writer, uint8_t *at, const struct warp_inst *inst)
{
    struct packed_state *state = &writer->state;
    writer->run = SIZE_MAX;
    if (inst->index != state->expected) {
        *at++ = PACK_JUMP;
        int64_t distance = (int64_t)inst->index - (int64_t)state->expected;
        at = bytes_put_varint(at, bytes_zigzag(distance));
    }
    if (inst->active != state->active) {
        uint8_t *behind = put_mask(state, at, PACK_ACTIVE, PACK_ACTIVE_KNOWN, inst->active);
        if (behind - at > 1)
            pack_remember(state, inst->active);
        at = behind;
        state->active = inst->active;
    }
    return at;
}

void packed_put_wait(struct packed_writer *writer, const struct wait *wait)
{
    writer->wait = wait;
}

void packed_mark(const struct packed_writer *writer, struct packed_mark *mark)
{
    mark->size = writer->out->size;
    mark->run = writer->run;
    mark->counted = writer->run == SIZE_MAX ? 0 : writer->out->data[writer->run];
    mark->state = writer->state;
}

void packed_rewind(struct packed_writer *writer, const struct packed_mark *mark)
{
    writer->out->size = mark->size;
    writer->run = mark->run;
    if (mark->run != SIZE_MAX)
        writer->out->data[mark->run] = mark->counted;
    writer->state = mark->state;
}

static uint8_t *put_wait(uint8_t *at, const struct wait *wait)
{
    uint64_t before = 0;
    *at++ = PACK_WAITS;
    at = bytes_put_varint(at, wait->words);
    for (uint32_t i = 0; i < wait->words; i++) {
        const struct wait_word *word = &wait->word[i];
        at = bytes_put_varint(at, bytes_zigzag((int64_t)(word->address - before)));
        at = bytes_put_varint(at, word->count);
        before = word->address;
    }
    return at;
}

/*
 * Whether the token must be written: the number of distinct values, the addresses of an LDC, or the
 * number of a BAR. A reader assumes one value, and no register, if it is not.
 */
static bool has_token(const struct packed_writer *writer, const struct warp_inst *inst)
{
    return inst->token > 1 && inst_token_values(inst->token) <= SIMSM_WARP_LANES &&
           op_has_token(writer->code[inst->index].op);
}

/* Writes the items before an instruction that concern waits, and the token. */
static uint8_t *put_marks(struct packed_writer *writer, uint8_t *at, const struct warp_inst *inst)
{
    writer->run = SIZE_MAX;
    if (writer->wait)
        at = put_wait(at, writer->wait);
    writer->wait = NULL;
    if (inst->flags & WARP_INST_WRITES)
        *at++ = PACK_WRITES;
    if (has_token(writer, inst) && inst_token_values(inst->token) > 1)
        *at++ = (uint8_t)(PACK_VALUES + inst_token_values(inst->token) - 1);
    if (has_token(writer, inst) && inst->token >> INST_VALUE_BITS != 0) {
        *at++ = PACK_LINES;
        at = bytes_put_varint(at, inst->token >> INST_VALUE_BITS);
    }
    return at;
}

void packed_put(struct packed_writer *writer, const struct warp_inst *inst,
                const struct lane_addresses *addresses)
{
    struct byte_buffer *out = writer->out;
    struct packed_state *state = &writer->state;
    size_t most = writer->wait ? PACK_INST_MAX + PACK_WAIT_MAX : PACK_INST_MAX;
    uint8_t *at = buffer_reserve(out, most);
    if (!at || out->size > PACKED_MAX_BYTES - most) {
        out->failed = true;
        return;
    }
    if (inst->index != state->expected || inst->active != state->active)
        at = put_change(writer, at, inst);
    if (writer->wait || (inst->flags & WARP_INST_WRITES) || has_token(writer, inst))
        at = put_marks(writer, at, inst);
    if (inst->exec != inst->active || (inst->flags & WARP_INST_DIVERGENT)) {
        at = put_one(state, at, inst);
        writer->run = SIZE_MAX;
    } else if (!continue_run(writer)) {
        writer->run = (size_t)(at - out->data);
        *at++ = 0;
    }
    if (inst->exec && op_is_memory((enum simsm_op_class)writer->code[inst->index].op))
        at = put_addresses(writer, at, inst, addresses);
    state->expected = inst->index + 1;
    SIMSM_CHECK((size_t)(at - out->data) - out->size <= most, "%zu bytes of %zu",
                (size_t)(at - out->data) - out->size, most);
    out->size = (size_t)(at - out->data);
}

void packed_writer_end(struct packed_writer *writer)
{
    uint8_t *at = buffer_reserve(writer->out, 1);
    if (!at)
        return;
    *at = PACK_END;
    writer->out->size++;
}
