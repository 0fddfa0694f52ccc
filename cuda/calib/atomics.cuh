// Atomic operations on the word in global memory that `at` points to: ATOMG, whose result goes to
// `value`, and REDG, which returns nothing.
#pragma once

#include "memory.cuh"

#define ATOM_G32(OP)                                                                               \
    asm volatile("atom.global." OP " %0, [%1], %2;"                                                \
                 : "=r"(value)                                                                     \
                 : "l"(at), "r"(operand)                                                           \
                 : "memory")
#define RED_G32(OP) asm volatile("red.global." OP " [%0], %1;" ::"l"(at), "r"(operand) : "memory")
#define RED_G64(OP)                                                                                \
    asm volatile("{.reg .b64 o; cvt.u64.u32 o, %1; red.global." OP " [%0], o;}" ::"l"(at),         \
                 "r"(operand)                                                                      \
                 : "memory")
