/*
 * MODEL: floating-point atomic operations: add, minimum and maximum of single precision, halves and
 * bfloat16 numbers, add of double precision. Rounding is to nearest, ties to even; a NaN result is
 * the canonical NaN, but for doubles, where it is the operand that is NaN.
 * SOURCE: PTX ISA, atom, red; NaN, zeros and denormals: measured (cuda/probe/bulk_reductions.cu).
 * LEFT OUT: nothing known.
 */
#include "exec/memory/atomic_float.h"

#include <math.h>
#include <string.h>

static float to_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t to_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t flushed(uint32_t bits, bool flush)
{
    return flush && !(bits & 0x7f800000u) ? bits & 0x80000000u : bits;
}

/* The minimum (op 1) or maximum: the other operand if one is NaN; -0 is less than +0. */
static float minmax(uint32_t op, float a, float b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    const bool less = a < b || (a == b && signbit(a));
    return (op == 1) == less ? a : b;
}

uint32_t atomic_f32(uint32_t op, uint32_t old, uint32_t value, bool flush)
{
    float a = to_float(flushed(old, flush)), b = to_float(flushed(value, flush));
    if (op)
        return to_bits(minmax(op, a, b));
    float sum = a + b;
    return isnan(sum) ? 0x7fffffffu : flushed(to_bits(sum), flush);
}

uint64_t atomic_f64(uint64_t old, uint64_t value)
{
    double a, b;
    memcpy(&a, &old, sizeof a);
    memcpy(&b, &value, sizeof b);
    if (isnan(a) || isnan(b))
        return isnan(b) ? value : old;
    double sum = a + b;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return isnan(sum) ? UINT64_C(0xfff8000000000000) : bits;
}

static float half_to_float(uint32_t half)
{
    uint32_t sign = (half & 0x8000u) << 16, exponent = half >> 10 & 31, fraction = half & 0x3ff;
    if (exponent == 31)
        return to_float(sign | 0x7f800000u | fraction << 13);
    float value = exponent ? ldexpf((float)(fraction | 0x400), (int)exponent - 25)
                           : ldexpf((float)fraction, -24);
    return sign ? -value : value;
}

/* Rounds to the nearest half, ties to even. That a sum has been rounded to single precision first
 * does no harm: 24 bits are at least twice 11 plus 2. For the 8 bits of bfloat16 the same holds. */
static uint32_t float_to_half(float value)
{
    uint32_t sign = to_bits(value) >> 16 & 0x8000u;
    float size = fabsf(value);
    if (isnan(value))
        return 0x7fff;
    if (size >= 65520.0f)
        return sign | 0x7c00u;
    if (size < ldexpf(1.0f, -14)) /* also if it rounds up to the first normal number */
        return sign | (uint32_t)lrintf(ldexpf(size, 24));
    int exponent = 0;
    (void)frexpf(size, &exponent);
    uint32_t fraction = (uint32_t)lrintf(ldexpf(size, 11 - exponent)); /* from 1024 to 2048 */
    return sign | (((uint32_t)(exponent + 14) << 10) + fraction - 1024);
}

static uint32_t float_to_bfloat(float value)
{
    uint32_t bits = to_bits(value);
    if (isnan(value))
        return 0x7fff;
    return (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
}

static uint32_t half_result(uint32_t op, uint32_t old, uint32_t value)
{
    float a = half_to_float(old), b = half_to_float(value);
    return float_to_half(op ? minmax(op, a, b) : a + b);
}

static uint32_t bfloat_result(uint32_t op, uint32_t old, uint32_t value)
{
    float a = to_float(old << 16), b = to_float(value << 16);
    return float_to_bfloat(op ? minmax(op, a, b) : a + b);
}

uint32_t atomic_halves(uint32_t op, uint32_t old, uint32_t value, bool bfloat)
{
    uint32_t result = 0;
    for (unsigned shift = 0; shift < 32; shift += 16) {
        uint32_t a = old >> shift & 0xffff, b = value >> shift & 0xffff;
        result |= (bfloat ? bfloat_result(op, a, b) : half_result(op, a, b)) << shift;
    }
    return result;
}
