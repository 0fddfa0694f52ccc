/* Half and bfloat16 numbers: their values, and doubles rounded to them. */
#ifndef SIM_FRONT_SASS_EXECUTE_HALF_H
#define SIM_FRONT_SASS_EXECUTE_HALF_H

#include "front/sass/execute/alu.h"

/* The value of the half in the low 16 bits; NaN keeps being NaN. */
static inline float half_value(uint32_t bits)
{
    /* As the exponent of a float the half's is too low by 112; this scales denormals as well. */
    uint32_t magnitude = alu_float_bits(alu_float((bits & 0x7fff) << 13) * 0x1p112f);
    magnitude |= (bits & 0x7c00) == 0x7c00 ? 0x7f800000u : 0;
    return alu_float(magnitude | (bits & 0x8000) << 16);
}

static inline float bf16_value(uint32_t bits)
{
    return alu_float(bits << 16);
}

/*
 * To nearest even. `cut` bits of the double's fraction are left out, `bias` is what its exponent
 * field is too high by; below `smallest` the format's numbers are denormal, and adding `magic`
 * leaves their bits in the lowest places.
 */
static inline uint32_t half_round(double value, unsigned cut, uint64_t bias, double smallest,
                                  double magic, uint32_t infinity)
{
    const uint64_t bits = alu_double_bits(value), magnitude = bits & UINT64_MAX >> 1;
    const uint64_t even = magnitude >> cut & 1;
    const uint64_t up = magnitude + (UINT64_C(1) << (cut - 1)) - 1 + even;
    const uint64_t normal = (up >> cut) - (bias << (52 - cut));
    const double size = alu_double(magnitude);
    const uint64_t denormal = alu_double_bits(size + magic) - alu_double_bits(magic);
    uint64_t result = size < smallest ? denormal : normal;
    result = size >= smallest && result > infinity ? infinity : result;
    result = magnitude > UINT64_C(0x7ff0000000000000) ? 0x7fff : result;
    const uint64_t sign = magnitude > UINT64_C(0x7ff0000000000000) ? 0 : bits >> 48 & 0x8000;
    return (uint32_t)(result | sign);
}

/* NaN gives 0x7fff, as GPUs do (PTX ISA). */
static inline uint32_t half_bits(double value)
{
    return half_round(value, 42, 1023 - 15, 0x1p-14, 0x1p28, 0x7c00);
}

static inline uint32_t bf16_bits(double value)
{
    return half_round(value, 45, 1023 - 127, 0x1p-126, 0x1p-81, 0x7f80);
}

/* x + y rounded to odd: where it is not exact, the neighbour whose last bit is 1, so that rounding
 * once more to a shorter format gives what rounding the exact sum would (Boldo and Melquiond,
 * "Emulation of FMA and correctly rounded sums", 2008). In round-to-nearest mode only. */
static inline double half_sum_to_odd(double x, double y)
{
    const double sum = x + y, part = sum - x;
    const double error = (x - (sum - part)) + (y - part);
    const uint64_t bits = alu_double_bits(sum);
    const bool outward = (error > 0) == (sum > 0);
    const bool inexact = error > 0 || error < 0;
    const uint64_t step = inexact && !(bits & 1) ? (outward ? 1 : UINT64_MAX) : 0;
    return alu_double(bits + step);
}

/* Which halves a source gives to the lower and to the upper result. */
enum half_swizzle { HALF_H1_H0, HALF_F32, HALF_H0_H0, HALF_H1_H1 };

/* The values of both halves of a source, with swizzle, absolute value and sign. */
void half_read(const struct exec_warp *warp, const struct exec_source *source, bool bf16, bool ftz,
               float low[EXEC_LANES], float high[EXEC_LANES]);

#endif
