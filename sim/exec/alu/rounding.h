/* Rounding, in two ways. For operations that the host has, the host's rounding mode is set around a
 * loop. For formats that the host does not have, integer arithmetic rounds. */
#ifndef SIM_EXEC_ALU_ROUNDING_H
#define SIM_EXEC_ALU_ROUNDING_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/control/exec_warp.h"

/* Rounding modes, with the numbers that instructions have for them. */
enum rounding { ROUND_NEAREST, ROUND_DOWN, ROUND_UP, ROUND_ZERO };

/* Sets run and body of *inst so that `body` runs in the rounding mode of SASS_MOD_RND. */
void rounding_choose(struct exec_inst *inst, exec_fn *body);

/* A binary floating-point format of IEEE 754: 1 sign bit, then the exponent, then the fraction. */
struct float_format {
    unsigned exponent_bits, fraction_bits;
};

extern const struct float_format float_half, float_bf16, float_single, float_double;

/* Returns the quiet NaN that GPUs give: all bits set but the sign; in double precision the sign bit
 * and the 12 bits below it. */
uint64_t float_nan(const struct float_format *format);

/* Returns +-magnitude x 2^exponent rounded to `format`; a magnitude of 0 gives a zero. On overflow
 * the result is infinity, or the largest finite number where the mode says so. */
uint64_t float_round(const struct float_format *format, bool negative, uint64_t magnitude,
                     int exponent, enum rounding mode);

/* Returns a NaN as the double-precision unit converts it: quiet, with its sign and its leading bits
 * (measured on an H200). */
uint64_t float_convert_nan(const struct float_format *format, double nan);

/* Returns a double rounded to `format`. NaN gives float_nan(); infinity stays infinity. */
uint64_t float_narrow(const struct float_format *format, double value, enum rounding mode);

#endif
