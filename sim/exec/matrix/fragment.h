/*
 * Operands of products in the registers of a warp (matrix.h says where): read into rows and
 * columns, and written back. As the order of products in a step does not matter, the inner index
 * goes through the registers first, then through the elements of a register, then through the
 * four lanes of a row; and the columns of a row of C go through its registers first. So four
 * neighbouring lanes are four neighbouring elements.
 */
#ifndef SIM_EXEC_MATRIX_FRAGMENT_H
#define SIM_EXEC_MATRIX_FRAGMENT_H

#include "exec/alu/alu.h"
#include "exec/matrix/product.h"

/* Returns where inner index k is kept. `each`: elements of a register. */
static inline unsigned fragment_inner(unsigned k, unsigned each)
{
    return (k / (4 * each) * each + k % each) * 4 + k % (4 * each) / each;
}

/* Returns where a column is kept. */
static inline unsigned fragment_column(unsigned column)
{
    return 4 * (column % 2) + column / 2;
}

/* Read A (8 or 16 rows) and B (8 columns) of `depth` elements. */
void fragment_read_a(const struct exec_warp *warp, const struct exec_source *source, unsigned rows,
                     unsigned depth, unsigned each, struct product_a *a);
void fragment_read_b(const struct exec_warp *warp, const struct exec_source *source, unsigned depth,
                     unsigned each, struct product_b *b);

/*
 * Read 16 x 8 elements of C from registers `first` on, and write them to D: floats in four
 * registers, or pairs of halves in two.
 */
void fragment_read_c(const struct exec_warp *warp, const struct exec_source *source, unsigned first,
                     bool single, float c[PRODUCT_ROWS][PRODUCT_COLUMNS]);
void fragment_write_d(struct exec_warp *warp, const struct exec_inst *inst, unsigned first,
                      uint32_t lanes, bool single, float d[PRODUCT_ROWS][PRODUCT_COLUMNS]);

/* The same for words, of 8 or 16 rows: integers. */
void fragment_read_words(const struct exec_warp *warp, const struct exec_source *source,
                         unsigned first, unsigned rows, uint32_t c[PRODUCT_ROWS][PRODUCT_COLUMNS]);
void fragment_write_words(struct exec_warp *warp, const struct exec_inst *inst, unsigned first,
                          uint32_t lanes, unsigned rows, uint32_t d[PRODUCT_ROWS][PRODUCT_COLUMNS]);

#endif
