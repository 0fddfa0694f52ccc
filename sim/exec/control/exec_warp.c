/* Reads and writes the registers and predicates of a warp. */
#include "exec/control/exec_warp.h"

#include <stdlib.h>
#include <string.h>

const uint32_t exec_lane_bit[EXEC_LANES] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
    1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
    1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
    1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31,
};

const uint32_t exec_zeros[EXEC_LANES] = {0};

static uint32_t lowest_lane(uint32_t lanes)
{
    return (uint32_t)__builtin_ctz(lanes);
}

void exec_warp_start(struct exec_warp *warp, uint32_t rows)
{
    memset(warp, 0, exec_warp_bytes(rows));
    warp->p[SASS_PT] = UINT32_MAX;
    warp->up[SASS_PT] = UINT32_MAX;
}

struct exec_warp *exec_warp_create(uint32_t rows)
{
    struct exec_warp *warp = aligned_alloc(_Alignof(struct exec_warp), exec_warp_bytes(rows));
    if (warp)
        exec_warp_start(warp, rows);
    return warp;
}

/* Returns the 32-bit word at `offset` of a bank; bytes beyond the bank's end are zero. */
static uint32_t constant_word(const struct exec_bank *bank, uint64_t offset)
{
    uint8_t byte[4] = {0};
    for (unsigned i = 0; i < 4; i++)
        if (bank->data && offset + i < bank->bytes)
            byte[i] = bank->data[offset + i];
    return (uint32_t)byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 |
           (uint32_t)byte[3] << 24;
}

static struct exec_source source_of(const struct sass_operand *operand,
                                    const struct exec_bank bank[EXEC_BANKS])
{
    struct exec_source source = {
        .kind = operand->kind,
        .index = operand->index,
        .bank = operand->bank,
        .words = operand->words,
        .half = operand->half,
        .negate = operand->negate,
        .absolute = operand->absolute,
    };
    if (operand->kind == SASS_IMMEDIATE) {
        source.value[0] = operand->value;
    } else if (operand->kind == SASS_CONSTANT) {
        source.offset = operand->value;
        const struct exec_bank *from = &bank[operand->bank % EXEC_BANKS];
        source.value[0] = constant_word(from, operand->value);
        source.value[1] = constant_word(from, (uint64_t)operand->value + 4);
    }
    return source;
}

/* Returns the index of a predicate destination, SASS_PT if the instruction has none. */
static uint8_t predicate_destination(const struct sass_operand *operand)
{
    return operand->kind == SASS_NONE ? SASS_PT : operand->index;
}

void exec_fill(struct exec_inst *inst, const struct sass_inst *sass,
               const struct exec_bank bank[EXEC_BANKS])
{
    const struct sass_operand *operand = sass->operand;
    const struct sass_operand *d = &operand[SASS_D];
    *inst = (struct exec_inst){
        .a = source_of(&operand[SASS_A], bank),
        .b = source_of(&operand[SASS_B], bank),
        .c = source_of(&operand[SASS_C], bank),
        .pp = source_of(&operand[SASS_PP], bank),
        .pq = source_of(&operand[SASS_PQ], bank),
        .pr = source_of(&operand[SASS_PR], bank),
        .d = d->index,
        .d_words = d->words,
        .pu = predicate_destination(&operand[SASS_PU]),
        .pv = predicate_destination(&operand[SASS_PV]),
        .uniform = d->kind == SASS_UNIFORM,
        .uniform_p = operand[SASS_PU].kind == SASS_UNIFORM_PREDICATE ||
                     operand[SASS_PV].kind == SASS_UNIFORM_PREDICATE,
        .guard = sass->guard.kind == SASS_NONE ? SASS_PT : sass->guard.index,
        .guard_negate = sass->guard.negate,
        .guard_uniform = sass->guard.kind == SASS_UNIFORM_PREDICATE,
        .sass = sass,
    };
    if (!inst->uniform && (d->kind == SASS_NONE || d->index == SASS_RZ))
        inst->d = SASS_RZ;
}

static const uint32_t *broadcast(uint32_t value, uint32_t room[EXEC_LANES])
{
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        room[lane] = value;
    return room;
}

const uint32_t *exec_read(const struct exec_warp *warp, const struct exec_source *source,
                          uint32_t word, uint32_t room[EXEC_LANES])
{
    switch (source->kind) {
    case SASS_REGISTER:
        return exec_row(warp, source->index + word);
    case SASS_UNIFORM:
        if (source->index >= SASS_URZ || source->index + word >= SASS_URZ)
            return exec_zeros;
        return broadcast(warp->ur[source->index + word], room);
    case SASS_IMMEDIATE:
    case SASS_CONSTANT:
        return broadcast(word < 2 ? source->value[word] : 0, room);
    default:
        return exec_zeros;
    }
}

const uint32_t *exec_read_int(const struct exec_warp *warp, const struct exec_source *source,
                              uint32_t room[EXEC_LANES])
{
    const uint32_t *value = exec_read(warp, source, 0, room);
    if (!source->negate)
        return value;
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        room[lane] = 0u - value[lane];
    return room;
}

const uint32_t *exec_read_float(const struct exec_warp *warp, const struct exec_source *source,
                                uint32_t room[EXEC_LANES])
{
    const uint32_t *value = exec_read(warp, source, 0, room);
    if (!source->negate && !source->absolute)
        return value;
    const uint32_t keep = source->absolute ? 0x7fffffffu : UINT32_MAX;
    const uint32_t flip = source->negate ? 0x80000000u : 0;
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        room[lane] = (value[lane] & keep) ^ flip;
    return room;
}

void exec_read_wide(const struct exec_warp *warp, const struct exec_source *source,
                    uint64_t value[EXEC_LANES])
{
    uint32_t room[2][EXEC_LANES];
    const uint32_t *low = exec_read(warp, source, 0, room[0]);
    const bool one_register = source->kind == SASS_REGISTER && source->words < 2;
    const uint32_t *high = one_register ? exec_zeros : exec_read(warp, source, 1, room[1]);
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        value[lane] = (uint64_t)high[lane] << 32 | low[lane];
}

uint32_t exec_predicate(const struct exec_warp *warp, const struct exec_source *source)
{
    if (source->kind == SASS_NONE)
        return UINT32_MAX;
    const uint32_t *file = source->kind == SASS_UNIFORM_PREDICATE ? warp->up : warp->p;
    const uint32_t mask = file[source->index & 7];
    return source->negate ? ~mask : mask;
}

void exec_write(struct exec_warp *warp, const struct exec_inst *inst, uint32_t word, uint32_t lanes,
                const uint32_t value[EXEC_LANES])
{
    if (inst->uniform) {
        if (inst->d + word < SASS_URZ)
            warp->ur[inst->d + word] = value[lowest_lane(lanes)];
        return;
    }
    /* A register pair that begins at R254 has no second row. */
    uint32_t *to = exec_row_to(warp, inst->d + word);
    if (lanes == UINT32_MAX) {
        memcpy(to, value, sizeof warp->r[0]);
        return;
    }
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        to[lane] = lanes & exec_lane_bit[lane] ? value[lane] : to[lane];
}

void exec_write_wide(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                     const uint64_t value[EXEC_LANES])
{
    uint32_t half[EXEC_LANES];
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        half[lane] = (uint32_t)value[lane];
    exec_write(warp, inst, 0, lanes, half);
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        half[lane] = (uint32_t)(value[lane] >> 32);
    exec_write(warp, inst, 1, lanes, half);
}

void exec_write_predicate(struct exec_warp *warp, const struct exec_inst *inst, uint8_t index,
                          uint32_t lanes, uint32_t mask)
{
    if (index >= SASS_PT)
        return;
    if (inst->uniform_p)
        warp->up[index] = mask >> lowest_lane(lanes) & 1 ? UINT32_MAX : 0;
    else
        warp->p[index] = (warp->p[index] & ~lanes) | (mask & lanes);
}
