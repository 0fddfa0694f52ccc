/*
 * Vectors of the eight columns of a matrix product. Compilers split them for processors without
 * such registers.
 */
#ifndef SIM_EXEC_MATRIX_LANES_H
#define SIM_EXEC_MATRIX_LANES_H

#include <stdbool.h>
#include <stdint.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "exec/matrix/product.h"

enum { WIDTH = PRODUCT_COLUMNS };
typedef float floats __attribute__((vector_size(4 * WIDTH)));
typedef int32_t ints __attribute__((vector_size(4 * WIDTH)));
typedef uint32_t words __attribute__((vector_size(4 * WIDTH)));
#pragma GCC diagnostic ignored "-Wpsabi" /* no vector is passed between files */
#define BODY static inline __attribute__((always_inline))

BODY ints choose(ints mask, ints yes, ints no)
{
    return (mask & yes) | (~mask & no);
}

BODY ints larger(ints a, ints b)
{
#ifdef __AVX2__
    return (ints)_mm256_max_epi32((__m256i)a, (__m256i)b);
#else
    return choose(a > b, a, b);
#endif
}

BODY bool any(ints mask)
{
    int32_t found = 0;
    for (unsigned j = 0; j < WIDTH; j++)
        found |= mask[j];
    return found;
}

#endif
