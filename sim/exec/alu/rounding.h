/*
 * Rounding. Two ways: the mode of the host's floating-point unit around a loop, for what it does
 * itself; and integer arithmetic, for formats that it does not have.
 */
#ifndef SIM_EXEC_ALU_ROUNDING_H
#define SIM_EXEC_ALU_ROUNDING_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/control/exec_warp.h"

/* As instructions encode it. */
enum rounding { ROUND_NEAREST, ROUND_DOWN, ROUND_UP, ROUND_ZERO };

/* Chooses `body` for *inst, run in the rounding mode of SASS_MOD_RND. */
void rounding_choose(struct exec_inst *inst, exec_fn *body);

/* A binary floating-point format of IEEE 754: 1 sign bit, then these. */
struct float_format {
    unsigned exponent_bits, fraction_bits;
};

extern const struct float_format float_half, float_bf16, float_single, float_double;

/* The quiet NaN that GPUs give: all bits set but the sign; of double the sign and the top ones. */
uint64_t float_nan(const struct float_format *format);

/* +-magnitude x 2^exponent, rounded to `format` (overflow: infinity, or the largest number where
 * the mode says so); `magnitude` 0 gives a zero. */
uint64_t float_round(const struct float_format *format, bool negative, uint64_t magnitude,
                     int exponent, enum rounding mode);

/* A NaN as the double-precision unit converts it: quiet, with its sign and its leading bits
 * (measured on an H200). */
uint64_t float_convert_nan(const struct float_format *format, double nan);

/* A double (NaN, which gives float_nan, and infinity included) in `format`. */
uint64_t float_narrow(const struct float_format *format, double value, enum rounding mode);

#endif
