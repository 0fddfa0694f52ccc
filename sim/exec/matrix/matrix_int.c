/*
 * MODEL: integer matrix products: IMMA (4-bit and 8-bit elements), BMMA (single bits). All sums are
 * exact modulo 2^32, or clamped with .SAT.
 * SOURCE: PTX ISA, mma. 8-bit elements measured on an H200, bit for bit
 * (tests/unit/test_sass_alu_measured.c), single bits on an H100 (cuda/probe/bit_products.cu).
 * LEFT OUT: nothing known. 4-bit elements and BMMA.XOR were not compared with hardware.
 */
#include "exec/matrix/fragment.h"
#include "exec/matrix/product.h"

/* IMMA and BMMA. Meaning of inst->mod: [0] rows; [1] inner dimension; [2] elements in a register;
 * [3] A is signed; [4] B is signed; [5] .SAT; [6] enum integer_kind. */
static void integer_product(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const unsigned rows = inst->mod[0], depth = inst->mod[1], each = inst->mod[2];
    const struct integer_rule rule = {.kind = (enum integer_kind)inst->mod[6],
                                      .bits = 32 / each,
                                      .a_signed = inst->mod[3],
                                      .b_signed = inst->mod[4],
                                      .saturates = inst->mod[5]};
    const struct product_unit *unit = product_unit();
    struct product_a a;
    struct product_b b;
    uint32_t c[PRODUCT_ROWS][PRODUCT_COLUMNS];
    fragment_read_a(warp, &inst->a, rows, depth, each, &a);
    fragment_read_b(warp, &inst->b, depth, each, &b);
    fragment_read_words(warp, &inst->c, 0, rows, c);
    unit->widen_a(&rule, rows, depth, &a);
    unit->widen_b(&rule, depth, &b);
    unit->add_integers(&rule, rows, depth, &a, &b, c);
    fragment_write_words(warp, inst, 0, lanes, rows, c);
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
    inst->mod[6] = INTEGER_PRODUCTS;
    inst->run = integer_product;
    return true;
}

bool alu_bmma(struct exec_inst *inst, const char **why)
{
    /* Indexed by shape code: rows, 32-bit words of the inner dimension. */
    static const uint8_t shapes[3][2] = {{8, 4}, {16, 4}, {16, 8}};
    const uint32_t code = alu_mod(inst, SASS_MOD_SHAPE);
    *why = "a shape of BMMA that is not known";
    if (code >= sizeof shapes / sizeof *shapes)
        return false;
    inst->mod[0] = shapes[code][0];
    inst->mod[1] = shapes[code][1];
    inst->mod[2] = 1;
    inst->mod[6] = alu_mod(inst, SASS_MOD_MMA_AND) ? INTEGER_AND : INTEGER_XOR;
    inst->run = integer_product;
    return true;
}
