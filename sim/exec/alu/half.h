/* Half and bfloat16 numbers: their values, rounding to them, and how operands are read. */
#ifndef SIM_EXEC_ALU_HALF_H
#define SIM_EXEC_ALU_HALF_H

#include "exec/alu/alu.h"

/* Returns the value of the half in the low 16 bits. NaN stays NaN. */
static inline float half_value(uint32_t bits)
{
    /* As a float's exponent, the half's exponent is too low by 112. A denormal gets a leading one,
     * which the subtraction of 2^-14 removes. */
    const uint32_t magnitude = (bits & 0x7fff) << 13, field = bits & 0x7c00;
    const uint32_t rebased = magnitude + (112u << 23);
    const float denormal = alu_float(rebased + (1u << 23)) - 0x1p-14f;
    uint32_t value = field ? rebased : alu_float_bits(denormal);
    value = field == 0x7c00 ? magnitude | 0x7f800000u : value;
    return alu_float(value | (bits & 0x8000) << 16);
}

static inline float bf16_value(uint32_t bits)
{
    return alu_float(bits << 16);
}

/* Rounds to the nearest half, ties to even. NaN gives 0x7fff, as on GPUs (PTX ISA). */
static inline uint32_t half_bits(float value)
{
    const uint32_t bits = alu_float_bits(value), magnitude = bits & 0x7fffffffu;
    const uint32_t even = magnitude >> 13 & 1;
    const int32_t normal = (int32_t)((magnitude + 0xfff + even) >> 13) - (112 << 10);
    /* Adding 1/2 leaves the bits of a denormal half in the lowest bits. */
    const int32_t denormal = (int32_t)(alu_float_bits(alu_float(magnitude) + 0.5f) - 0x3f000000u);
    int32_t result = (int32_t)magnitude < 0x38800000 ? denormal : normal;
    result = result > 0x7c00 ? 0x7c00 : result;
    const uint32_t number = (uint32_t)result | (bits >> 16 & 0x8000);
    return alu_is_nan(bits) ? 0x7fff : number;
}

static inline uint32_t bf16_bits(float value)
{
    const uint32_t bits = alu_float_bits(value), even = bits >> 16 & 1;
    const uint32_t number = (bits + 0x7fff + even) >> 16;
    return alu_is_nan(bits) ? 0x7fff : number;
}

/*
 * Returns x + y rounded to odd: if the sum is not exact, the neighbour whose last bit is 1.
 * Rounding this number once more to a shorter format gives the same as rounding the exact sum
 * (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008). The host must round
 * to nearest.
 */
static inline float half_sum_to_odd(float x, float y)
{
    const float sum = x + y, part = sum - x;
    const float error = (x - (sum - part)) + (y - part);
    const uint32_t bits = alu_float_bits(sum);
    const uint32_t step = (error > 0) == (sum > 0) ? 1 : UINT32_MAX;
    const bool inexact = error > 0 || error < 0; /* false for infinities */
    return alu_float(inexact && !(bits & 1) ? bits + step : bits);
}

/* Returns x + y, computed in double precision and rounded to odd in single precision. The host must
 * round to nearest. */
static inline float half_wide_sum_to_odd(double x, double y)
{
    const double sum = x + y, part = sum - x;
    const double error = (x - (sum - part)) + (y - part);
    const float near = (float)sum;
    const double rest = (sum - (double)near) + error; /* only the sign matters */
    const uint32_t bits = alu_float_bits(near);
    const uint32_t step = (rest > 0) == (near > 0) ? 1 : UINT32_MAX;
    const bool inexact = rest > 0 || rest < 0;
    return alu_float(inexact && !(bits & 1) && near != 0 ? bits + step : bits);
}

/* Swizzles of a source: which of its halves the lower and the upper result use. */
enum half_swizzle { HALF_H1_H0, HALF_F32, HALF_H0_H0, HALF_H1_H1 };

/* Reads the values that a source gives to the lower and the upper result, with swizzle, absolute
 * value and sign applied. `bf16`: bfloat16 numbers; `ftz`: denormals become zeros. */
void half_read(const struct exec_warp *warp, const struct exec_source *source, bool bf16, bool ftz,
               float low[EXEC_LANES], float high[EXEC_LANES]);

#endif
