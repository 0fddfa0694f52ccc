/*
 * MODEL: operations on bits: PRMT, SHF, SGXT, BMSK, FLO, BREV, POPC and their uniform counterparts.
 * SOURCE: measured on an H200: tests/unit/test_sass_alu_measured.c compares results bit for bit;
 * PTX ISA.
 * LEFT OUT: nothing known.
 */
#include "exec/alu/alu.h"

/* ---- PRMT: selects bytes of the pair {C, A} by the nibbles of B ---- */

enum { PRMT_GENERAL, PRMT_F4E, PRMT_B4E, PRMT_RC8, PRMT_ECL, PRMT_ECR, PRMT_RC16 };

/* prmt_pick[mode][B & 3][k]: the byte of the pair that becomes byte k of the result, for all modes
 * but the general one (PTX ISA, prmt). */
static const uint8_t prmt_pick[7][4][4] = {
    [PRMT_F4E] = {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}},
    [PRMT_B4E] = {{0, 7, 6, 5}, {1, 0, 7, 6}, {2, 1, 0, 7}, {3, 2, 1, 0}},
    [PRMT_RC8] = {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}},
    [PRMT_ECL] = {{0, 1, 2, 3}, {1, 1, 2, 3}, {2, 2, 2, 3}, {3, 3, 3, 3}},
    [PRMT_ECR] = {{0, 0, 0, 0}, {0, 1, 1, 1}, {0, 1, 2, 2}, {0, 1, 2, 3}},
    [PRMT_RC16] = {{0, 1, 0, 1}, {2, 3, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}},
};

/* Returns the selector with which the general mode does what `mode` does for this value of B. */
static uint32_t prmt_selector(uint32_t mode, uint32_t b)
{
    if (mode == PRMT_GENERAL)
        return b;
    const uint8_t *pick = prmt_pick[mode][b & 3];
    return (uint32_t)(pick[0] | pick[1] << 4 | pick[2] << 8 | pick[3] << 12);
}

static uint32_t prmt_byte(uint64_t bytes, uint32_t nibble)
{
    const uint32_t byte = bytes >> 8 * (nibble & 7) & 0xff;
    return nibble & 8 ? (0u - (byte >> 7)) & 0xff : byte;
}

static void prmt(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[4][EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *b = exec_read(warp, &inst->b, 0, room[1]);
    const uint32_t *c = exec_read(warp, &inst->c, 0, room[2]);
    uint32_t *out = room[3];
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const uint64_t bytes = (uint64_t)c[i] << 32 | a[i];
        const uint32_t selector = prmt_selector(inst->mod[0], b[i]);
        out[i] = 0;
        for (unsigned k = 0; k < 4; k++)
            out[i] |= prmt_byte(bytes, selector >> 4 * k) << 8 * k;
    }
    exec_write(warp, inst, 0, lanes, out);
}

/* Sets byte k of out[] to the byte of from[] that starts at bit `shift`, or to eight copies of its
 * sign bit if `sign`. */
static void prmt_take(uint32_t *restrict out, const uint32_t *restrict from, uint32_t shift,
                      bool sign, unsigned k)
{
    if (sign)
        for (unsigned i = 0; i < EXEC_LANES; i++)
            out[i] |= ((0u - (from[i] >> (shift + 7) & 1)) & 0xff) << 8 * k;
    else
        for (unsigned i = 0; i < EXEC_LANES; i++)
            out[i] |= (from[i] >> shift & 0xff) << 8 * k;
}

/* PRMT whose selector, mod[1], is the same for all lanes. */
static void prmt_known(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[2][EXEC_LANES], out[EXEC_LANES] = {0};
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *c = exec_read(warp, &inst->c, 0, room[1]);
    for (unsigned k = 0; k < 4; k++) {
        const uint32_t nibble = inst->mod[1] >> 4 * k & 15;
        prmt_take(out, nibble & 4 ? c : a, 8 * (nibble & 3), nibble & 8, k);
    }
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_prmt(struct exec_inst *inst, const char **why)
{
    inst->mod[0] = alu_mod(inst, SASS_MOD_PRMT_MODE);
    if (inst->mod[0] > PRMT_RC16) {
        *why = "a mode of PRMT that is not known";
        return false;
    }
    inst->run = prmt;
    if (inst->b.kind == SASS_IMMEDIATE || inst->b.kind == SASS_CONSTANT) {
        inst->mod[1] = prmt_selector(inst->mod[0], inst->b.value[0]);
        inst->run = prmt_known;
    }
    return true;
}

/* ---- SHF: shifts the pair {C, A} by B; mod[0]: .W, the amount wraps; mod[1]: width in bits;
 * mod[2]: signed ---- */

static uint32_t shift_amount(const struct exec_inst *inst, uint32_t b)
{
    if (inst->mod[0])
        return b & (inst->mod[1] - 1);
    return b < inst->mod[1] ? b : inst->mod[1];
}

/* Return `value` shifted by 0 to 64 bits; shift_right fills with the sign if `is_signed`. */
static uint64_t shift_left(uint64_t value, uint32_t by)
{
    return by < 64 ? value << by : 0;
}

static uint64_t shift_right(uint64_t value, uint32_t by, bool is_signed)
{
    const uint64_t fill = is_signed ? 0 - (value >> 63) : 0;
    return by == 0 ? value : by < 64 ? value >> by | fill << (64 - by) : fill;
}

/* SHF in general. mod[3]: to the right; mod[4]: D is the high word of the shifted pair. */
static void shf(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[4][EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *b = exec_read(warp, &inst->b, 0, room[1]);
    const uint32_t *c = exec_read(warp, &inst->c, 0, room[2]);
    uint32_t *out = room[3];
    const uint32_t word = inst->mod[4] ? 32 : 0;
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const uint64_t pair = (uint64_t)c[i] << 32 | a[i];
        const uint32_t by = shift_amount(inst, b[i]);
        const uint64_t moved =
            inst->mod[3] ? shift_right(pair, by, inst->mod[2]) : shift_left(pair, by);
        out[i] = (uint32_t)(moved >> word);
    }
    exec_write(warp, inst, 0, lanes, out);
}

/* The functions below do a SHF of 1 to 31 bits, mod[5], which is the same for all lanes, where D
 * depends on one word of the pair only. */
static void shf_left_low(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[2][EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    for (unsigned i = 0; i < EXEC_LANES; i++)
        room[1][i] = a[i] << inst->mod[5];
    exec_write(warp, inst, 0, lanes, room[1]);
}

static void shf_right_high(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[2][EXEC_LANES];
    const uint32_t *c = exec_read(warp, &inst->c, 0, room[0]);
    for (unsigned i = 0; i < EXEC_LANES; i++)
        room[1][i] = c[i] >> inst->mod[5];
    exec_write(warp, inst, 0, lanes, room[1]);
}

static void shf_right_high_signed(struct exec_warp *warp, const struct exec_inst *inst,
                                  uint32_t lanes)
{
    uint32_t room[2][EXEC_LANES];
    const uint32_t *c = exec_read(warp, &inst->c, 0, room[0]);
    for (unsigned i = 0; i < EXEC_LANES; i++)
        room[1][i] = (uint32_t)((int32_t)c[i] >> inst->mod[5]);
    exec_write(warp, inst, 0, lanes, room[1]);
}

/* SHF of 1 to 31 bits where D has bits of both words: mod[6] is the left shift of C, mod[7] the
 * right shift of A; both are 1 to 31. */
static void shf_both(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[3][EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *c = exec_read(warp, &inst->c, 0, room[1]);
    for (unsigned i = 0; i < EXEC_LANES; i++)
        room[2][i] = c[i] << inst->mod[6] | a[i] >> inst->mod[7];
    exec_write(warp, inst, 0, lanes, room[2]);
}

/* Chooses a faster run function if the amount is known at prepare time and is 1 to 31, as in nearly
 * all compiled code. */
static void choose_known_shift(struct exec_inst *inst)
{
    const uint32_t by = shift_amount(inst, inst->b.value[0]);
    const bool right = inst->mod[3], high = inst->mod[4];
    if (by < 1 || by > 31)
        return;
    inst->mod[5] = by;
    if (right && high)
        inst->run = inst->mod[2] ? shf_right_high_signed : shf_right_high;
    else if (!right && !high)
        inst->run = shf_left_low;
    else
        inst->run = shf_both;
    inst->mod[6] = right ? 32 - by : by;
    inst->mod[7] = right ? by : 32 - by;
}

bool alu_shf(struct exec_inst *inst, const char **why)
{
    (void)why;
    const uint32_t type = alu_mod(inst, SASS_MOD_SHIFT_TYPE); /* S64 U64 S32 U32 */
    inst->mod[0] = alu_mod(inst, SASS_MOD_WRAP);
    inst->mod[1] = type < 2 ? 64 : 32;
    inst->mod[2] = type % 2 == 0;
    inst->mod[3] = alu_mod(inst, SASS_MOD_RIGHT);
    inst->mod[4] = alu_mod(inst, SASS_MOD_HI);
    inst->run = shf;
    if (inst->b.kind == SASS_IMMEDIATE || inst->b.kind == SASS_CONSTANT)
        choose_known_shift(inst);
    return true;
}

/* ---- SGXT, BMSK ---- */

/* SGXT: extends the lowest B bits of A. mod[0]: .W, B wraps; mod[1]: 32; mod[2]: signed. */
static void sgxt(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[3][EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *b = exec_read(warp, &inst->b, 0, room[1]);
    uint32_t *out = room[2];
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const uint32_t bits = shift_amount(inst, b[i]);
        const uint32_t keep = (uint32_t)((UINT64_C(1) << bits) - 1);
        const uint32_t sign = inst->mod[2] && bits > 0 ? 1u << (bits - 1) : 0;
        out[i] = ((a[i] & keep) ^ sign) - sign;
    }
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_sgxt(struct exec_inst *inst, const char **why)
{
    (void)why;
    alu_second_operand(inst);
    inst->mod[0] = alu_mod(inst, SASS_MOD_WRAP);
    inst->mod[1] = 32;
    inst->mod[2] = alu_mod(inst, SASS_MOD_SIGNED);
    inst->run = sgxt;
    return true;
}

/* BMSK: B ones from bit A on. mod[0]: .W, A and B wrap; mod[1]: 32. */
static void bmsk(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[3][EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *b = exec_read(warp, &inst->b, 0, room[1]);
    uint32_t *out = room[2];
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const uint64_t ones = (UINT64_C(1) << shift_amount(inst, b[i])) - 1;
        out[i] = (uint32_t)(ones << shift_amount(inst, a[i]));
    }
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_bmsk(struct exec_inst *inst, const char **why)
{
    (void)why;
    alu_second_operand(inst);
    inst->mod[0] = alu_mod(inst, SASS_MOD_WRAP);
    inst->mod[1] = 32;
    inst->run = bmsk;
    return true;
}

/* ---- FLO, BREV, POPC: mod[0] is all ones if B is negated, which inverts all its bits ---- */

static const uint32_t *read_inverted(const struct exec_warp *warp, const struct exec_inst *inst,
                                     uint32_t room[EXEC_LANES])
{
    const uint32_t *b = exec_read(warp, &inst->b, 0, room);
    const uint32_t flip = inst->mod[0];
    for (unsigned i = 0; i < EXEC_LANES; i++)
        room[i] = b[i] ^ flip;
    return room;
}

/*
 * FLO: the index of the highest set bit. mod[1]: signed, the highest bit that differs from the sign
 * bit; mod[2]: .SH, 31 minus the index. Without such a bit D is all ones. Pu: there is such a bit.
 */
static void flo(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[EXEC_LANES], out[EXEC_LANES];
    const uint32_t *b = read_inverted(warp, inst, room);
    uint32_t found = 0;
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const uint32_t value = inst->mod[1] && b[i] >> 31 ? ~b[i] : b[i];
        const uint32_t zeros = value ? (uint32_t)__builtin_clz(value) : 0;
        out[i] = !value ? UINT32_MAX : inst->mod[2] ? zeros : 31 - zeros;
        found |= value ? exec_lane_bit[i] : 0;
    }
    exec_write(warp, inst, 0, lanes, out);
    exec_write_predicate(warp, inst, inst->pu, lanes, found);
}

bool alu_flo(struct exec_inst *inst, const char **why)
{
    (void)why;
    alu_second_operand(inst);
    inst->mod[0] = inst->b.negate ? UINT32_MAX : 0;
    inst->mod[1] = alu_mod(inst, SASS_MOD_SIGNED);
    inst->mod[2] = alu_mod(inst, SASS_MOD_SH);
    inst->run = flo;
    return true;
}

/* Swaps neighbouring groups of `by` bits. `low` masks every other group, from the lowest on. */
static uint32_t swap_groups(uint32_t value, uint32_t by, uint32_t low)
{
    return (value >> by & low) | (value & low) << by;
}

static void brev(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[EXEC_LANES], out[EXEC_LANES];
    const uint32_t *b = read_inverted(warp, inst, room);
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        uint32_t value = swap_groups(b[i], 1, 0x55555555u);
        value = swap_groups(value, 2, 0x33333333u);
        value = swap_groups(value, 4, 0x0f0f0f0fu);
        value = swap_groups(value, 8, 0x00ff00ffu);
        out[i] = value >> 16 | value << 16;
    }
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_brev(struct exec_inst *inst, const char **why)
{
    (void)why;
    alu_second_operand(inst);
    inst->mod[0] = inst->b.negate ? UINT32_MAX : 0;
    inst->run = brev;
    return true;
}

static void popc(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[EXEC_LANES], out[EXEC_LANES];
    const uint32_t *b = read_inverted(warp, inst, room);
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        uint32_t sum = b[i] - (b[i] >> 1 & 0x55555555u);
        sum = (sum & 0x33333333u) + (sum >> 2 & 0x33333333u);
        sum = (sum + (sum >> 4)) & 0x0f0f0f0fu;
        out[i] = sum * 0x01010101u >> 24;
    }
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_popc(struct exec_inst *inst, const char **why)
{
    (void)why;
    alu_second_operand(inst);
    inst->mod[0] = inst->b.negate ? UINT32_MAX : 0;
    inst->run = popc;
    return true;
}
