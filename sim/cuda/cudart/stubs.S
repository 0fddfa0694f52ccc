/*
 * The exported functions of libcudart: each jumps to the address that cudart_function holds for it,
 * with registers and stack as the program has set them.
 */
.set stub_offset, 0

#if defined(__x86_64__)
.macro stub_body
    jmp *(cudart_function + stub_offset)(%rip)
.endm
#elif defined(__aarch64__)
.macro stub_body
    adrp x16, cudart_function + stub_offset
    ldr x16, [x16, :lo12:cudart_function + stub_offset]
    br x16
.endm
#else
#error "write stub_body for this processor"
#endif

.macro FUNCTION_STUB name
    .globl \name
    .type \name, %function
    .p2align 4
\name:
    stub_body
    .size \name, . - \name
    .set stub_offset, stub_offset + 8
.endm

.text
.hidden cudart_function
#define FUNCTION(name) FUNCTION_STUB name
#include "cuda/functions.def"

.section .note.GNU-stack, "", %progbits
