/* The 256 functions of three bits, word by word: what LOP3 computes. */
#ifndef SIM_EXEC_ALU_LUT_H
#define SIM_EXEC_ALU_LUT_H

#include <stdint.h>

/* out[lane] for each of the 32 lanes; out is apart from a, b and c. */
typedef void exec_lut_fn(const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *out);

/* By truth table: bit a x 4 + b x 2 + c of the index is the result's bit. */
extern exec_lut_fn *const exec_lut[256];

#endif
