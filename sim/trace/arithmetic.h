/* The arithmetic of formulas: total functions on 64-bit integers, without undefined cases. */
#ifndef SIM_TRACE_ARITHMETIC_H
#define SIM_TRACE_ARITHMETIC_H

#include <stdint.h>

/* Mixes `key` into `hash` with the finalizer of splitmix64, a full 64-bit mix. */
static inline int64_t arithmetic_fold(int64_t hash, int64_t key)
{
    uint64_t z = (uint64_t)hash + (uint64_t)key * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return (int64_t)(z ^ z >> 31);
}

/* Maps a hash to 0 .. n - 1. n is limited to 2^32; n below 1 gives 0. */
static inline int64_t arithmetic_scale(int64_t hash, int64_t n)
{
    uint64_t limit = n < 1 ? 0 : n > INT64_C(1) << 32 ? UINT64_C(1) << 32 : (uint64_t)n;
    return (int64_t)(((uint64_t)hash >> 32) * limit >> 32);
}

/*
 * Returns place `step` of a walk through 2^bits places. The walk visits every place once before it
 * repeats, and each place determines the next one. It is a full-period linear congruential sequence
 * whose bits are mixed by a bijection, so that neighbouring steps are unrelated. `start` is any
 * number.
 */
int64_t arithmetic_chase(int64_t step, int64_t start, int64_t bits);

/*
 * Computes the operation `op` (an enum formula_op that is not a leaf) of a, b and c. `value` is the
 * constant of the operation.
 */
int64_t arithmetic(unsigned op, int64_t a, int64_t b, int64_t c, int64_t value);

#endif
