/*
 * MODEL: floating-point matrix products: HMMA (half, bfloat16, TF32), QMMA (8-bit numbers), DMMA.
 * HMMA and QMMA add as product.h says; HMMA keeps 24 fraction bits before sm_90, 25 on sm_90. sm_80
 * to sm_89 compute the longer shapes in two steps. DMMA is a chain of IEEE fused multiply-adds.
 * SOURCE: the studies of product.h. HMMA agrees with an H200 bit for bit
 * (tests/unit/test_sass_alu_measured.c), and so does DMMA but for NaN (cuda/probe, family tensor).
 * LEFT OUT: QMMA was not compared with hardware. Which of several NaN a DMMA hands on was not
 * measured.
 */
#include "exec/matrix/fragment.h"
#include "exec/matrix/matrix.h"
#include "exec/matrix/product.h"

enum { EIGHT_BIT_FRACTION = 13 }; /* fraction bits of sums of products of 8-bit numbers */

/*
 * HMMA and QMMA. Meaning of inst->mod: [1] inner dimension; [2] elements in a register; [3] format
 * of A; [7] format of B; [4] C and D are float; [5] fraction bits of the sum; [6] products in a
 * step. There are 16 rows.
 */
static void hmma(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const unsigned depth = inst->mod[1], each = inst->mod[2];
    const struct product_rule rule = {.a = (enum product_format)inst->mod[3],
                                      .b = (enum product_format)inst->mod[7],
                                      .fraction_bits = (int32_t)inst->mod[5],
                                      .step = inst->mod[6],
                                      .to_single = inst->mod[4]};
    const struct product_unit *unit = product_unit();
    struct product_a a;
    struct product_b b;
    float c[MATRIX_ROWS][MATRIX_COLUMNS];
    fragment_read_a(warp, &inst->a, MATRIX_ROWS, depth, each, &a);
    fragment_read_b(warp, &inst->b, depth, each, &b);
    fragment_read_c(warp, &inst->c, 0, rule.to_single, c);
    unit->prepare_a(&rule, MATRIX_ROWS, depth, &a);
    unit->prepare_b(&rule, depth, &b);
    unit->add(&rule, MATRIX_ROWS, depth, &a, &b, c);
    fragment_write_d(warp, inst, 0, lanes, rule.to_single, c);
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
    double a[MATRIX_ROWS][PRODUCT_DEPTH], b[MATRIX_COLUMNS][PRODUCT_DEPTH],
        c[MATRIX_ROWS][MATRIX_COLUMNS];
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
