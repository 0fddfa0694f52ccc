/*
 * MODEL: integer multiplication: IMAD, IMAD.WIDE, IMAD.HI, IDP and their uniform counterparts.
 * SOURCE: measured on an H200: tests/unit/test_sass_alu_measured.c compares results bit for bit;
 * PTX ISA.
 * LEFT OUT: IMAD.X with a carry out, which compiled code does not have, is refused.
 */
#include "exec/alu/alu.h"

static void imad(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[4][EXEC_LANES];
    const uint32_t *a = exec_read_int(warp, &inst->a, room[0]);
    const uint32_t *b = exec_read_int(warp, &inst->b, room[1]);
    const uint32_t *c = exec_read_int(warp, &inst->c, room[2]);
    uint32_t *out = room[3];
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = a[i] * b[i] + c[i];
    exec_write(warp, inst, 0, lanes, out);
}

/* IMAD with A or B = RZ: IMAD.MOV, the most frequent move. */
static void imad_move(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[2][EXEC_LANES];
    memcpy(room[1], exec_read_int(warp, &inst->c, room[0]), sizeof room[1]);
    exec_write(warp, inst, 0, lanes, room[1]);
}

/* IMAD.X adds the carry Pp; negation of C is the complement ~C. */
static void imad_x(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[4][EXEC_LANES], carry[EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *b = exec_read(warp, &inst->b, 0, room[1]);
    const uint32_t *c = exec_read(warp, &inst->c, 0, room[2]);
    const uint32_t flip = inst->c.negate ? UINT32_MAX : 0;
    uint32_t *out = room[3];
    alu_spread(exec_predicate(warp, &inst->pp), carry);
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = a[i] * b[i] + (c[i] ^ flip) + carry[i];
    exec_write(warp, inst, 0, lanes, out);
}

static bool is_zero_register(const struct exec_source *source)
{
    return (source->kind == SASS_REGISTER && source->index == SASS_RZ) ||
           (source->kind == SASS_UNIFORM && source->index == SASS_URZ);
}

bool alu_imad(struct exec_inst *inst, const char **why)
{
    if (inst->pu != SASS_PT) { /* never seen in compiled code */
        *why = "IMAD.X with a carry out";
        return false;
    }
    if (alu_mod(inst, SASS_MOD_X))
        inst->run = imad_x;
    else if (is_zero_register(&inst->a) || is_zero_register(&inst->b))
        inst->run = imad_move;
    else
        inst->run = imad;
    return true;
}

/* Computes the 64-bit products of A and B. Meaning of inst->mod: [0] signed; [1] .X; [2] D is the
 * high word alone. */
static void wide_products(struct exec_warp *warp, const struct exec_inst *inst,
                          uint64_t product[EXEC_LANES])
{
    uint32_t room[2][EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *b = exec_read(warp, &inst->b, 0, room[1]);
    for (unsigned i = 0; i < EXEC_LANES; i++)
        product[i] = (uint64_t)a[i] * b[i];
    if (!inst->mod[0])
        return;
    /* In two's complement a factor with its top bit set is smaller by 2^32 than the unsigned
     * factor. */
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const uint32_t less = ((0u - (a[i] >> 31)) & b[i]) + ((0u - (b[i] >> 31)) & a[i]);
        product[i] -= (uint64_t)less << 32;
    }
}

static void imad_wide(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint64_t sum[EXEC_LANES], c[EXEC_LANES];
    uint32_t in[EXEC_LANES] = {0}, out[EXEC_LANES];
    wide_products(warp, inst, sum);
    exec_read_wide(warp, &inst->c, c);
    if (inst->mod[1])
        alu_spread(exec_predicate(warp, &inst->pp), in);
    const uint64_t flip = inst->c.negate ? UINT64_MAX : 0;
    const uint64_t plus = inst->c.negate && !inst->mod[1];
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const uint64_t product = sum[i], term = c[i] ^ flip, carry = in[i] + plus;
        const uint64_t low = product + term;
        sum[i] = low + carry;
        out[i] = (low < product) | (sum[i] < low);
    }
    exec_write_predicate(warp, inst, inst->pu, lanes, alu_gather(out));
    if (!inst->mod[2]) {
        exec_write_wide(warp, inst, lanes, sum);
        return;
    }
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = (uint32_t)(sum[i] >> 32);
    exec_write(warp, inst, 0, lanes, out);
}

/* IMAD.WIDE in its frequent form: no carries, C not negated. The product's low word does not depend
 * on the signs. */
static void imad_wide_plain(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[4][EXEC_LANES], low[EXEC_LANES], high[EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *b = exec_read(warp, &inst->b, 0, room[1]);
    const uint32_t *c0 = exec_read(warp, &inst->c, 0, room[2]);
    const uint32_t *c1 = exec_read(warp, &inst->c, 1, room[3]);
    for (unsigned i = 0; i < EXEC_LANES; i++)
        high[i] = (uint32_t)((uint64_t)a[i] * b[i] >> 32);
    if (inst->mod[0])
        for (unsigned i = 0; i < EXEC_LANES; i++)
            high[i] -= ((0u - (a[i] >> 31)) & b[i]) + ((0u - (b[i] >> 31)) & a[i]);
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        low[i] = a[i] * b[i] + c0[i];
        high[i] += c1[i] + (low[i] < c0[i]);
    }
    exec_write(warp, inst, 0, lanes, low);
    exec_write(warp, inst, 1, lanes, high);
}

bool alu_imad_wide(struct exec_inst *inst, const char **why)
{
    (void)why;
    inst->mod[0] = alu_mod(inst, SASS_MOD_SIGNED);
    inst->mod[1] = alu_mod(inst, SASS_MOD_X);
    if (inst->c.kind == SASS_IMMEDIATE && inst->mod[0])
        inst->c.value[1] = 0u - (inst->c.value[0] >> 31);
    const bool plain = !inst->mod[1] && !inst->c.negate && inst->pu == SASS_PT;
    inst->run = plain ? imad_wide_plain : imad_wide;
    return true;
}

bool alu_imad_hi(struct exec_inst *inst, const char **why)
{
    alu_imad_wide(inst, why);
    inst->mod[2] = 1;
    inst->run = imad_wide;
    return true;
}

/* Returns element k of `word`, which has elements of `bits` bits (8 or 16), as a 32-bit value.
 * `flip` is the element's sign bit, or 0 for unsigned elements. */
static uint32_t element(uint32_t word, unsigned bits, unsigned k, uint32_t flip)
{
    const uint32_t value = word >> bits * k & ((1u << bits) - 1);
    return (value ^ flip) - flip;
}

/* IDP.4A. mod[0], mod[1]: the sign bit of the elements of A and of B, or 0. */
static void idp_4a(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[4][EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *b = exec_read(warp, &inst->b, 0, room[1]);
    const uint32_t *c = exec_read(warp, &inst->c, 0, room[2]);
    uint32_t *out = room[3];
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        uint32_t sum = c[i];
        for (unsigned k = 0; k < 4; k++)
            sum += element(a[i], 8, k, inst->mod[0]) * element(b[i], 8, k, inst->mod[1]);
        out[i] = sum;
    }
    exec_write(warp, inst, 0, lanes, out);
}

/* IDP.2A: two halves of A times two bytes of B. mod[2]: the first of the two bytes. */
static void idp_2a(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[4][EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *b = exec_read(warp, &inst->b, 0, room[1]);
    const uint32_t *c = exec_read(warp, &inst->c, 0, room[2]);
    uint32_t *out = room[3];
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        uint32_t sum = c[i];
        for (unsigned k = 0; k < 2; k++)
            sum += element(a[i], 16, k, inst->mod[0]) *
                   element(b[i], 8, inst->mod[2] + k, inst->mod[1]);
        out[i] = sum;
    }
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_idp(struct exec_inst *inst, const char **why)
{
    (void)why;
    const bool two = alu_mod(inst, SASS_MOD_TWO) != 0;
    if (alu_mod(inst, SASS_MOD_SIGNED))
        inst->mod[0] = two ? 0x8000 : 0x80;
    inst->mod[1] = alu_mod(inst, SASS_MOD_SIGNED_B) ? 0x80 : 0;
    inst->mod[2] = alu_mod(inst, SASS_MOD_HI) ? 2 : 0;
    inst->run = two ? idp_2a : idp_4a;
    return true;
}
