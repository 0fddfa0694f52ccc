/*
 * Where the elements of a matrix product lie in the registers of a warp (PTX ISA, mma.m16n8k16 and
 * related shapes; the smaller and larger shapes follow the same rule). B, C and D have 8 columns.
 *
 * A 32-bit register (for f64 a pair) holds `each` neighbouring elements. Lane l, with g = l / 4 and
 * t = l % 4, holds in its q-th register
 *   of A: row g + 8 (q % (rows / 8)), columns from each (t + 4 (q / (rows / 8))) on;
 *   of B: rows from each (t + 4 q) on, column g;
 *   of C and D: row g + 8 (q / 2), column 2 t + q % 2.
 */
#ifndef SIM_EXEC_MATRIX_MATRIX_H
#define SIM_EXEC_MATRIX_MATRIX_H

#include "exec/alu/alu.h"

enum { MATRIX_COLUMNS = 8, MATRIX_ROWS = 16 };

struct matrix_shape {
    unsigned rows;  /* of A, C and D: 8 or 16 */
    unsigned inner; /* columns of A, rows of B */
    unsigned each;  /* elements in a register of A and of B */
};

static inline unsigned matrix_registers_a(const struct matrix_shape *shape)
{
    return shape->rows / 8 * shape->inner / (4 * shape->each);
}

static inline unsigned matrix_registers_b(const struct matrix_shape *shape)
{
    return shape->inner / (4 * shape->each);
}

static inline unsigned matrix_row_a(const struct matrix_shape *shape, unsigned lane, unsigned q)
{
    return lane / 4 + 8 * (q % (shape->rows / 8));
}

/* Returns the column of the register's first element. */
static inline unsigned matrix_column_a(const struct matrix_shape *shape, unsigned lane, unsigned q)
{
    return shape->each * (lane % 4 + 4 * (q / (shape->rows / 8)));
}

static inline unsigned matrix_row_b(const struct matrix_shape *shape, unsigned lane, unsigned q)
{
    return shape->each * (lane % 4 + 4 * q);
}

static inline unsigned matrix_row_c(unsigned lane, unsigned q)
{
    return lane / 4 + 8 * (q / 2);
}

static inline unsigned matrix_column_c(unsigned lane, unsigned q)
{
    return 2 * (lane % 4) + q % 2;
}

#endif
