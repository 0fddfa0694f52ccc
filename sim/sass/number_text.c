/* Numbers as nvdisasm writes them. */
#include "sass/number_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

int number_hex(char *text, size_t size, uint64_t value)
{
    return snprintf(text, size, "0x%" PRIx64, value);
}

int number_signed(char *text, size_t size, int64_t value)
{
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    return snprintf(text, size, "%s0x%" PRIx64, value < 0 ? "-" : "", magnitude);
}

/* Twenty digits; from 1e9 on always with an exponent (as nvdisasm 13.0 and 13.1 do). */
int number_float(char *text, size_t size, uint64_t bits, unsigned exponent, unsigned mantissa)
{
    uint64_t fraction = bits & (((uint64_t)1 << mantissa) - 1);
    uint64_t most = ((uint64_t)1 << exponent) - 1;
    uint64_t power = bits >> mantissa & most;
    int bias = (int)(most >> 1);
    char sign = bits >> (exponent + mantissa) & 1 ? '-' : '+';
    if (power == most && fraction)
        return snprintf(text, size, "%c%s ", sign,
                        fraction >> (mantissa - 1) & 1 ? "QNAN" : "SNAN");
    if (power == most)
        return snprintf(text, size, "%cINF ", sign);
    double value = power ? ldexp((double)(fraction | (uint64_t)1 << mantissa),
                                 (int)power - bias - (int)mantissa)
                         : ldexp((double)fraction, 1 - bias - (int)mantissa);
    if (value == 0)
        return snprintf(text, size, "%s", sign == '-' ? "-0.0" : "0");
    return snprintf(text, size, value >= 1e9 ? "%s%.20e" : "%s%.20g", sign == '-' ? "-" : "",
                    value);
}
