/*
 * What the special function unit computes: bits to bits, each result as an H200 gives it
 * (tests/unit/test_sass_mufu.c says how that was found).
 */
#ifndef SIM_EXEC_ALU_MUFU_FUNCTION_H
#define SIM_EXEC_ALU_MUFU_FUNCTION_H

#include <stdint.h>

/* As instructions encode them. */
enum mufu_function {
    MUFU_COS,
    MUFU_SIN,
    MUFU_EX2,
    MUFU_LG2,
    MUFU_RCP,
    MUFU_RSQ,
    MUFU_RCP64H,
    MUFU_RSQ64H,
    MUFU_SQRT,
    MUFU_TANH,
    MUFU_COUNT
};

/*
 * A number in single precision to the result's bits; for RCP64H and RSQ64H the high word of a
 * double to that of the result. The argument of sine and cosine is in revolutions. Denormals count
 * as zeros of their sign, and results that would be denormal are zeros, except of TANH. NaN gives
 * 0x7fffffff.
 */
typedef uint32_t mufu_fn(uint32_t bits);

extern mufu_fn *const mufu_functions[MUFU_COUNT];

/* EX2 or TANH of a half, cut off to a half; denormals count, as operands and as results. `single`
 * has the bits of the operand in single precision; NaN gives 0x7fff. */
uint32_t mufu_half(enum mufu_function function, uint32_t single);

/* Likewise of and to bfloat16; EX2 takes denormals for zeros. */
uint32_t mufu_bf16(enum mufu_function function, uint32_t single);

#endif
