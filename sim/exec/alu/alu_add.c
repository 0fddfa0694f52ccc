/*
 * MODEL: integer addition: IADD3, VIADD, LEA, IABS, VABSDIFF, VABSDIFF4 and their uniform
 * counterparts.
 * SOURCE: measured on an H200: tests/unit/test_sass_alu_measured.c compares results bit for bit;
 * PTX ISA.
 * LEFT OUT: nothing known.
 */
#include "exec/alu/alu.h"

static void iadd3(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[4][EXEC_LANES];
    const uint32_t *a = exec_read_int(warp, &inst->a, room[0]);
    const uint32_t *b = exec_read_int(warp, &inst->b, room[1]);
    const uint32_t *c = exec_read_int(warp, &inst->c, room[2]);
    uint32_t *out = room[3];
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = a[i] + b[i] + c[i];
    exec_write(warp, inst, 0, lanes, out);
}

/* Adds x, or ~x if `complement`, and `plus` to sum[] of each lane. */
static void add_term(uint64_t sum[EXEC_LANES], const uint32_t *x, bool complement, uint32_t plus)
{
    const uint32_t flip = complement ? UINT32_MAX : 0;
    for (unsigned i = 0; i < EXEC_LANES; i++)
        sum[i] += (uint64_t)(x[i] ^ flip) + plus;
}

/* Writes the low words of `sum` to D. Pu is the first carry (sum >= 2^32), Pv the second (sum >=
 * 2^33). */
static void write_sum(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                      const uint64_t sum[EXEC_LANES])
{
    uint32_t word[EXEC_LANES], first[EXEC_LANES], second[EXEC_LANES];
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const uint32_t carry = (uint32_t)(sum[i] >> 32);
        word[i] = (uint32_t)sum[i];
        first[i] = carry;
        second[i] = carry >> 1;
    }
    exec_write(warp, inst, 0, lanes, word);
    exec_write_predicate(warp, inst, inst->pu, lanes, alu_gather(first));
    exec_write_predicate(warp, inst, inst->pv, lanes, alu_gather(second));
}

/* IADD3 with carries. mod[0]: .X, which adds the carries Pp and Pq; negation is then the complement
 * alone. */
static void iadd3_carry(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const struct exec_source *source[3] = {&inst->a, &inst->b, &inst->c};
    uint32_t room[EXEC_LANES], in[2][EXEC_LANES] = {0};
    if (inst->mod[0]) {
        alu_spread(exec_predicate(warp, &inst->pp), in[0]);
        alu_spread(exec_predicate(warp, &inst->pq), in[1]);
    }
    uint64_t sum[EXEC_LANES];
    for (unsigned i = 0; i < EXEC_LANES; i++)
        sum[i] = in[0][i] + in[1][i];
    for (unsigned k = 0; k < 3; k++)
        add_term(sum, exec_read(warp, source[k], 0, room), source[k]->negate,
                 source[k]->negate && !inst->mod[0]);
    write_sum(warp, inst, lanes, sum);
}

/* UIADD3.64: sums of 64 bits, with carries as iadd3_carry has them. An immediate has 32 bits and a
 * sign: cuBLASLt steps back through tensor maps by it. */
static void iadd3_long(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const struct exec_source *source[3] = {&inst->a, &inst->b, &inst->c};
    uint64_t sum[EXEC_LANES] = {0};
    uint32_t room[2][EXEC_LANES], carries[EXEC_LANES] = {0}, second[EXEC_LANES];
    for (unsigned k = 0; k < 3; k++) {
        const uint32_t *low = exec_read(warp, source[k], 0, room[0]);
        const uint32_t *high = exec_read(warp, source[k], 1, room[1]);
        for (unsigned i = 0; i < EXEC_LANES; i++) {
            const uint64_t x = source[k]->kind == SASS_IMMEDIATE
                                   ? (uint64_t)(int64_t)(int32_t)low[i]
                                   : low[i] | (uint64_t)high[i] << 32;
            const uint64_t term = source[k]->negate ? 0 - x : x;
            sum[i] += term;
            carries[i] += sum[i] < term || (source[k]->negate && !x);
        }
    }
    for (unsigned i = 0; i < EXEC_LANES; i++)
        second[i] = carries[i] >> 1;
    exec_write_wide(warp, inst, lanes, sum);
    exec_write_predicate(warp, inst, inst->pu, lanes, alu_gather(carries));
    exec_write_predicate(warp, inst, inst->pv, lanes, alu_gather(second));
}

bool alu_iadd3(struct exec_inst *inst, const char **why)
{
    (void)why;
    inst->mod[0] = alu_mod(inst, SASS_MOD_X);
    const bool carries = inst->mod[0] || inst->pu != SASS_PT || inst->pv != SASS_PT;
    inst->run = inst->a.words > 1 ? iadd3_long : carries ? iadd3_carry : iadd3;
    return true;
}

static void viadd(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[3][EXEC_LANES];
    const uint32_t *a = exec_read_int(warp, &inst->a, room[0]);
    const uint32_t *b = exec_read_int(warp, &inst->b, room[1]);
    uint32_t *out = room[2];
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = a[i] + b[i];
    exec_write(warp, inst, 0, lanes, out);
}

/* VIADD of two 16-bit halves without a carry between them. mod[0]: A is negated; mod[1]: B is
 * negated. */
static void viadd_halves(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[3][EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *b = exec_read(warp, &inst->b, 0, room[1]);
    const uint32_t sign_a = inst->mod[0] ? UINT32_MAX : 1, sign_b = inst->mod[1] ? UINT32_MAX : 1;
    uint32_t *out = room[2];
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const uint32_t low = (a[i] & 0xffff) * sign_a + (b[i] & 0xffff) * sign_b;
        const uint32_t high = (a[i] >> 16) * sign_a + (b[i] >> 16) * sign_b;
        out[i] = (low & 0xffff) | high << 16;
    }
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_viadd(struct exec_inst *inst, const char **why)
{
    (void)why;
    alu_second_operand(inst);
    inst->mod[0] = inst->a.negate;
    inst->mod[1] = inst->b.negate;
    inst->run = alu_mod(inst, SASS_MOD_PACKED) ? viadd_halves : viadd;
    return true;
}

/* Values of mod[2] of LEA: which word of the shifted pair is added, and what the upper word of the
 * pair is. mod[0]: .X; mod[1]: shift in bits. */
enum { LEA_LOW, LEA_HIGH, LEA_HIGH_SIGN };

static void lea_shifted(struct exec_warp *warp, const struct exec_inst *inst,
                        uint32_t out[EXEC_LANES])
{
    uint32_t room[2][EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t shift = inst->mod[1];
    if (inst->mod[2] == LEA_LOW) {
        for (unsigned i = 0; i < EXEC_LANES; i++)
            out[i] = a[i] << shift;
        return;
    }
    const uint32_t *c = exec_read(warp, &inst->c, 0, room[1]);
    const bool sign = inst->mod[2] == LEA_HIGH_SIGN;
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const uint32_t high = sign ? 0u - (a[i] >> 31) : c[i];
        out[i] = (uint32_t)(((uint64_t)high << 32 | a[i]) << shift >> 32);
    }
}

/* LEA without carries, the common case, in 32-bit arithmetic. */
static void lea(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[2][EXEC_LANES];
    uint32_t *out = room[0];
    lea_shifted(warp, inst, out);
    const uint32_t *b = exec_read_int(warp, &inst->b, room[1]);
    const uint32_t flip = inst->a.negate ? UINT32_MAX : 0;
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = (out[i] ^ flip) - flip + b[i];
    exec_write(warp, inst, 0, lanes, out);
}

static void lea_carry(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t shifted[EXEC_LANES], room[EXEC_LANES], in[EXEC_LANES] = {0};
    if (inst->mod[0])
        alu_spread(exec_predicate(warp, &inst->pp), in);
    uint64_t sum[EXEC_LANES];
    for (unsigned i = 0; i < EXEC_LANES; i++)
        sum[i] = in[i];
    lea_shifted(warp, inst, shifted);
    add_term(sum, shifted, inst->a.negate, inst->a.negate && !inst->mod[0]);
    add_term(sum, exec_read(warp, &inst->b, 0, room), inst->b.negate,
             inst->b.negate && !inst->mod[0]);
    write_sum(warp, inst, lanes, sum);
}

bool alu_lea(struct exec_inst *inst, const char **why)
{
    (void)why;
    inst->mod[0] = alu_mod(inst, SASS_MOD_X);
    inst->mod[1] = alu_mod(inst, SASS_MOD_SHIFT);
    if (alu_mod(inst, SASS_MOD_HI))
        inst->mod[2] = alu_mod(inst, SASS_MOD_SX32) ? LEA_HIGH_SIGN : LEA_HIGH;
    inst->run = inst->mod[0] || inst->pu != SASS_PT ? lea_carry : lea;
    return true;
}

static void iabs(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[2][EXEC_LANES];
    const uint32_t *b = exec_read_int(warp, &inst->b, room[0]);
    uint32_t *out = room[1];
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const uint32_t sign = 0u - (b[i] >> 31);
        out[i] = (b[i] ^ sign) - sign;
    }
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_iabs(struct exec_inst *inst, const char **why)
{
    (void)why;
    alu_second_operand(inst);
    inst->run = iabs;
    return true;
}

/* |A - B| + C. mod[0]: A and B are signed. Flipping the sign bits maps signed order to unsigned
 * order, so the unsigned difference is exact. */
static void vabsdiff(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[4][EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *b = exec_read(warp, &inst->b, 0, room[1]);
    const uint32_t *c = exec_read(warp, &inst->c, 0, room[2]);
    const uint32_t flip = inst->mod[0] ? 0x80000000u : 0;
    uint32_t *out = room[3];
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const uint32_t x = a[i] ^ flip, y = b[i] ^ flip;
        out[i] = (x > y ? x - y : y - x) + c[i];
    }
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_vabsdiff(struct exec_inst *inst, const char **why)
{
    (void)why;
    inst->mod[0] = alu_mod(inst, SASS_MOD_SIGNED);
    inst->run = vabsdiff;
    return true;
}

/* Returns the absolute difference of byte k of a and b. `flip` is 0x80 for signed bytes, else 0. */
static uint32_t byte_distance(uint32_t a, uint32_t b, unsigned k, uint32_t flip)
{
    const uint32_t x = ((a >> 8 * k) & 0xff) ^ flip, y = ((b >> 8 * k) & 0xff) ^ flip;
    return x > y ? x - y : y - x;
}

/* VABSDIFF4: each byte of the result is the absolute difference of the bytes of A and B. */
static void vabsdiff4(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[3][EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *b = exec_read(warp, &inst->b, 0, room[1]);
    const uint32_t flip = inst->mod[0] ? 0x80 : 0;
    uint32_t *out = room[2];
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        out[i] = 0;
        for (unsigned k = 0; k < 4; k++)
            out[i] |= byte_distance(a[i], b[i], k, flip) << 8 * k;
    }
    exec_write(warp, inst, 0, lanes, out);
}

/* VABSDIFF4.ACC: C plus the sum of the four absolute differences. */
static void vabsdiff4_sum(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[4][EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *b = exec_read(warp, &inst->b, 0, room[1]);
    const uint32_t *c = exec_read(warp, &inst->c, 0, room[2]);
    const uint32_t flip = inst->mod[0] ? 0x80 : 0;
    uint32_t *out = room[3];
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        out[i] = c[i];
        for (unsigned k = 0; k < 4; k++)
            out[i] += byte_distance(a[i], b[i], k, flip);
    }
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_vabsdiff4(struct exec_inst *inst, const char **why)
{
    (void)why;
    inst->mod[0] = alu_mod(inst, SASS_MOD_SIGNED);
    inst->run = alu_mod(inst, SASS_MOD_ACCUMULATE) ? vabsdiff4_sum : vabsdiff4;
    return true;
}
