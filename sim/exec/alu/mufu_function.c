/*
 * MODEL: the special function unit (MUFU). Each function reduces the argument, looks up a segment,
 * interpolates, and restores the exponent. The truncations, inversions and omitted terms below are
 * those that make every result equal the hardware's.
 * SOURCE: measured on an H200 (driver 580.159.04): tests/unit/test_sass_mufu.c; tables fitted by
 * cuda/probe/fit/mufu. Method: Oberman and Siu, ARITH 2005.
 * LEFT OUT: GPUs before sm_90 may differ.
 */
#include "exec/alu/mufu_function.h"
#include "exec/alu/mufu_tables.h"

#include <stdbool.h>

/*
 * The tables mufu_rcp, mufu_rsq_odd, mufu_rsq_even, mufu_sqrt_odd, mufu_sqrt_even, mufu_ex2,
 * mufu_lg2, mufu_sin and mufu_tanh. A segment is chosen by: the significand's 7 bits behind the
 * leading one (rcp), or 6 bits (rsq and sqrt, for odd and even exponents; lg2); the upper 6 bits of
 * the fraction (ex2) or of the place in the quadrant (sin, also for cosines). tanh covers 2^-8 to 8
 * with 1, 2, 4, 8 or 16 segments for each binade.
 */
#define S(c0, c1, c2) {c0, c1, c2},
#define MUFU_TABLE(name, count, bias, rows)                                                        \
    static const struct mufu_segment name##_segments[count] = {rows};                              \
    static const struct mufu_table mufu_##name = {name##_segments, bias};
#include "exec/alu/mufu_tables.def"
#undef MUFU_TABLE
#undef S

#define SIGN         0x80000000u
#define INFINITE     0x7f800000u
#define NOT_A_NUMBER 0x7fffffffu

enum {
    FRACTION = 23,           /* bits of a significand behind its leading one */
    LEADING = 1 << FRACTION, /* weight of the leading one */
    FRACTION_MASK = LEADING - 1,
    X_BITS = 17,
    X_MASK = (1 << X_BITS) - 1,
    SUM_BITS = 41, /* fraction bits of the results of interpolate() */
    BIAS = 127,
};

/*
 * Returns x^2 of a 17-bit fraction x, with 15 bits. The hardware adds products of two bits of x. A
 * product of two different bits counts once, with twice the weight. Products below 2^19 are left
 * out (1 is 2^34). With x = 512 high + low, the first line gives all of high^2 but the square of
 * the lowest bit. The loop adds the remaining products of bit i with higher bits.
 */
static int32_t square(uint32_t x)
{
    const uint32_t high = x >> 9;
    uint32_t sum = high * high >> 1;
    for (unsigned i = 2; i < 9; i++)
        sum += (x >> i & 1) * (x >> (18 - i));
    return (int32_t)sum;
}

/* Returns the value of the function in segment `segment` at x, in units of 2^-41. */
static int64_t interpolate(const struct mufu_table *table, uint32_t segment, uint32_t x)
{
    const struct mufu_segment *row = &table->segments[segment];
    return ((int64_t)row->c0 * (1 << 15)) + (int64_t)row->c1 * (int32_t)x +
           (int64_t)row->c2 * square(x) + table->bias;
}

/* Interpolates in a table with 64 segments; `fraction` has 23 bits. */
static int64_t interpolate_fraction(const struct mufu_table *table, uint32_t fraction)
{
    return interpolate(table, fraction >> X_BITS, fraction & X_MASK);
}

/* Returns the 23 fraction bits of a sum between 1/2 and 1: its first 24 bits without the leading
 * one. */
static int32_t fraction_of(int64_t sum)
{
    return (int32_t)(sum >> (SUM_BITS - FRACTION - 1)) - LEADING;
}

/* Returns value x 2^-bits as a float, cut off towards zero. */
static uint32_t float_of(uint64_t value, int bits)
{
    if (!value)
        return 0;
    const int top = 63 - __builtin_clzll(value);
    const uint64_t significand =
        top > FRACTION ? value >> (top - FRACTION) : value << (FRACTION - top);
    return ((uint32_t)(BIAS + top - bits) << FRACTION) + ((uint32_t)significand - LEADING);
}

static uint32_t exponent_of(uint32_t bits)
{
    return bits >> FRACTION & 255;
}

static bool is_nan(uint32_t bits)
{
    return (bits & ~SIGN) > INFINITE;
}

/* Returns the magnitude of a float in units of 2^-fraction_bits, cut off; of large numbers the
 * lower 32 bits. Denormals are below every unit in use. */
static uint32_t fixed_of(uint32_t bits, int fraction_bits)
{
    const uint32_t significand = (bits & FRACTION_MASK) | LEADING;
    const int shift = (int)exponent_of(bits) - BIAS - FRACTION + fraction_bits;
    if (shift < 0)
        return shift > -32 ? significand >> -shift : 0;
    return shift < 32 ? significand << shift : 0;
}

/*
 * Returns the sine of a phase: 2 bits of quadrant, 23 bits of place in the quadrant. In the second
 * and fourth quadrant a place other than 0 is inverted, which is one unit less than the rest of the
 * quadrant.
 */
static uint32_t wave(uint32_t phase, uint32_t sign)
{
    const uint32_t place = phase & FRACTION_MASK, quadrant = phase >> FRACTION & 3;
    const uint32_t turned = quadrant & 1 ? ~place & FRACTION_MASK : place;
    const uint32_t flip = quadrant & 2 ? sign ^ SIGN : sign;
    if (quadrant & 1 && !place)
        return flip | (uint32_t)BIAS << FRACTION;
    return flip | float_of((uint64_t)interpolate_fraction(&mufu_sin, turned), SUM_BITS);
}

static uint32_t cosine(uint32_t bits)
{
    if (exponent_of(bits) == 255)
        return NOT_A_NUMBER;
    return wave(fixed_of(bits, FRACTION + 2) + LEADING, 0);
}

static uint32_t sine(uint32_t bits)
{
    if (exponent_of(bits) == 255)
        return NOT_A_NUMBER;
    return wave(fixed_of(bits, FRACTION + 2), bits & SIGN);
}

/*
 * EX2. A negative argument that is not whole is inverted, which is one unit less than its negation.
 */
static uint32_t power_of_two(uint32_t bits)
{
    enum { RANGE_BITS = 8, RANGE = 1 << RANGE_BITS }; /* from 2^8 on no result is a float */
    if (is_nan(bits))
        return NOT_A_NUMBER;
    if (exponent_of(bits) >= BIAS + RANGE_BITS)
        return bits & SIGN ? 0 : INFINITE;
    const uint32_t size = fixed_of(bits, FRACTION), above = (uint32_t)RANGE << FRACTION;
    const uint32_t negative = size & FRACTION_MASK ? ~size : 0 - size;
    /* RANGE keeps the sum positive */
    const uint32_t argument = above + (bits & SIGN ? negative : size);
    const int32_t exponent = (int32_t)(argument >> FRACTION) - RANGE + BIAS;
    if (exponent < 1 || exponent > 254)
        return exponent < 1 ? 0 : INFINITE;
    const int64_t sum = interpolate_fraction(&mufu_ex2, argument & FRACTION_MASK);
    return ((uint32_t)exponent << FRACTION) + (uint32_t)fraction_of(sum);
}

/* LG2. The exponent and the logarithm of the significand add up to a sum with 36 fraction bits. A
 * negative sum is inverted. */
static uint32_t logarithm(uint32_t bits)
{
    enum { BITS = 36 };
    if (exponent_of(bits) == 0)
        return INFINITE | SIGN;
    if (is_nan(bits) || bits & SIGN)
        return NOT_A_NUMBER;
    if (bits == INFINITE || bits == (uint32_t)BIAS << FRACTION)
        return bits == INFINITE ? bits : 0;
    const int64_t whole = (int64_t)exponent_of(bits) - BIAS;
    const int64_t sum = interpolate_fraction(&mufu_lg2, bits & FRACTION_MASK);
    const int64_t value = whole * (INT64_C(1) << BITS) + (sum >> (SUM_BITS - BITS));
    return value < 0 ? SIGN | float_of((uint64_t)~value, BITS) : float_of((uint64_t)value, BITS);
}

/* Returns the fraction bits of the reciprocal of 1 + fraction, which is in [1/2, 1]; for 1 they are
 * 2^23. */
static int32_t reciprocal_fraction(uint32_t fraction)
{
    return fraction_of(interpolate(&mufu_rcp, fraction >> 16, (fraction & 0xffff) << 1));
}

static uint32_t reciprocal(uint32_t bits)
{
    const uint32_t sign = bits & SIGN;
    if (is_nan(bits))
        return NOT_A_NUMBER;
    if (exponent_of(bits) == 0)
        return sign | INFINITE;
    const int32_t exponent = 2 * BIAS - 1 - (int32_t)exponent_of(bits);
    const int32_t result = exponent * LEADING + reciprocal_fraction(bits & FRACTION_MASK);
    return result < LEADING || exponent_of(bits) == 255 ? sign : sign | (uint32_t)result;
}

/* Returns the fraction bits of the root or reciprocal root of 1 + fraction, or of 2 (1 + fraction)
 * if `is_odd`. */
static int32_t root_fraction(const struct mufu_table *even, const struct mufu_table *odd,
                             bool is_odd, uint32_t fraction)
{
    return fraction_of(interpolate_fraction(is_odd ? odd : even, fraction));
}

/* Returns the fraction bits of the reciprocal root, in the form of reciprocal_fraction(). 1 /
 * sqrt(1) is the one exception in the tables. */
static int32_t reciprocal_root_fraction(bool odd, uint32_t fraction)
{
    return !odd && !fraction ? LEADING
                             : root_fraction(&mufu_rsq_even, &mufu_rsq_odd, odd, fraction);
}

static uint32_t reciprocal_root(uint32_t bits)
{
    const uint32_t exponent = exponent_of(bits);
    if (exponent == 0)
        return (bits & SIGN) | INFINITE;
    if (is_nan(bits) || bits & SIGN)
        return NOT_A_NUMBER;
    if (exponent == 255)
        return 0;
    /* the bias is odd: odd exponents have even exponent fields */
    const uint32_t half = (3 * BIAS - 1 - exponent) / 2;
    const int32_t fraction = reciprocal_root_fraction(exponent % 2 == 0, bits & FRACTION_MASK);
    return (half << FRACTION) + (uint32_t)fraction;
}

static uint32_t root(uint32_t bits)
{
    const uint32_t exponent = exponent_of(bits);
    if (exponent == 0)
        return bits & SIGN;
    if (is_nan(bits) || bits & SIGN)
        return NOT_A_NUMBER;
    if (exponent == 255)
        return bits;
    const int32_t fraction =
        root_fraction(&mufu_sqrt_even, &mufu_sqrt_odd, exponent % 2 == 0, bits & FRACTION_MASK);
    return ((exponent + BIAS) / 2 << FRACTION) + (uint32_t)fraction;
}

/* Layout of the high word of a double: 11 bits of exponent, 20 bits of fraction. */
enum {
    WIDE_FRACTION = 20,
    WIDE_BIAS = 1023,
    WIDE_SPECIAL = 2047,
    WIDE_CUT = FRACTION - WIDE_FRACTION
};

#define WIDE_INFINITE ((uint32_t)WIDE_SPECIAL << WIDE_FRACTION)

static uint32_t wide_exponent(uint32_t high)
{
    return high >> WIDE_FRACTION & WIDE_SPECIAL;
}

static uint32_t wide_fraction(uint32_t high)
{
    return (high & ((1u << WIDE_FRACTION) - 1)) << WIDE_CUT;
}

static bool wide_is_nan(uint32_t high)
{
    return (high & ~SIGN) > WIDE_INFINITE;
}

static uint32_t wide_reciprocal(uint32_t high)
{
    const uint32_t sign = high & SIGN;
    if (wide_is_nan(high))
        return NOT_A_NUMBER;
    if (wide_exponent(high) == 0)
        return sign | WIDE_INFINITE;
    const int32_t exponent = 2 * WIDE_BIAS - 1 - (int32_t)wide_exponent(high);
    const int32_t fraction = reciprocal_fraction(wide_fraction(high)) >> WIDE_CUT;
    const int32_t result = exponent * (1 << WIDE_FRACTION) + fraction;
    const bool none = result < 1 << WIDE_FRACTION || wide_exponent(high) == WIDE_SPECIAL;
    return none ? sign : sign | (uint32_t)result;
}

static uint32_t wide_reciprocal_root(uint32_t high)
{
    const uint32_t exponent = wide_exponent(high);
    if (exponent == 0)
        return (high & SIGN) | WIDE_INFINITE;
    if (wide_is_nan(high) || high & SIGN)
        return NOT_A_NUMBER;
    if (exponent == WIDE_SPECIAL)
        return 0;
    const uint32_t half = (3 * WIDE_BIAS - 1 - exponent) / 2;
    const int32_t fraction = reciprocal_root_fraction(exponent % 2 == 0, wide_fraction(high));
    return (half << WIDE_FRACTION) + (uint32_t)(fraction >> WIDE_CUT);
}

/* A binade of TANH: the index of its first segment, and how many low bits of the significand are
 * dropped. The bits above x choose the segment. */
struct tanh_binade {
    unsigned char first, dropped;
};

enum { TANH_FIRST = 119, TANH_BINADES = 11 };

static const struct tanh_binade tanh_binades[TANH_BINADES] = {
    {0, 6}, {1, 6}, {2, 6}, {3, 5}, {5, 5}, {7, 4}, {11, 4}, {15, 4}, {19, 3}, {27, 2}, {43, 3},
};

/* TANH. Below 2^-8 the result is the operand, denormals included; from 8 on it is 1. */
static uint32_t hyperbolic_tangent(uint32_t bits)
{
    const uint32_t sign = bits & SIGN, exponent = exponent_of(bits);
    if (is_nan(bits))
        return NOT_A_NUMBER;
    if (exponent < TANH_FIRST)
        return bits;
    if (exponent >= TANH_FIRST + TANH_BINADES)
        return sign | (uint32_t)BIAS << FRACTION;
    const struct tanh_binade *binade = &tanh_binades[exponent - TANH_FIRST];
    const uint32_t kept = (bits & FRACTION_MASK) >> binade->dropped;
    const uint32_t segment = binade->first + (kept >> X_BITS);
    return sign | float_of((uint64_t)interpolate(&mufu_tanh, segment, kept & X_MASK), SUM_BITS);
}

mufu_fn *const mufu_functions[MUFU_COUNT] = {
    [MUFU_COS] = cosine,
    [MUFU_SIN] = sine,
    [MUFU_EX2] = power_of_two,
    [MUFU_LG2] = logarithm,
    [MUFU_RCP] = reciprocal,
    [MUFU_RSQ] = reciprocal_root,
    [MUFU_RCP64H] = wide_reciprocal,
    [MUFU_RSQ64H] = wide_reciprocal_root,
    [MUFU_SQRT] = root,
    [MUFU_TANH] = hyperbolic_tangent,
};

uint32_t mufu_half(enum mufu_function function, uint32_t single)
{
    enum { CUT = 13, REBIAS = BIAS - 15 };
    const uint32_t result = mufu_functions[function](single), exponent = exponent_of(result);
    const uint32_t sign = result >> 16 & 0x8000, magnitude = result & ~SIGN;
    if (is_nan(result))
        return 0x7fff;
    if (exponent > REBIAS + 30)
        return sign | 0x7c00;
    if (exponent > REBIAS)
        return sign | (magnitude - ((uint32_t)REBIAS << FRACTION)) >> CUT;
    const uint32_t shift = CUT + 1 + REBIAS - exponent;
    return sign | (shift < 32 ? ((magnitude & FRACTION_MASK) | LEADING) >> shift : 0);
}

uint32_t mufu_bf16(enum mufu_function function, uint32_t single)
{
    return mufu_functions[function](single) >> 16;
}
