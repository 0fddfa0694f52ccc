/* Comparing integers: ISETP, IMNMX, VIMNMX, VIADDMNMX and their uniform twins. */
#include "front/sass/execute/alu.h"

/* Lanes in which a comparison of two values holds. */
typedef uint32_t compare_fn(const uint32_t *a, const uint32_t *b);

#define COMPARE(name, type, operator)                                                              \
    static uint32_t name(const uint32_t *a, const uint32_t *b)                                     \
    {                                                                                              \
        uint32_t mask = 0;                                                                         \
        for (unsigned i = 0; i < EXEC_LANES; i++)                                                  \
            mask |= (type)a[i] operator(type) b[i] ? exec_lane_bit[i] : 0;                         \
        return mask;                                                                               \
    }

COMPARE(less_signed, int32_t, <)
COMPARE(less_unsigned, uint32_t, <)
COMPARE(equal, uint32_t, ==)

/* Every comparison is one of three, of (A, B) or of (B, A), perhaps inverted. */
enum { COMPARE_LESS, COMPARE_EQUAL, COMPARE_NEVER };

static const struct {
    uint8_t kind;
    bool swap, invert;
} comparison[8] = {
    {COMPARE_NEVER, false, false}, /* F */
    {COMPARE_LESS, false, false},  /* LT */
    {COMPARE_EQUAL, false, false}, /* EQ */
    {COMPARE_LESS, true, true},    /* LE */
    {COMPARE_LESS, true, false},   /* GT */
    {COMPARE_EQUAL, false, true},  /* NE */
    {COMPARE_LESS, false, true},   /* GE */
    {COMPARE_NEVER, false, true},  /* T */
};

/* mod: 0 how it is joined, 1 kind, 2 inverted, 3 signed; A and B are swapped when prepared. */
static uint32_t compared(struct exec_warp *warp, const struct exec_inst *inst, uint32_t *ties)
{
    uint32_t room[2][EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *b = exec_read(warp, &inst->b, 0, room[1]);
    uint32_t mask = 0;
    if (inst->mod[1] == COMPARE_LESS)
        mask = inst->mod[3] ? less_signed(a, b) : less_unsigned(a, b);
    else if (inst->mod[1] == COMPARE_EQUAL)
        mask = equal(a, b);
    if (ties)
        *ties = equal(a, b);
    return inst->mod[2] ? ~mask : mask;
}

static void isetp(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    alu_write_comparison(warp, inst, lanes, compared(warp, inst, NULL));
}

/* .EX compares the high words of a pair: where they are equal, the low words' result (Pr) holds. */
static void isetp_ex(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t ties;
    const uint32_t mask = compared(warp, inst, &ties);
    const uint32_t low = exec_predicate(warp, &inst->pr);
    alu_write_comparison(warp, inst, lanes, (mask & ~ties) | (low & ties));
}

bool alu_isetp(struct exec_inst *inst, const char **why)
{
    alu_second_operand(inst);
    const uint32_t code = alu_mod(inst, SASS_MOD_CMP) & 7;
    inst->mod[0] = alu_mod(inst, SASS_MOD_BOP);
    inst->mod[1] = comparison[code].kind;
    inst->mod[2] = comparison[code].invert;
    inst->mod[3] = alu_mod(inst, SASS_MOD_SIGNED);
    if (inst->mod[0] > ALU_XOR) {
        *why = "a way of joining predicates that is not known";
        return false;
    }
    if (comparison[code].swap) {
        const struct exec_source a = inst->a;
        inst->a = inst->b;
        inst->b = a;
    }
    inst->run = alu_mod(inst, SASS_MOD_EX) ? isetp_ex : isetp;
    return true;
}

/* out[i] = Pp ? min : max of two words; flip is the sign bit for signed values, so that they can be
 * compared as unsigned ones. */
static void choose(struct exec_warp *warp, const struct exec_inst *inst, const uint32_t *a,
                   const uint32_t *b, uint32_t flip, uint32_t out[EXEC_LANES])
{
    const uint32_t minimum = exec_predicate(warp, &inst->pp);
    if (minimum == UINT32_MAX) {
        for (unsigned i = 0; i < EXEC_LANES; i++)
            out[i] = (a[i] ^ flip) < (b[i] ^ flip) ? a[i] : b[i];
        return;
    }
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const bool less = (a[i] ^ flip) < (b[i] ^ flip);
        out[i] = less == ((minimum & exec_lane_bit[i]) != 0) ? a[i] : b[i];
    }
}

/* mod: 0 sign bit or 0, 1 negative results become 0. */
static void imnmx(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[3][EXEC_LANES];
    const uint32_t *a = exec_read_int(warp, &inst->a, room[0]);
    const uint32_t *b = exec_read_int(warp, &inst->b, room[1]);
    uint32_t *out = room[2];
    choose(warp, inst, a, b, inst->mod[0], out);
    if (inst->mod[1])
        for (unsigned i = 0; i < EXEC_LANES; i++)
            out[i] &= ~(0u - (out[i] >> 31));
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_imnmx(struct exec_inst *inst, const char **why)
{
    (void)why;
    alu_second_operand(inst);
    inst->mod[0] = alu_mod(inst, SASS_MOD_SIGNED) ? 0x80000000u : 0;
    inst->run = imnmx;
    return true;
}

/* Both halves, each in the upper half of a word so that the same comparison serves. */
static void imnmx_halves(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[2][EXEC_LANES], x[EXEC_LANES], y[EXEC_LANES], high[EXEC_LANES], low[EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *b = exec_read(warp, &inst->b, 0, room[1]);
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        x[i] = a[i] << 16;
        y[i] = b[i] << 16;
    }
    choose(warp, inst, x, y, inst->mod[0], low);
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        x[i] = a[i] & 0xffff0000u;
        y[i] = b[i] & 0xffff0000u;
    }
    choose(warp, inst, x, y, inst->mod[0], high);
    const uint32_t relu = inst->mod[1] ? UINT32_MAX : 0;
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        high[i] &= ~((0u - (high[i] >> 31)) & relu);
        low[i] &= ~((0u - (low[i] >> 31)) & relu);
        high[i] |= low[i] >> 16;
    }
    exec_write(warp, inst, 0, lanes, high);
}

bool alu_vimnmx(struct exec_inst *inst, const char **why)
{
    alu_imnmx(inst, why);
    inst->mod[1] = alu_mod(inst, SASS_MOD_RELU);
    if (alu_mod(inst, SASS_MOD_PACKED))
        inst->run = imnmx_halves;
    return true;
}

/* Pp ? min(A + B, C) : max(A + B, C); the sum wraps. */
static void viaddmnmx(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[4][EXEC_LANES];
    const uint32_t *a = exec_read_int(warp, &inst->a, room[0]);
    const uint32_t *b = exec_read_int(warp, &inst->b, room[1]);
    const uint32_t *c = exec_read_int(warp, &inst->c, room[2]);
    uint32_t *out = room[3], sum[EXEC_LANES];
    for (unsigned i = 0; i < EXEC_LANES; i++)
        sum[i] = a[i] + b[i];
    choose(warp, inst, sum, c, inst->mod[0], out);
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_viaddmnmx(struct exec_inst *inst, const char **why)
{
    if (alu_mod(inst, SASS_MOD_PACKED) || alu_mod(inst, SASS_MOD_RELU)) {
        *why = "VIADDMNMX of halves or with .RELU";
        return false;
    }
    inst->mod[0] = alu_mod(inst, SASS_MOD_SIGNED) ? 0x80000000u : 0;
    inst->run = viaddmnmx;
    return true;
}
