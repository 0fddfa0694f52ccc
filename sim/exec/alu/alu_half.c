/*
 * MODEL: arithmetic on pairs of half or bfloat16 numbers: HADD2, HMUL2, HFMA2, HFMA2.MMA. Results
 * are rounded once, to nearest even; a NaN result is 0x7fff. With .F32 the result is one
 * single-precision number, computed from the lower halves. Sums and products are computed in single
 * precision and rounded again. The second rounding does no harm, as single precision has more than
 * twice the digits plus two (Figueroa, "When is double rounding innocuous?", 1995). Fused results
 * are first rounded to odd.
 * SOURCE: measured on an H200: tests/unit/test_sass_alu_measured.c compares results bit for bit;
 * PTX ISA.
 * LEFT OUT: nothing known.
 */
#include "exec/alu/half.h"

/* Indices into inst->mod: flags of the result. */
enum { BF16, FTZ, SAT, RELU, F32, NEGATE_H1 };

static void narrow(const struct exec_inst *inst, const float value[EXEC_LANES],
                   uint32_t bits[EXEC_LANES])
{
    if (inst->mod[BF16])
        for (unsigned i = 0; i < EXEC_LANES; i++)
            bits[i] = bf16_bits(value[i]);
    else
        for (unsigned i = 0; i < EXEC_LANES; i++)
            bits[i] = half_bits(value[i]);
}

/* Applies .SAT, which clamps to [0, 1] and makes NaN +0, and .RELU, which makes negative numbers +0
 * (PTX ISA, fma). */
static void limit(const struct exec_inst *inst, float value[EXEC_LANES])
{
    if (inst->mod[SAT])
        for (unsigned i = 0; i < EXEC_LANES; i++)
            value[i] = value[i] > 0 ? (value[i] < 1 ? value[i] : 1) : 0;
    if (inst->mod[RELU])
        for (unsigned i = 0; i < EXEC_LANES; i++)
            value[i] = value[i] <= 0 ? 0 : value[i];
}

static void flush_bits(const struct exec_inst *inst, uint32_t bits[EXEC_LANES])
{
    const uint32_t exponent = inst->mod[BF16] ? 0x7f80 : 0x7c00;
    for (unsigned i = 0; i < EXEC_LANES; i++)
        bits[i] = bits[i] & exponent ? bits[i] : bits[i] & 0x8000;
}

/* Rounds the results of the lower and the upper halves to the result's format and writes them. */
static void write_pair(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                       float low[EXEC_LANES], float high[EXEC_LANES])
{
    uint32_t out[EXEC_LANES], upper[EXEC_LANES];
    limit(inst, low);
    if (inst->mod[F32]) {
        for (unsigned i = 0; i < EXEC_LANES; i++) {
            out[i] = alu_float_bits(low[i]);
            out[i] = alu_is_nan(out[i]) ? 0x7fffffffu : out[i];
            out[i] = inst->mod[FTZ] ? alu_flush(out[i]) : out[i];
        }
        exec_write(warp, inst, 0, lanes, out);
        return;
    }
    limit(inst, high);
    narrow(inst, low, out);
    narrow(inst, high, upper);
    if (inst->mod[FTZ]) {
        flush_bits(inst, out);
        flush_bits(inst, upper);
    }
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] |= upper[i] << 16;
    exec_write(warp, inst, 0, lanes, out);
}

static void hadd2(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    float a[2][EXEC_LANES], b[2][EXEC_LANES];
    float sum[2][EXEC_LANES];
    half_read(warp, &inst->a, inst->mod[BF16], inst->mod[FTZ], a[0], a[1]);
    half_read(warp, &inst->b, inst->mod[BF16], inst->mod[FTZ], b[0], b[1]);
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < EXEC_LANES; i++)
            sum[k][i] = a[k][i] + b[k][i];
    write_pair(warp, inst, lanes, sum[0], sum[1]);
}

static void hmul2(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    float a[2][EXEC_LANES], b[2][EXEC_LANES];
    float product[2][EXEC_LANES];
    half_read(warp, &inst->a, inst->mod[BF16], inst->mod[FTZ], a[0], a[1]);
    half_read(warp, &inst->b, inst->mod[BF16], inst->mod[FTZ], b[0], b[1]);
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < EXEC_LANES; i++)
            product[k][i] = a[k][i] * b[k][i];
    write_pair(warp, inst, lanes, product[0], product[1]);
}

/* Compute A x B + C of one half of every lane: fma_half on halves, fma_bf16 on bfloat16 numbers,
 * fma_single with a single-precision result. */
static void fma_half(const float *a, const float *b, const float *c, float out[EXEC_LANES])
{
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = half_sum_to_odd(a[i] * b[i], c[i]); /* the product is exact */
}

static void fma_bf16(const float *a, const float *b, const float *c, float out[EXEC_LANES])
{
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = half_wide_sum_to_odd((double)a[i] * (double)b[i], (double)c[i]);
}

static void fma_single(const float *a, const float *b, const float *c, float out[EXEC_LANES])
{
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = __builtin_fmaf(a[i], b[i], c[i]);
}

/* Multiplies B by i for the modifier .H0_NH1, whose name starts with the upper half: (re, im)
 * becomes (-im, re). */
static void turn(float low[EXEC_LANES], float high[EXEC_LANES])
{
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const float re = low[i];
        low[i] = alu_float(alu_float_bits(high[i]) ^ 0x80000000u);
        high[i] = re;
    }
}

static void hfma2(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    float a[2][EXEC_LANES], b[2][EXEC_LANES], c[2][EXEC_LANES], sum[2][EXEC_LANES];
    half_read(warp, &inst->a, inst->mod[BF16], inst->mod[FTZ], a[0], a[1]);
    half_read(warp, &inst->b, inst->mod[BF16], inst->mod[FTZ], b[0], b[1]);
    half_read(warp, &inst->c, inst->mod[BF16], inst->mod[FTZ], c[0], c[1]);
    if (inst->mod[NEGATE_H1])
        turn(b[0], b[1]);
    for (unsigned k = 0; k < 2; k++) {
        if (inst->mod[F32])
            fma_single(a[k], b[k], c[k], sum[k]);
        else if (inst->mod[BF16])
            fma_bf16(a[k], b[k], c[k], sum[k]);
        else
            fma_half(a[k], b[k], c[k], sum[k]);
    }
    write_pair(warp, inst, lanes, sum[0], sum[1]);
}

static bool prepare(struct exec_inst *inst, exec_fn *run)
{
    inst->mod[BF16] = alu_mod(inst, SASS_MOD_BF16);
    inst->mod[FTZ] = alu_mod(inst, SASS_MOD_FTZ);
    inst->mod[SAT] = alu_mod(inst, SASS_MOD_SAT);
    inst->mod[RELU] = alu_mod(inst, SASS_MOD_RELU);
    inst->mod[F32] = alu_mod(inst, SASS_MOD_F32);
    inst->run = run;
    return true;
}

bool alu_hadd2(struct exec_inst *inst, const char **why)
{
    (void)why;
    alu_second_operand(inst);
    return prepare(inst, hadd2);
}

bool alu_hmul2(struct exec_inst *inst, const char **why)
{
    (void)why;
    alu_second_operand(inst);
    return prepare(inst, hmul2);
}

bool alu_hfma2(struct exec_inst *inst, const char **why)
{
    (void)why;
    inst->mod[NEGATE_H1] = alu_mod(inst, SASS_MOD_NEGATE_H1);
    return prepare(inst, hfma2);
}
