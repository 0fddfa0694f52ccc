/* The 256 functions of three bits, applied word by word: what LOP3 computes. */
#ifndef SIM_EXEC_ALU_LUT_H
#define SIM_EXEC_ALU_LUT_H

#include <stdint.h>

/* Sets out[lane] for each of the 32 lanes. `out` must not overlap a, b or c. */
typedef void exec_lut_fn(const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *out);

/* Functions, indexed by truth table: bit 4 a + 2 b + c of the index is the result for the bits a, b
 * and c. */
extern exec_lut_fn *const exec_lut[256];

#endif
