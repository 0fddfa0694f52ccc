/*
 * MUFU: the special functions. Results are those of the C library rounded to single precision.
 * Special cases, signs of zeros and flushed denormals are the hardware's (PTX ISA: rcp, rsqrt,
 * sqrt, sin, cos, lg2, ex2, tanh with .approx.ftz; checked on an H200). Other results differ from
 * an H200's in one case of eight, by one unit in the last place, for RCP, RSQ and SQRT; by up to
 * two units for EX2, 117 for TANH, 247 for LG2 (near 1, where it is near 0); by 2 x 10^-7 for SIN
 * and COS: the tables behind it are not public. Each function stands alone in mufu_function, so
 * that measured ones can take its place.
 */
#include "front/sass/execute/half.h"
#include "front/sass/execute/rounding.h"

#include <math.h>

/* The bits of B of one lane to the bits of the result. */
typedef uint32_t mufu_fn(uint32_t bits);

static uint32_t result_of(double value)
{
    const uint32_t bits = alu_float_bits((float)value);
    return value != value ? 0x7fffffffu : alu_flush(bits);
}

static double argument_of(uint32_t bits)
{
    return (double)alu_float(alu_flush(bits));
}

/*
 * Sine and cosine take revolutions: code multiplies by 1 / 2 pi first. As measured on an H200, the
 * argument is cut off after 25 fraction bits, two for the quadrant and 23 in it; in the second and
 * fourth quadrant the 23 are inverted, which is one unit less than what is left of a quarter.
 */
static double wave(double revolutions, uint32_t quadrants_ahead)
{
    enum { BITS = 23, MASK = (1 << BITS) - 1 };
    const double two_pi = 6.283185307179586, size = fmod(fabs(revolutions), 1) * 0x1p25;
    if (size != size)
        return size; /* of an infinity or NaN */
    const uint32_t phase = (uint32_t)size + (quadrants_ahead << BITS), quadrant = phase >> BITS & 3;
    const uint32_t place = (quadrant & 1 ? ~phase : phase) & MASK;
    const double value = sin(place * 0x1p-25 * two_pi);
    return quadrant & 2 ? -value : value;
}

static uint32_t cosine(uint32_t bits)
{
    return result_of(wave(argument_of(bits), 1));
}

static uint32_t sine(uint32_t bits)
{
    const double x = argument_of(bits), value = wave(x, 0);
    return result_of(signbit(x) ? -value : value);
}

static uint32_t power_of_two(uint32_t bits)
{
    return result_of(exp2(argument_of(bits)));
}

static uint32_t logarithm(uint32_t bits)
{
    const double x = argument_of(bits);
    return result_of(x == 0 ? -HUGE_VAL : log2(x));
}

static uint32_t reciprocal(uint32_t bits)
{
    return result_of(1 / argument_of(bits));
}

static uint32_t reciprocal_root(uint32_t bits)
{
    return result_of(1 / sqrt(argument_of(bits)));
}

static uint32_t root(uint32_t bits)
{
    return result_of(sqrt(argument_of(bits)));
}

/* Denormals are not flushed (measured on an H200). */
static uint32_t hyperbolic_tangent(uint32_t bits)
{
    return (uint32_t)float_narrow(&float_single, tanh((double)alu_float(bits)), ROUND_NEAREST);
}

/* Of a double whose high word is given and whose low word is taken for 0. Denormals are zeros. */
static double wide_argument(uint32_t high)
{
    return alu_double((uint64_t)(high & 0x7ff00000u ? high : high & 0x80000000u) << 32);
}

/* The high word, cut off: on an H200 19 of 20 results are that, the others one more. */
static uint32_t wide_result(double value)
{
    if (value != value)
        return 0x7fffffffu;
    const uint32_t high = (uint32_t)(alu_double_bits(value) >> 32);
    return high & 0x7ff00000u ? high : high & 0x80000000u;
}

static uint32_t wide_reciprocal(uint32_t high)
{
    return wide_result(1 / wide_argument(high));
}

static uint32_t wide_reciprocal_root(uint32_t high)
{
    return wide_result(1 / sqrt(wide_argument(high)));
}

/* By SASS_MOD_FUNCTION. */
static mufu_fn *const mufu_function[] = {
    cosine,
    sine,
    power_of_two,
    logarithm,
    reciprocal,
    reciprocal_root,
    wide_reciprocal,
    wide_reciprocal_root,
    root,
    hyperbolic_tangent,
};

enum { MUFU_EX2 = 2, MUFU_TANH = 9, MUFU_COUNT = 10 };

/* mod[0]: the function. */
static void mufu(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint32_t room[EXEC_LANES], out[EXEC_LANES];
    const uint32_t *b = exec_read_float(warp, &inst->b, room);
    mufu_fn *const function = mufu_function[inst->mod[0]];
    for (unsigned i = 0; i < EXEC_LANES; i++)
        out[i] = lanes & exec_lane_bit[i] ? function(b[i]) : 0;
    exec_write(warp, inst, 0, lanes, out);
}

/* In half precision: one half (mod[1]: the upper one), to the lower half; the upper half of the
 * result becomes 0 (to be measured). Denormals are not flushed (PTX ISA: ex2 and tanh with .f16).
 */
static void mufu_half(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    float low[EXEC_LANES], high[EXEC_LANES];
    uint32_t out[EXEC_LANES];
    half_read(warp, &inst->b, false, false, low, high);
    for (unsigned i = 0; i < EXEC_LANES; i++) {
        const double x = (double)(inst->mod[1] ? high[i] : low[i]);
        out[i] = half_bits((float)(inst->mod[0] == MUFU_TANH ? tanh(x) : exp2(x)));
    }
    exec_write(warp, inst, 0, lanes, out);
}

bool alu_mufu(struct exec_inst *inst, const char **why)
{
    alu_second_operand(inst);
    inst->mod[0] = alu_mod(inst, SASS_MOD_FUNCTION);
    inst->mod[1] = alu_mod(inst, SASS_MOD_SELECT);
    const bool half = alu_mod(inst, SASS_MOD_F16) != 0;
    inst->run = half ? mufu_half : mufu;
    if (inst->mod[0] < MUFU_COUNT &&
        (!half || inst->mod[0] == MUFU_EX2 || inst->mod[0] == MUFU_TANH))
        return true;
    *why = "a function of MUFU that is not known";
    return false;
}
