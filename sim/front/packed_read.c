/*
 * Unpacks instruction sequences (packing.h describes the bytes). Every value is checked before use.
 */
#include "base/bits.h"
#include "base/check.h"
#include "front/packing.h"
#include "model/op.h"

void packed_reader_begin(struct packed_reader *reader, const struct inst *code, uint32_t code_size,
                         const uint8_t *data, size_t size)
{
    reader->begin = reader->at = data;
    reader->end = size ? data + size : data;
    reader->code = code;
    reader->code_size = code_size;
    reader->run = 0;
    reader->damaged = reader->writes = reader->waits = false;
    reader->wait = 0;
    pack_begin(&reader->state);
}

static bool take_mask(struct packed_reader *reader, uint32_t *mask)
{
    if (reader->end - reader->at < 4)
        return false;
    const uint8_t *at = reader->at;
    *mask = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    reader->at += 4;
    return true;
}

static bool take_jump(struct packed_reader *reader)
{
    uint64_t distance;
    reader->at = bytes_take_varint(reader->at, reader->end, &distance);
    if (!reader->at)
        return false;
    reader->state.expected += (uint32_t)bytes_unzigzag(distance);
    return true;
}

/*
 * Reads the lanes of an instruction that has an item of its own (PACK_ONE...). The byte `item` has
 * been read.
 */
static bool take_one(struct packed_reader *reader, unsigned item, struct warp_inst *inst)
{
    struct packed_state *state = &reader->state;
    bool split = item == PACK_ONE_SPLIT || (item & ~7u) == PACK_ONE_SPLIT_KNOWN;
    inst->exec = 0;
    if (item >= PACK_ONE_KNOWN)
        inst->exec = state->mask[item % PACKED_MASKS];
    else if (item != PACK_ONE_NONE && !take_mask(reader, &inst->exec))
        return false;
    if (inst->exec & ~state->active)
        return false;
    if (split)
        pack_remember_split(state, inst->exec);
    else if (item == PACK_ONE)
        pack_remember(state, inst->exec);
    inst->flags = split ? WARP_INST_DIVERGENT : 0;
    reader->run = 1;
    return true;
}

/*
 * Reads a wait, whose item byte has been read. `wait` may be NULL. Returns the byte after the wait,
 * or NULL if the wait is invalid.
 */
static const uint8_t *take_wait(const uint8_t *at, const uint8_t *end, struct wait *wait)
{
    uint64_t words, address = 0, distance, count;
    at = bytes_take_varint(at, end, &words);
    if (!at || !words || words > WAIT_WORDS)
        return NULL;
    for (uint32_t i = 0; i < words; i++) {
        at = bytes_take_varint(at, end, &distance);
        at = at ? bytes_take_varint(at, end, &count) : NULL;
        if (!at || count > UINT32_MAX)
            return NULL;
        address += (uint64_t)bytes_unzigzag(distance);
        if (wait)
            wait->word[i] = (struct wait_word){.address = address, .count = (uint32_t)count};
    }
    if (wait)
        wait->words = (uint32_t)words;
    return at;
}

static bool begin_wait(struct packed_reader *reader)
{
    reader->wait = (uint32_t)(reader->at - reader->begin);
    reader->at = take_wait(reader->at, reader->end, NULL);
    reader->waits = true;
    return reader->at != NULL;
}

/* Reads which lines an LDC is from, or the number and threads of a BAR. */
static bool take_rest_of_token(struct packed_reader *reader, struct warp_inst *inst)
{
    uint64_t lines;
    reader->at = bytes_take_varint(reader->at, reader->end, &lines);
    if (reader->at == NULL || lines >> (64 - INST_VALUE_BITS) != 0)
        return false;
    inst->token |= lines << INST_VALUE_BITS;
    return true;
}

/* Reads the items up to the next instruction and fills in exec and flags. */
static bool take_items(struct packed_reader *reader, struct warp_inst *inst)
{
    struct packed_state *state = &reader->state;
    while (reader->at < reader->end) {
        unsigned item = *reader->at++;
        if (item < PACK_END) {
            reader->run = item + 1;
            inst->exec = state->active;
            return state->active != 0;
        }
        bool good = true;
        if (item == PACK_JUMP)
            good = take_jump(reader);
        else if (item == PACK_ACTIVE) {
            good = take_mask(reader, &state->active);
            pack_remember(state, state->active);
        } else if ((item & ~7u) == PACK_ACTIVE_KNOWN)
            state->active = state->mask[item % PACKED_MASKS];
        else if (item == PACK_WAITS)
            good = begin_wait(reader);
        else if (item == PACK_WRITES)
            reader->writes = true;
        else if (item >= PACK_VALUES && item < PACK_VALUES + SIMSM_WARP_LANES)
            inst->token |= item - PACK_VALUES + 1;
        else if (item == PACK_LINES)
            good = take_rest_of_token(reader, inst);
        else if ((item >= PACK_ONE_NONE && item <= PACK_ONE_SPLIT) ||
                 (item >= PACK_ONE_KNOWN && item < PACK_ONE_SPLIT_KNOWN + PACKED_MASKS))
            return state->active != 0 && take_one(reader, item, inst);
        else
            return false;
        if (!good)
            return false;
    }
    return false;
}

/* Reads the stride or list of an address record and stores its offset in *place. */
static bool take_pattern(struct packed_reader *reader, struct packed_place *place, unsigned tag,
                         uint32_t exec)
{
    uint32_t pattern = (uint32_t)(reader->at - reader->begin) - 1; /* offset of the tag byte */
    uint64_t stride;
    switch (tag & PACK_FORM) {
    case PACK_FORM_SAME:
        return true;
    case PACK_FORM_STRIDE:
        reader->at = bytes_take_varint(reader->at, reader->end, &stride);
        break;
    case PACK_FORM_LIST: {
        size_t width = (tag >> PACK_WIDTH_SHIFT & 7u) + 1;
        size_t size = width * bits_count(exec);
        if ((size_t)(reader->end - reader->at) < size)
            return false;
        reader->at += size;
        break;
    }
    default:
        return false;
    }
    place->pattern = pattern;
    return reader->at != NULL;
}

static bool take_addresses(struct packed_reader *reader, struct warp_inst *inst)
{
    struct packed_state *state = &reader->state;
    const struct inst *code = &reader->code[inst->index];
    bool first = state->place[inst->index % PACKED_PLACES].owner != inst->index + 1;
    struct packed_place *place = pack_place(state, code, inst->index);
    if (reader->at == reader->end)
        return false;
    unsigned tag = *reader->at++;
    if (!take_pattern(reader, place, tag, inst->exec))
        return false;
    uint64_t base = place->base + place->delta, distance;
    if (tag & PACK_BASE) {
        reader->at = bytes_take_varint(reader->at, reader->end, &distance);
        if (!reader->at)
            return false;
        base = place->base + (uint64_t)bytes_unzigzag(distance);
    }
    pack_accessed(state, place, code, base, first);
    inst->token = base;
    inst->flags |= place->pattern << PACK_FLAG_BITS;
    return true;
}

/* Ends a damaged sequence: returns an instruction with WARP_INST_LAST, preferably an EXIT. */
static bool end_damaged(struct packed_reader *reader, struct warp_inst *inst)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < reader->code_size; i++)
        last = reader->code[i].op == SIMSM_OP_EXIT ? i : last;
    reader->at = reader->end;
    reader->run = 0;
    reader->writes = reader->waits = false;
    reader->damaged = true;
    uint32_t lanes = reader->state.active ? reader->state.active : UINT32_MAX;
    *inst =
        (struct warp_inst){.index = last, .active = lanes, .exec = lanes, .flags = WARP_INST_LAST};
    if (op_is_memory((enum simsm_op_class)reader->code[last].op))
        inst->exec = 0;
    return false;
}

void packed_wait(const struct packed_reader *reader, uint32_t offset, struct wait *wait)
{
    const uint8_t *behind = take_wait(reader->begin + offset, reader->end, wait);
    SIMSM_CHECK(behind != NULL, "no wait at byte %u", offset);
}

bool packed_will_wait(const struct packed_reader *reader, struct wait *wait, uint32_t *index)
{
    const uint8_t *at = reader->at;
    uint64_t distance = 0;
    if (reader->run)
        return false;
    if (at < reader->end && *at == PACK_JUMP)
        at = bytes_take_varint(at + 1, reader->end, &distance);
    if (at && at < reader->end && *at == PACK_ACTIVE)
        at = reader->end - at > 5 ? at + 5 : NULL;
    else if (at && at < reader->end && (*at & ~7u) == PACK_ACTIVE_KNOWN)
        at++;
    *index = reader->state.expected + (uint32_t)bytes_unzigzag(distance);
    return at && at < reader->end && *at == PACK_WAITS && take_wait(at + 1, reader->end, wait);
}

/* Adds the flags that concern waits, if the instruction can have them. */
static void take_marks(struct packed_reader *reader, struct warp_inst *inst)
{
    bool memory = inst->exec && op_is_memory((enum simsm_op_class)reader->code[inst->index].op);
    if (reader->writes && memory)
        inst->flags |= WARP_INST_WRITES;
    if (reader->waits && memory)
        inst->flags |= WARP_INST_WAITS;
    reader->writes = reader->waits = false;
}

/* Returns whether the token of a recording is one that the instruction can have. */
static bool good_token(const struct inst *inst, uint64_t token)
{
    if (inst->op == SIMSM_OP_BARRIER && token)
        return !inst_token_values(token) && inst_barrier(inst, token, 0) < INST_BARRIERS;
    return !token || op_has_token(inst->op);
}

bool packed_next(struct packed_reader *reader, struct warp_inst *inst)
{
    struct packed_state *state = &reader->state;
    inst->flags = 0;
    inst->exec = state->active;
    inst->token = 0;
    if (!reader->run && !take_items(reader, inst))
        return end_damaged(reader, inst);
    inst->index = state->expected;
    inst->active = state->active;
    if (inst->index >= reader->code_size || !good_token(&reader->code[inst->index], inst->token))
        return end_damaged(reader, inst);
    if (inst->exec && op_is_memory((enum simsm_op_class)reader->code[inst->index].op) &&
        !take_addresses(reader, inst))
        return end_damaged(reader, inst);
    state->expected++;
    reader->run--;
    if (!reader->run && reader->at < reader->end) {
        if (*reader->at == PACK_JUMP)
            inst->flags |= WARP_INST_TAKEN;
        else if (*reader->at == PACK_END && reader->code[inst->index].op == SIMSM_OP_EXIT)
            inst->flags |= WARP_INST_LAST;
    }
    if (reader->waits || reader->writes)
        take_marks(reader, inst);
    return true;
}

/* Reads an entry of `width` bytes. At least so many bytes lie before `end`. */
static uint64_t take_entry(const uint8_t *at, const uint8_t *end, unsigned width)
{
    if (end - at >= 8)
        return bytes_get_u64(at) & UINT64_MAX >> (64 - 8 * width);
    uint64_t entry = 0;
    for (unsigned i = 0; i < width; i++)
        entry |= (uint64_t)at[i] << 8 * i;
    return entry;
}

static void list_addresses(const struct packed_reader *reader, const struct warp_inst *inst,
                           const uint8_t *pattern, struct lane_addresses *addresses)
{
    unsigned width = (*pattern >> PACK_WIDTH_SHIFT & 7u) + 1, scale = *pattern >> PACK_SCALE_SHIFT;
    const uint8_t *at = pattern + 1;
    if ((size_t)(reader->end - at) < (size_t)width * bits_count(inst->exec))
        return;
    addresses->affine = false;
    for (unsigned lane = 0; lane < SIMSM_WARP_LANES; lane++) {
        addresses->lane[lane] = 0;
        if (!(inst->exec >> lane & 1u))
            continue;
        addresses->lane[lane] = inst->token + (take_entry(at, reader->end, width) << scale);
        at += width;
    }
}

void packed_addresses(const struct packed_reader *reader, const struct warp_inst *inst,
                      struct lane_addresses *addresses)
{
    size_t offset = inst->flags >> PACK_FLAG_BITS;
    addresses->affine = true;
    addresses->base = inst->token;
    addresses->stride = reader->code[inst->index].width;
    if (!offset || offset >= (size_t)(reader->end - reader->begin))
        return;
    const uint8_t *pattern = reader->begin + offset;
    uint64_t stride;
    if ((*pattern & PACK_FORM) == PACK_FORM_LIST)
        list_addresses(reader, inst, pattern, addresses);
    else if (bytes_take_varint(pattern + 1, reader->end, &stride))
        addresses->stride = bytes_unzigzag(stride);
}
