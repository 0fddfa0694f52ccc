/*
 * MODEL: integer matrix products: IMMA (4-bit and 8-bit elements), BMMA (single bits). All sums are
 * exact modulo 2^32, or clamped with .SAT.
 * SOURCE: PTX ISA, mma. 8-bit elements measured on an H200, bit for bit
 * (tests/unit/test_sass_alu_measured.c).
 * LEFT OUT: nothing known. 4-bit elements and BMMA were not compared with hardware.
 */
#include "exec/matrix/matrix.h"

enum { INNER = 256 / 4, WORDS = 256 / 32 };

/* Returns the shape of a product. Meaning of inst->mod in this file: [0] rows; [1] inner dimension;
 * [2] elements in a register; the rest as the comment of each operation says. */
static struct matrix_shape shape_of(const struct exec_inst *inst)
{
    return (struct matrix_shape){inst->mod[0], inst->mod[1], inst->mod[2]};
}

static void read_c(const struct exec_warp *warp, const struct exec_inst *inst,
                   int64_t c[MATRIX_ROWS][MATRIX_COLUMNS])
{
    uint32_t room[EXEC_LANES];
    for (unsigned q = 0; q < inst->mod[0] / 4; q++) {
        const uint32_t *word = exec_read(warp, &inst->c, q, room);
        for (unsigned i = 0; i < EXEC_LANES; i++)
            c[matrix_row_c(i, q)][matrix_column_c(i, q)] = (int32_t)word[i];
    }
}

static uint32_t saturated(int64_t sum)
{
    return (uint32_t)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
}

static void write_d(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                    bool saturate, int64_t d[MATRIX_ROWS][MATRIX_COLUMNS])
{
    uint32_t out[EXEC_LANES];
    for (unsigned q = 0; q < inst->mod[0] / 4; q++) {
        for (unsigned i = 0; i < EXEC_LANES; i++) {
            const int64_t sum = d[matrix_row_c(i, q)][matrix_column_c(i, q)];
            out[i] = saturate ? saturated(sum) : (uint32_t)sum;
        }
        exec_write(warp, inst, q, lanes, out);
    }
}

/* Returns element k of a word that holds `each` elements of 32 / each bits. */
static int16_t element(uint32_t word, unsigned each, unsigned k, bool is_signed)
{
    const unsigned bits = 32 / each;
    const uint32_t value = word >> bits * k & ((1u << bits) - 1);
    const uint32_t flip = is_signed ? 1u << (bits - 1) : 0;
    return (int16_t)((int32_t)(value ^ flip) - (int32_t)flip);
}

/* IMMA. mod[3]: A is signed; mod[4]: B is signed; mod[5]: .SAT. */
static void imma(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const struct matrix_shape shape = shape_of(inst);
    int16_t a[MATRIX_ROWS][INNER], b[MATRIX_COLUMNS][INNER];
    int64_t c[MATRIX_ROWS][MATRIX_COLUMNS];
    uint32_t room[EXEC_LANES];
    for (unsigned q = 0; q < matrix_registers_a(&shape); q++) {
        const uint32_t *word = exec_read(warp, &inst->a, q, room);
        for (unsigned i = 0; i < EXEC_LANES; i++)
            for (unsigned k = 0; k < shape.each; k++)
                a[matrix_row_a(&shape, i, q)][matrix_column_a(&shape, i, q) + k] =
                    element(word[i], shape.each, k, inst->mod[3]);
    }
    for (unsigned q = 0; q < matrix_registers_b(&shape); q++) {
        const uint32_t *word = exec_read(warp, &inst->b, q, room);
        for (unsigned i = 0; i < EXEC_LANES; i++)
            for (unsigned k = 0; k < shape.each; k++)
                b[i / 4][matrix_row_b(&shape, i, q) + k] =
                    element(word[i], shape.each, k, inst->mod[4]);
    }
    read_c(warp, inst, c);
    for (unsigned row = 0; row < shape.rows; row++)
        for (unsigned column = 0; column < MATRIX_COLUMNS; column++) {
            int32_t sum = 0;
            for (unsigned k = 0; k < shape.inner; k++)
                sum += a[row][k] * b[column][k];
            c[row][column] += sum;
        }
    write_d(warp, inst, lanes, inst->mod[5], c);
}

bool alu_imma(struct exec_inst *inst, const char **why)
{
    /* Indexed by shape code: rows, inner dimension of 8-bit elements, of 4-bit elements; 0: there
     * is no such shape. */
    static const uint8_t shapes[7][3] = {{8, 16, 0},  {0, 0, 0},    {8, 0, 32}, {0, 0, 0},
                                         {16, 16, 0}, {16, 32, 32}, {16, 0, 64}};
    const uint32_t code = alu_mod(inst, SASS_MOD_SHAPE), four = alu_mod(inst, SASS_MOD_A4);
    *why = "a shape of IMMA that is not known";
    if (code > 6 || four != alu_mod(inst, SASS_MOD_B4) || shapes[code][1 + four] == 0)
        return false;
    inst->mod[0] = shapes[code][0];
    inst->mod[1] = shapes[code][1 + four];
    inst->mod[2] = four ? 8 : 4;
    inst->mod[3] = alu_mod(inst, SASS_MOD_SIGNED);
    inst->mod[4] = alu_mod(inst, SASS_MOD_SIGNED_B);
    inst->mod[5] = alu_mod(inst, SASS_MOD_SAT);
    inst->run = imma;
    return true;
}

/* BMMA. mod[3]: AND in place of XOR. Each register holds one word of 32 columns. */
static void bmma(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const struct matrix_shape shape = shape_of(inst);
    uint32_t a[MATRIX_ROWS][WORDS], b[MATRIX_COLUMNS][WORDS];
    int64_t c[MATRIX_ROWS][MATRIX_COLUMNS];
    uint32_t room[EXEC_LANES];
    for (unsigned q = 0; q < matrix_registers_a(&shape); q++) {
        const uint32_t *word = exec_read(warp, &inst->a, q, room);
        for (unsigned i = 0; i < EXEC_LANES; i++)
            a[matrix_row_a(&shape, i, q)][matrix_column_a(&shape, i, q) / 32] = word[i];
    }
    for (unsigned q = 0; q < matrix_registers_b(&shape); q++) {
        const uint32_t *word = exec_read(warp, &inst->b, q, room);
        for (unsigned i = 0; i < EXEC_LANES; i++)
            b[i / 4][matrix_row_b(&shape, i, q) / 32] = word[i];
    }
    read_c(warp, inst, c);
    for (unsigned row = 0; row < shape.rows; row++)
        for (unsigned column = 0; column < MATRIX_COLUMNS; column++)
            for (unsigned k = 0; k < shape.inner / 32; k++) {
                const uint32_t x = a[row][k], y = b[column][k];
                c[row][column] += __builtin_popcount(inst->mod[3] ? x & y : x ^ y);
            }
    write_d(warp, inst, lanes, false, c);
}

bool alu_bmma(struct exec_inst *inst, const char **why)
{
    enum { M8_K128 = 0, M16_K256 = 2 };
    const uint32_t code = alu_mod(inst, SASS_MOD_SHAPE);
    *why = "a shape of BMMA that is not known";
    if (code != M8_K128 && code != M16_K256)
        return false;
    inst->mod[0] = code == M8_K128 ? 8 : 16;
    inst->mod[1] = code == M8_K128 ? 128 : 256;
    inst->mod[2] = 32;
    inst->mod[3] = alu_mod(inst, SASS_MOD_MMA_AND);
    inst->run = bmma;
    return true;
}
