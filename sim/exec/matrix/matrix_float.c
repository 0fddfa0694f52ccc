/*
 * MODEL: floating-point matrix products: HMMA (half, bfloat16, TF32), QMMA (8-bit numbers), DMMA.
 * HMMA is not IEEE arithmetic. The exact products and C are aligned to the largest exponent among
 * them and cut off after some fraction bits: 24 before sm_90, 25 on sm_90. Their sum is exact; it
 * is rounded to nearest for a half, towards zero for a float. The exponent of a product is the sum
 * of its factors' exponents, without normalising. sm_80 to sm_89 compute the longer shapes in two
 * steps. DMMA is a chain of IEEE fused multiply-adds.
 * SOURCE: two studies that agree with hardware bit for bit (Khattak and Mikaitis, arXiv 2512.07004;
 * Xie et al., arXiv 2511.10909). HMMA agrees with an H200 bit for bit
 * (tests/unit/test_sass_alu_measured.c), and so does DMMA but for NaN (cuda/probe, family tensor).
 * LEFT OUT: QMMA was not compared with hardware. Which of several NaN a DMMA hands on was not
 * measured.
 */
#include "exec/alu/half.h"
#include "exec/alu/rounding.h"
#include "exec/matrix/matrix.h"

enum { EIGHT_BIT_FRACTION = 13 }; /* fraction bits of sums of products of 8-bit numbers */
enum { INNER = 32, SMALLEST_SINGLE = -126, NO_EXPONENT = -1000 };

/* An element of A, B or C: significand x 2^(exponent - fraction bits of its format). */
struct matrix_element {
    int32_t significand;
    int32_t exponent;
    bool special; /* infinity or NaN */
    float value;
};

enum { FORMAT_HALF, FORMAT_BF16, FORMAT_TF32, FORMAT_E4M3, FORMAT_E5M2 };

static const struct {
    unsigned fraction;
    uint32_t unused; /* bits of the element (16 or 32 bits wide) that hardware ignores */
} formats[] = {{10, 0}, {7, 0}, {10, 0x1fff}, {3, 0}, {2, 0}};

/*
 * Splits a value into significand and exponent. Denormals have the smallest exponent and no leading
 * one. Zeros have no exponent that counts, whatever they are multiplied by (measured on an H200).
 */
static struct matrix_element split(float value, unsigned fraction, int32_t smallest)
{
    const uint32_t bits = alu_float_bits(value), field = bits >> 23 & 255;
    struct matrix_element found = {0, NO_EXPONENT, field == 255, value};
    if ((bits & 0x7fffffffu) == 0 || found.special)
        return found;
    found.exponent = field ? (int32_t)field - 127 : SMALLEST_SINGLE;
    int32_t magnitude = (int32_t)(bits & 0x7fffffu) | (field ? 0x800000 : 0);
    if (found.exponent < smallest) {
        magnitude >>= smallest - found.exponent;
        found.exponent = smallest;
    }
    magnitude >>= 23 - fraction;
    found.significand = bits >> 31 ? -magnitude : magnitude;
    return found;
}

static struct matrix_element element_of(uint32_t format, uint32_t bits)
{
    const unsigned fraction = formats[format].fraction;
    if (format == FORMAT_HALF)
        return split(half_value(bits), fraction, -14);
    if (format == FORMAT_BF16)
        return split(bf16_value(bits), fraction, -126);
    if (format == FORMAT_E4M3 || format == FORMAT_E5M2)
        return split(alu_fp8_value(format == FORMAT_E4M3, bits), fraction,
                     format == FORMAT_E4M3 ? -6 : -14);
    return split(alu_float(bits & ~formats[format].unused), fraction, -126);
}

/* Returns value x 2^shift, cut off towards zero. */
static int64_t scaled(int64_t value, int32_t shift)
{
    if (shift >= 0)
        return value * (INT64_C(1) << shift);
    if (shift < -62)
        return 0;
    const uint64_t below =
        (UINT64_C(1) << -shift) - 1; /* makes the shift of a negative value round up */
    return (value + (value < 0 ? (int64_t)below : 0)) >> -shift;
}

/* Rounds sum x 2^exponent to a half, or to a float if `to_single`, with 13 fraction bits if `cut`.
 * A float that is too large becomes infinity, although floats are cut off. */
static float rounded(int64_t sum, int32_t exponent, bool to_single, bool cut)
{
    const bool negative = sum < 0;
    const uint64_t magnitude = negative ? 0 - (uint64_t)sum : (uint64_t)sum;
    if (!to_single)
        return half_value(
            (uint32_t)float_round(&float_half, negative, magnitude, exponent, ROUND_NEAREST));
    if (magnitude && 64 - __builtin_clzll(magnitude) + exponent > 128)
        return negative ? -__builtin_inff() : __builtin_inff();
    const float result =
        alu_float((uint32_t)float_round(&float_single, negative, magnitude, exponent, ROUND_ZERO));
    return cut ? alu_float(alu_float_bits(result) & ~0x3ffu) : result;
}

/* How an HMMA or QMMA instruction adds. */
struct matrix_adder {
    int32_t product_bits;  /* fraction bits of a product */
    int32_t fraction_bits; /* kept by the alignment */
    bool to_single;        /* D is float, not half */
};

/* Returns c + a[0] b[0] + ... + a[n-1] b[n-1]. */
static float dot_add(const struct matrix_adder *adder, const struct matrix_element *a,
                     const struct matrix_element *b, unsigned n, float c)
{
    const struct matrix_element last = split(c, 23, SMALLEST_SINGLE);
    int32_t highest = last.exponent;
    bool special = last.special;
    for (unsigned k = 0; k < n; k++) {
        const int32_t exponent = a[k].exponent + b[k].exponent;
        highest = exponent > highest ? exponent : highest;
        special |= a[k].special || b[k].special;
    }
    if (special) {
        double sum = (double)c;
        for (unsigned k = 0; k < n; k++)
            sum += (double)a[k].value * (double)b[k].value;
        return (float)sum;
    }
    int64_t sum = scaled(last.significand, adder->fraction_bits - 23 + last.exponent - highest);
    for (unsigned k = 0; k < n; k++)
        sum += scaled((int64_t)a[k].significand * b[k].significand,
                      adder->fraction_bits - adder->product_bits + a[k].exponent + b[k].exponent -
                          highest);
    return rounded(sum, highest - adder->fraction_bits, adder->to_single,
                   adder->fraction_bits == EIGHT_BIT_FRACTION);
}

/*
 * Reads A. Meaning of inst->mod in HMMA and QMMA: [0] rows; [1] inner dimension; [2] elements in a
 * register; [3] format of A; [7] format of B; [4] C and D are float; [5] fraction bits of the sum;
 * [6] products in a step.
 */
static void read_a(const struct exec_warp *warp, const struct exec_inst *inst,
                   const struct matrix_shape *shape, struct matrix_element a[MATRIX_ROWS][INNER])
{
    uint32_t room[EXEC_LANES];
    for (unsigned q = 0; q < matrix_registers_a(shape); q++) {
        const uint32_t *word = exec_read(warp, &inst->a, q, room);
        for (unsigned i = 0; i < EXEC_LANES; i++)
            for (unsigned k = 0; k < shape->each; k++)
                a[matrix_row_a(shape, i, q)][matrix_column_a(shape, i, q) + k] =
                    element_of(inst->mod[3], word[i] >> (k ? 32 / shape->each * k : 0));
    }
}

static void read_b(const struct exec_warp *warp, const struct exec_inst *inst,
                   const struct matrix_shape *shape, struct matrix_element b[MATRIX_COLUMNS][INNER])
{
    uint32_t room[EXEC_LANES];
    for (unsigned q = 0; q < matrix_registers_b(shape); q++) {
        const uint32_t *word = exec_read(warp, &inst->b, q, room);
        for (unsigned i = 0; i < EXEC_LANES; i++)
            for (unsigned k = 0; k < shape->each; k++)
                b[i / 4][matrix_row_b(shape, i, q) + k] =
                    element_of(inst->mod[7], word[i] >> (k ? 32 / shape->each * k : 0));
    }
}

/* Reads C: a float in each register, or two halves, which are columns q % 2 = 0 and 1. */
static void read_c(const struct exec_warp *warp, const struct exec_inst *inst,
                   float c[MATRIX_ROWS][MATRIX_COLUMNS])
{
    uint32_t room[EXEC_LANES];
    for (unsigned q = 0; q < 4; q++) {
        const uint32_t *word = exec_read(warp, &inst->c, inst->mod[4] ? q : q / 2, room);
        for (unsigned i = 0; i < EXEC_LANES; i++)
            c[matrix_row_c(i, q)][matrix_column_c(i, q)] =
                inst->mod[4] ? alu_float(word[i]) : half_value(word[i] >> 16 * (q % 2));
    }
}

static uint32_t single_result(float value)
{
    return value != value ? 0x7fffffffu : alu_float_bits(value);
}

static void write_d(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                    float d[MATRIX_ROWS][MATRIX_COLUMNS])
{
    uint32_t out[EXEC_LANES];
    for (unsigned q = 0; q < (inst->mod[4] ? 4 : 2); q++) {
        for (unsigned i = 0; i < EXEC_LANES; i++) {
            if (inst->mod[4]) {
                out[i] = single_result(d[matrix_row_c(i, q)][matrix_column_c(i, q)]);
                continue;
            }
            const float *pair = &d[matrix_row_c(i, 2 * q)][matrix_column_c(i, 0)];
            out[i] = half_bits(pair[0]) | half_bits(pair[1]) << 16;
        }
        exec_write(warp, inst, q, lanes, out);
    }
}

static void hmma(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const struct matrix_shape shape = {inst->mod[0], inst->mod[1], inst->mod[2]};
    const struct matrix_adder adder = {
        (int32_t)(formats[inst->mod[3]].fraction + formats[inst->mod[7]].fraction),
        (int32_t)inst->mod[5], inst->mod[4]};
    const unsigned step = inst->mod[6];
    struct matrix_element a[MATRIX_ROWS][INNER], b[MATRIX_COLUMNS][INNER];
    float c[MATRIX_ROWS][MATRIX_COLUMNS];
    read_a(warp, inst, &shape, a);
    read_b(warp, inst, &shape, b);
    read_c(warp, inst, c);
    for (unsigned row = 0; row < shape.rows; row++)
        for (unsigned column = 0; column < MATRIX_COLUMNS; column++)
            for (unsigned k = 0; k < shape.inner; k += step)
                c[row][column] = dot_add(&adder, &a[row][k], &b[column][k], step, c[row][column]);
    write_d(warp, inst, lanes, c);
}

bool alu_hmma(struct exec_inst *inst, const char **why)
{
    static const uint8_t inner[] = {8, 16, 4}; /* inner dimension by shape code */
    const uint32_t code = alu_mod(inst, SASS_MOD_SHAPE);
    const uint32_t format = alu_mod(inst, SASS_MOD_MMA_FORMAT);
    const bool split = inst->sass->sm >= 80 && inst->sass->sm < 90;
    *why = "a shape or format of HMMA that is not known";
    if (code >= sizeof inner || format > FORMAT_TF32 ||
        (format == FORMAT_TF32 ? code == 1 : code == 2))
        return false;
    inst->mod[0] = 16;
    inst->mod[1] = inner[code];
    inst->mod[2] = format == FORMAT_TF32 ? 1 : 2;
    inst->mod[3] = inst->mod[7] = format;
    inst->mod[4] = alu_mod(inst, SASS_MOD_MMA_F32);
    inst->mod[5] = inst->sass->sm >= 90 ? 25 : 24;
    const uint32_t most = split ? (format == FORMAT_TF32 ? 4 : 8) : 16;
    inst->mod[6] = inst->mod[1] < most ? inst->mod[1] : most;
    inst->run = hmma;
    return true;
}

/*
 * QMMA, products of 8-bit numbers on sm_89: as HMMA, 16 products at a time, aligned with 13
 * fraction bits; a float result is cut off to 13 fraction bits (Xie et al.). Not compared with
 * hardware.
 */
bool alu_qmma(struct exec_inst *inst, const char **why)
{
    const uint32_t code = alu_mod(inst, SASS_MOD_SHAPE);
    *why = "a shape of QMMA that is not known";
    if (code > 1)
        return false;
    inst->mod[0] = 16;
    inst->mod[1] = code ? 32 : 16;
    inst->mod[2] = 4;
    inst->mod[3] = alu_mod(inst, SASS_MOD_A_E5M2) ? FORMAT_E5M2 : FORMAT_E4M3;
    inst->mod[7] = alu_mod(inst, SASS_MOD_B_E5M2) ? FORMAT_E5M2 : FORMAT_E4M3;
    inst->mod[4] = alu_mod(inst, SASS_MOD_MMA_F32);
    inst->mod[5] = EIGHT_BIT_FRACTION;
    inst->mod[6] = 16;
    inst->run = hmma;
    return true;
}

/* Reads register pair q of a source as doubles, with absolute value and sign applied. */
static void read_pair(const struct exec_warp *warp, const struct exec_source *source, unsigned q,
                      double value[EXEC_LANES])
{
    uint32_t room[2][EXEC_LANES];
    const uint32_t *low = exec_read(warp, source, 2 * q, room[0]);
    const uint32_t *high = exec_read(warp, source, 2 * q + 1, room[1]);
    const uint32_t keep = source->absolute ? 0x7fffffffu : UINT32_MAX;
    const uint32_t flip = source->negate ? 0x80000000u : 0;
    for (unsigned i = 0; i < EXEC_LANES; i++)
        value[i] = alu_double((uint64_t)((high[i] & keep) ^ flip) << 32 | low[i]);
}

static void write_pair(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                       unsigned q, const double value[EXEC_LANES])
{
    uint32_t low[EXEC_LANES], high[EXEC_LANES];
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const uint64_t bits = alu_double_bits(value[i]);
        low[i] = (uint32_t)bits;
        high[i] = (uint32_t)(bits >> 32);
    }
    exec_write(warp, inst, 2 * q, lanes, low);
    exec_write(warp, inst, 2 * q + 1, lanes, high);
}

/* DMMA: fused multiply-adds, one after the other. A NaN of A or B is handed on rather than a NaN of
 * C; which of several NaN is handed on was not measured. mod[0]: rows; mod[1]: inner dimension. */
static void dmma(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const struct matrix_shape shape = {inst->mod[0], inst->mod[1], 1};
    double a[MATRIX_ROWS][INNER], b[MATRIX_COLUMNS][INNER], c[MATRIX_ROWS][MATRIX_COLUMNS];
    double value[EXEC_LANES];
    for (unsigned q = 0; q < matrix_registers_a(&shape); q++) {
        read_pair(warp, &inst->a, q, value);
        for (unsigned i = 0; i < EXEC_LANES; i++)
            a[matrix_row_a(&shape, i, q)][matrix_column_a(&shape, i, q)] = value[i];
    }
    for (unsigned q = 0; q < matrix_registers_b(&shape); q++) {
        read_pair(warp, &inst->b, q, value);
        for (unsigned i = 0; i < EXEC_LANES; i++)
            b[i / 4][matrix_row_b(&shape, i, q)] = value[i];
    }
    for (unsigned q = 0; q < shape.rows / 4; q++) {
        read_pair(warp, &inst->c, q, value);
        for (unsigned i = 0; i < EXEC_LANES; i++)
            c[matrix_row_c(i, q)][matrix_column_c(i, q)] = value[i];
    }
    for (unsigned row = 0; row < shape.rows; row++)
        for (unsigned column = 0; column < MATRIX_COLUMNS; column++)
            for (unsigned k = 0; k < shape.inner; k++) {
                const double x = a[row][k], y = b[column][k], z = c[row][column];
                c[row][column] = alu_double(alu_double_result(__builtin_fma(x, y, z), z, x, y));
            }
    for (unsigned q = 0; q < shape.rows / 4; q++) {
        for (unsigned i = 0; i < EXEC_LANES; i++)
            value[i] = c[matrix_row_c(i, q)][matrix_column_c(i, q)];
        write_pair(warp, inst, lanes, q, value);
    }
}

bool alu_dmma(struct exec_inst *inst, const char **why)
{
    enum { M8_K4 = 0, M16_K16 = 3 };
    const uint32_t code = alu_mod(inst, SASS_MOD_SHAPE);
    *why = "a shape of DMMA that is not known";
    if (code != M8_K4 && code != M16_K16)
        return false;
    inst->mod[0] = code == M8_K4 ? 8 : 16;
    inst->mod[1] = code == M8_K4 ? 4 : 16;
    inst->run = dmma;
    return true;
}
