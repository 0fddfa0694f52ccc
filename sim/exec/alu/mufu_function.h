/* The functions of the special function unit, from bits to bits. Every result equals an H200's
 * (tests/unit/test_sass_mufu.c says how this was found). */
#ifndef SIM_EXEC_ALU_MUFU_FUNCTION_H
#define SIM_EXEC_ALU_MUFU_FUNCTION_H

#include <stdint.h>

/* Functions, with the numbers that instructions have for them. */
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
 * Maps the bits of a single-precision operand to the bits of the result. RCP64H and RSQ64H map the
 * high word of a double to the high word of the result. Sine and cosine take their argument in
 * revolutions. Denormal operands count as zeros of their sign, and denormal results are zeros,
 * except for TANH. NaN gives 0x7fffffff.
 */
typedef uint32_t mufu_fn(uint32_t bits);

extern mufu_fn *const mufu_functions[MUFU_COUNT];

/* Returns EX2 or TANH of a half, cut off to a half; denormals count, as operands and as results.
 * `single` has the bits of the operand in single precision. NaN gives 0x7fff. */
uint32_t mufu_half(enum mufu_function function, uint32_t single);

/* Returns EX2 or TANH of a bfloat16 number as a bfloat16 number; EX2 takes denormal operands for
 * zeros. `single` has the bits of the operand in single precision. */
uint32_t mufu_bf16(enum mufu_function function, uint32_t single);

#endif
