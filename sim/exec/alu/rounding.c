/*
 * MODEL: rounding to the formats and in the modes of machine code.
 * SOURCE: measured on an H200: tests/unit/test_sass_alu_measured.c compares results bit for bit.
 * LEFT OUT: nothing known.
 */
#include "exec/alu/rounding.h"

#include <fenv.h>

#include "exec/alu/alu.h"

const struct float_format float_half = {5, 10};
const struct float_format float_bf16 = {8, 7};
const struct float_format float_single = {8, 23};
const struct float_format float_double = {11, 52};

static const int fenv_mode[] = {
    [ROUND_NEAREST] = FE_TONEAREST,
    [ROUND_DOWN] = FE_DOWNWARD,
    [ROUND_UP] = FE_UPWARD,
    [ROUND_ZERO] = FE_TOWARDZERO,
};

/*
 * Runs inst->body in the rounding mode of the instruction. The call through a pointer keeps
 * compilers from moving arithmetic across the changes of the mode. The bodies have no arithmetic on
 * constants, so they need no compiler option for changing rounding modes, with which gcc would not
 * vectorise them.
 */
static void run_rounded(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const int before = fegetround();
    fesetround(fenv_mode[inst->rounding]);
    inst->body(warp, inst, lanes);
    fesetround(before);
}

void rounding_choose(struct exec_inst *inst, exec_fn *body)
{
    inst->body = body;
    inst->rounding = alu_mod(inst, SASS_MOD_RND) & 3;
    inst->run = inst->rounding == ROUND_NEAREST ? body : run_rounded;
}

uint64_t float_nan(const struct float_format *format)
{
    if (format->exponent_bits == 11)
        return UINT64_C(0xfff8000000000000);
    return (UINT64_C(1) << (format->exponent_bits + format->fraction_bits)) - 1;
}

uint64_t float_convert_nan(const struct float_format *format, double nan)
{
    const uint64_t bits = alu_double_bits(nan) | UINT64_C(1) << 51;
    const uint64_t fraction = (bits & ((UINT64_C(1) << 52) - 1)) >> (52 - format->fraction_bits);
    const uint64_t exponent = (UINT64_C(1) << format->exponent_bits) - 1;
    return (bits >> 63) << (format->exponent_bits + format->fraction_bits) |
           exponent << format->fraction_bits | fraction;
}

/* Returns whether the magnitude `kept` goes up by one. `rest` was cut off; `half` is half of the
 * last place. */
static bool rounds_up(bool negative, uint64_t kept, uint64_t rest, uint64_t half,
                      enum rounding mode)
{
    if (rest == 0)
        return false;
    if (mode == ROUND_NEAREST)
        return rest > half || (rest == half && (kept & 1));
    return mode == (negative ? ROUND_DOWN : ROUND_UP);
}

uint64_t float_round(const struct float_format *format, bool negative, uint64_t magnitude,
                     int exponent, enum rounding mode)
{
    const int fraction = (int)format->fraction_bits;
    const uint64_t sign = (uint64_t)negative << (format->exponent_bits + format->fraction_bits);
    if (magnitude == 0)
        return sign;
    const int zeros = __builtin_clzll(magnitude);
    magnitude <<= zeros; /* the leading one is bit 63 */
    exponent += 63 - zeros;
    const int smallest = 2 - (1 << (format->exponent_bits - 1));
    const uint64_t infinity = ((UINT64_C(1) << format->exponent_bits) - 1) << fraction;
    int cut = 63 - fraction;
    if (exponent < smallest)
        cut += smallest - exponent;
    uint64_t bits;
    if (cut > 64) /* below half of the smallest denormal */
        bits = rounds_up(negative, 0, 1, 2, mode);
    else if (cut == 64)
        bits = rounds_up(negative, 0, magnitude, UINT64_C(1) << 63, mode);
    else
        bits = (magnitude >> cut) + rounds_up(negative, magnitude >> cut,
                                              magnitude & ((UINT64_C(1) << cut) - 1),
                                              UINT64_C(1) << (cut - 1), mode);
    if (exponent > smallest) { /* the leading one adds 1 to the exponent field */
        if (exponent - smallest >= 1 << format->exponent_bits)
            bits = infinity;
        else
            bits += (uint64_t)(exponent - smallest) << fraction;
    }
    if (bits >= infinity) {
        const bool away = mode == ROUND_NEAREST || mode == (negative ? ROUND_DOWN : ROUND_UP);
        bits = away ? infinity : infinity - 1;
    }
    return sign | bits;
}

uint64_t float_narrow(const struct float_format *format, double value, enum rounding mode)
{
    const uint64_t bits = alu_double_bits(value);
    const bool negative = bits >> 63;
    const int field = (int)(bits >> 52 & 0x7ff);
    const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    if (field == 0x7ff && fraction)
        return float_nan(format);
    if (field == 0x7ff) {
        const uint64_t infinity = ((UINT64_C(1) << format->exponent_bits) - 1)
                                  << format->fraction_bits;
        return infinity | (uint64_t)negative << (format->exponent_bits + format->fraction_bits);
    }
    if (field == 0)
        return float_round(format, negative, fraction, -1074, mode);
    return float_round(format, negative, fraction | UINT64_C(1) << 52, field - 1075, mode);
}
