/*
 * MODEL: single-precision operations without arithmetic: FMNMX, FSEL, FSET, FSETP, FCHK.
 * SOURCE: measured on an H200: tests/unit/test_sass_alu_measured.c compares results bit for bit;
 * FCHK: measured on an H200 for all pairs of exponents.
 * LEFT OUT: nothing known.
 */
#include "exec/alu/alu.h"
#include "exec/alu/float_compare.h"

/* Reads A and B, flushed to zero where mod[7] (.FTZ) says so. */
static void read_pair(const struct exec_warp *warp, const struct exec_inst *inst,
                      uint32_t a[EXEC_LANES], uint32_t b[EXEC_LANES])
{
    uint32_t room[2][EXEC_LANES];
    memcpy(a, exec_read_float(warp, &inst->a, room[0]), sizeof room[0]);
    memcpy(b, exec_read_float(warp, &inst->b, room[1]), sizeof room[1]);
    if (!inst->mod[7])
        return;
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        a[i] = alu_flush(a[i]);
        b[i] = alu_flush(b[i]);
    }
}

/* Returns an integer whose order is the order of the numbers, with -0 below +0. */
static inline int32_t order(uint32_t bits)
{
    return (int32_t)(bits ^ ((0u - (bits >> 31)) >> 1));
}

/* Sets sign[] to the exclusive or of the sign bits of the registers A and B. Negation and absolute
 * value of the operands have no influence. */
static void exclusive_signs(const struct exec_warp *warp, const struct exec_inst *inst,
                            uint32_t sign[EXEC_LANES])
{
    uint32_t room[2][EXEC_LANES];
    const uint32_t *a = exec_read(warp, &inst->a, 0, room[0]);
    const uint32_t *b = exec_read(warp, &inst->b, 0, room[1]);
    for (unsigned i = 0; i < EXEC_LANES; i++)
        sign[i] = (a[i] ^ b[i]) & 0x80000000u;
}

/*
 * FMNMX. mod[0]: .NAN, a NaN operand gives NaN; without it the other operand is the result. Two NaN
 * operands give 0x7fffffff. mod[1]: .XORSIGN, the result's sign is the exclusive or of the
 * operands' signs.
 */
static void fmnmx(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t a[EXEC_LANES], b[EXEC_LANES], out[EXEC_LANES], minimum[EXEC_LANES];
    uint32_t sign[EXEC_LANES] = {0};
    read_pair(warp, inst, a, b);
    alu_spread(exec_predicate(warp, &inst->pp), minimum);
    if (inst->mod[1])
        exclusive_signs(warp, inst, sign);
    const uint32_t keep = inst->mod[1] ? 0x7fffffffu : UINT32_MAX;
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const uint32_t x = a[i], y = b[i];
        const bool first = minimum[i] ? order(x) <= order(y) : order(x) >= order(y);
        const bool nan_x = alu_is_nan(x), nan_y = alu_is_nan(y);
        const uint32_t result = nan_y || (first && !nan_x) ? x : y;
        const bool nan = (nan_x && nan_y) || (inst->mod[0] && (nan_x || nan_y));
        out[i] = nan ? 0x7fffffffu : (result & keep) | sign[i];
    }
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_fmnmx(struct exec_inst *inst, const char **why)
{
    (void)why;
    alu_second_operand(inst);
    inst->mod[0] = alu_mod(inst, SASS_MOD_NAN);
    inst->mod[1] = alu_mod(inst, SASS_MOD_XORSIGN);
    inst->mod[7] = alu_mod(inst, SASS_MOD_FTZ);
    inst->run = fmnmx;
    return true;
}

/* FSEL copies the bits of A or B unchanged, NaN included. */
static void fsel(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t a[EXEC_LANES], b[EXEC_LANES];
    read_pair(warp, inst, a, b);
    const uint32_t take = exec_predicate(warp, &inst->pp);
    for (unsigned i = 0; i < EXEC_LANES; i++)
        a[i] = take & exec_lane_bit[i] ? a[i] : b[i];
    exec_write(warp, inst, 0, lanes, a);
}

bool alu_fsel(struct exec_inst *inst, const char **why)
{
    (void)why;
    alu_second_operand(inst);
    inst->mod[7] = alu_mod(inst, SASS_MOD_FTZ);
    inst->run = fsel;
    return true;
}

/* Returns the lanes in which comparison mod[1] holds. */
static uint32_t compared(const struct exec_warp *warp, const struct exec_inst *inst)
{
    uint32_t a[EXEC_LANES], b[EXEC_LANES];
    struct float_relations found = {0};
    read_pair(warp, inst, a, b);
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const float x = alu_float(a[i]), y = alu_float(b[i]);
        found.less |= x < y ? exec_lane_bit[i] : 0;
        found.equal |= x == y ? exec_lane_bit[i] : 0;
        found.greater |= x > y ? exec_lane_bit[i] : 0;
    }
    return float_compare(inst->mod[1], &found);
}

static void fsetp(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    alu_write_comparison(warp, inst, lanes, compared(warp, inst));
}

/* FSET: 1.0 in the lanes in which the comparison holds, else 0.0. */
static void fset(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t out[EXEC_LANES];
    const uint32_t mask =
        alu_join(inst->mod[0], compared(warp, inst), exec_predicate(warp, &inst->pp));
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = mask & exec_lane_bit[i] ? 0x3f800000u : 0;
    exec_write(warp, inst, 0, lanes, out);
}

static bool prepare_comparison(struct exec_inst *inst, const char **why)
{
    alu_second_operand(inst);
    inst->mod[0] = alu_mod(inst, SASS_MOD_BOP);
    inst->mod[1] = alu_mod(inst, SASS_MOD_CMP) & 15;
    inst->mod[7] = alu_mod(inst, SASS_MOD_FTZ);
    if (inst->mod[0] <= ALU_XOR)
        return true;
    *why = "an unknown way to combine predicates";
    return false;
}

bool alu_fsetp(struct exec_inst *inst, const char **why)
{
    inst->run = fsetp;
    return prepare_comparison(inst, why);
}

bool alu_fset(struct exec_inst *inst, const char **why)
{
    inst->run = fset;
    return prepare_comparison(inst, why);
}

static uint32_t exponent_field(uint32_t bits)
{
    return bits >> 23 & 255;
}

/*
 * Returns whether A / B needs the slow path. The Newton iteration by which compilers divide is
 * exact unless an operand, the quotient or a remainder leaves the normal range. The rule is
 * measured on an H200 for all pairs of exponents; fractions and signs do not matter.
 */
static bool needs_slow_division(uint32_t a, uint32_t b)
{
    const int32_t x = (int32_t)exponent_field(a), y = (int32_t)exponent_field(b);
    const bool dividend_fits = x >= 25 && x <= 254, divisor_fits = y >= 2 && y <= 251;
    return !dividend_fits || !divisor_fits || x - y < -124 || x - y > 126;
}

static void fchk(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t a[EXEC_LANES], b[EXEC_LANES], mask = 0;
    read_pair(warp, inst, a, b);
    for (unsigned i = 0; i < EXEC_LANES; i++)
        mask |= needs_slow_division(a[i], b[i]) ? exec_lane_bit[i] : 0;
    exec_write_predicate(warp, inst, inst->pu, lanes, mask);
}

bool alu_fchk(struct exec_inst *inst, const char **why)
{
    (void)why;
    alu_second_operand(inst);
    inst->run = fchk;
    return true;
}
