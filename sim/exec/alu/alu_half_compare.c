/*
 * MODEL: comparisons of pairs of half or bfloat16 numbers: HSET2, HSETP2, HMNMX2.
 * SOURCE: measured on an H200: tests/unit/test_sass_alu_measured.c compares results bit for bit;
 * PTX ISA.
 * LEFT OUT: HSETP2.H_AND was not compared with hardware.
 */
#include "exec/alu/float_compare.h"
#include "exec/alu/half.h"

/*
 * Finds the lanes with x < y, x = y and x > y. Meaning of inst->mod in this file: [0] how masks are
 * combined; [1] comparison; [2] bfloat16; [3] .FTZ; [4] and [5] as the comment of each function
 * says.
 */
static void relations(const float *x, const float *y, struct float_relations *found)
{
    *found = (struct float_relations){0};
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        found->less |= x[i] < y[i] ? exec_lane_bit[i] : 0;
        found->equal |= x[i] == y[i] ? exec_lane_bit[i] : 0;
        found->greater |= x[i] > y[i] ? exec_lane_bit[i] : 0;
    }
}

/* Sets mask[0] to the lanes in which the comparison of the lower halves holds, mask[1] likewise for
 * the upper halves. */
static void compare(const struct exec_warp *warp, const struct exec_inst *inst, uint32_t mask[2])
{
    float a[2][EXEC_LANES], b[2][EXEC_LANES];
    half_read(warp, &inst->a, inst->mod[2], inst->mod[3], a[0], a[1]);
    half_read(warp, &inst->b, inst->mod[2], inst->mod[3], b[0], b[1]);
    for (unsigned k = 0; k < 2; k++) {
        struct float_relations found;
        relations(a[k], b[k], &found);
        mask[k] = float_compare(inst->mod[1], &found);
    }
}

static bool prepare(struct exec_inst *inst, exec_fn *run, const char **why)
{
    alu_second_operand(inst);
    inst->mod[0] = alu_mod(inst, SASS_MOD_BOP);
    inst->mod[1] = alu_mod(inst, SASS_MOD_CMP) & 15;
    inst->mod[2] = alu_mod(inst, SASS_MOD_BF16);
    inst->mod[3] = alu_mod(inst, SASS_MOD_FTZ);
    inst->run = run;
    if (inst->mod[0] <= ALU_XOR)
        return true;
    *why = "an unknown way to combine predicates";
    return false;
}

/* HSET2. mod[4]: the bits of a half where the comparison holds. */
static void hset2(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t mask[2], out[EXEC_LANES];
    const uint32_t with = exec_predicate(warp, &inst->pp);
    compare(warp, inst, mask);
    const uint32_t low = alu_join(inst->mod[0], mask[0], with);
    const uint32_t high = alu_join(inst->mod[0], mask[1], with);
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        out[i] = low & exec_lane_bit[i] ? inst->mod[4] : 0;
        out[i] |= high & exec_lane_bit[i] ? inst->mod[4] << 16 : 0;
    }
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_hset2(struct exec_inst *inst, const char **why)
{
    const uint32_t one = alu_mod(inst, SASS_MOD_BF16) ? 0x3f80 : 0x3c00;
    inst->mod[4] = alu_mod(inst, SASS_MOD_BF) ? one : 0xffff;
    return prepare(inst, hset2, why);
}

/* HSETP2: Pu is the comparison of the lower halves, Pv the comparison of the upper halves. */
static void hsetp2(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t mask[2];
    const uint32_t with = exec_predicate(warp, &inst->pp);
    compare(warp, inst, mask);
    exec_write_predicate(warp, inst, inst->pu, lanes, alu_join(inst->mod[0], mask[0], with));
    exec_write_predicate(warp, inst, inst->pv, lanes, alu_join(inst->mod[0], mask[1], with));
}

/* HSETP2.H_AND: Pu is set where the comparisons of both halves hold, Pv where they do not (not
 * measured). */
static void hsetp2_both(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t mask[2];
    compare(warp, inst, mask);
    alu_write_comparison(warp, inst, lanes, mask[0] & mask[1]);
}

bool alu_hsetp2(struct exec_inst *inst, const char **why)
{
    return prepare(inst, alu_mod(inst, SASS_MOD_H_AND) ? hsetp2_both : hsetp2, why);
}

/* Returns the bits of the smaller of x and y if `minimum`, else of the larger; -0 is below +0. If
 * one is NaN the result is the other, or NaN with mod[4] (.NAN). */
static uint32_t choose(const struct exec_inst *inst, float x, float y, bool minimum)
{
    const bool nan_x = x != x, nan_y = y != y;
    const bool sign_x = alu_float_bits(x) >> 31, sign_y = alu_float_bits(y) >> 31;
    const bool less = x < y || (x == y && sign_x && !sign_y);
    if ((nan_x && nan_y) || (inst->mod[4] && (nan_x || nan_y)))
        return 0x7fff;
    const bool first = nan_y || (!nan_x && (minimum ? less : !less));
    return inst->mod[2] ? bf16_bits(first ? x : y) : half_bits(first ? x : y);
}

/* Applies .XORSIGN: the result's sign is the exclusive or of the signs of a and b, the operands as
 * they are in the registers, without negation and absolute value. NaN keeps its sign. */
static uint32_t with_signs(uint32_t half, float a, float b)
{
    const uint32_t sign = (alu_float_bits(a) ^ alu_float_bits(b)) >> 16 & 0x8000;
    return half == 0x7fff ? half : (half & 0x7fff) | sign;
}

static void exclusive_signs(struct exec_warp *warp, const struct exec_inst *inst,
                            uint32_t low[EXEC_LANES], uint32_t high[EXEC_LANES])
{
    float a[2][EXEC_LANES], b[2][EXEC_LANES];
    struct exec_source plain[2] = {inst->a, inst->b};
    for (unsigned k = 0; k < 2; k++)
        plain[k].negate = plain[k].absolute = false;
    half_read(warp, &plain[0], inst->mod[2], false, a[0], a[1]);
    half_read(warp, &plain[1], inst->mod[2], false, b[0], b[1]);
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        low[i] = with_signs(low[i], a[0][i], b[0][i]);
        high[i] = with_signs(high[i], a[1][i], b[1][i]);
    }
}

static void hmnmx2(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    float a[2][EXEC_LANES], b[2][EXEC_LANES];
    uint32_t low[EXEC_LANES], high[EXEC_LANES];
    const uint32_t minimum = exec_predicate(warp, &inst->pp);
    half_read(warp, &inst->a, inst->mod[2], inst->mod[3], a[0], a[1]);
    half_read(warp, &inst->b, inst->mod[2], inst->mod[3], b[0], b[1]);
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const bool wanted = minimum & exec_lane_bit[i];
        low[i] = choose(inst, a[0][i], b[0][i], wanted);
        high[i] = choose(inst, a[1][i], b[1][i], wanted);
    }
    if (inst->mod[5])
        exclusive_signs(warp, inst, low, high);
    for (unsigned i = 0; i < EXEC_LANES; i++)
        low[i] |= high[i] << 16;
    exec_write(warp, inst, 0, lanes, low);
}

bool alu_hmnmx2(struct exec_inst *inst, const char **why)
{
    inst->mod[4] = alu_mod(inst, SASS_MOD_NAN);
    inst->mod[5] = alu_mod(inst, SASS_MOD_XORSIGN);
    return prepare(inst, hmnmx2, why);
}
