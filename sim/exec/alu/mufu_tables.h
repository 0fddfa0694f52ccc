/*
 * Layout of the tables of the special function unit: a row for each segment of a function's
 * argument. In each segment a function is c0 + c1 x + c2 x^2, where x is the 17 argument bits
 * behind the bits that choose the segment (Oberman and Siu, "A High-Performance Area-Efficient
 * Multifunction Interpolator", ARITH 2005). cuda/probe/fit/mufu found the numbers on the GPU that
 * mufu_tables.def names.
 */
#ifndef SIM_EXEC_ALU_MUFU_TABLES_H
#define SIM_EXEC_ALU_MUFU_TABLES_H

#include <stdint.h>

/* Coefficients in units of 2^-26, 2^-24 and 2^-26; x is from 0 to 1. */
struct mufu_segment {
    int32_t c0, c1, c2;
};

struct mufu_table {
    const struct mufu_segment *segments;
    int32_t bias; /* added to every sum, in units of 2^-41 */
};

#endif
