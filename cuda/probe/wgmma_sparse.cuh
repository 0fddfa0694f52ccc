/* Statements for sparse products of warp groups (wgmma.sp). */
#pragma once

#include "wgmma.cuh"

struct sparse_operands : operands {
    uint32_t metadata;
};

/* As WGMMA_SS and WGMMA_RS; the numbers of the operands behind D: A, B, metadata, predicate. */
#define SPARSE_SS(name, words, next1, next2, next3, next4, selector, shape, flags)                 \
    struct name {                                                                                  \
        enum { WORDS = words };                                                                    \
        static __device__ void run(uint32_t *d, const sparse_operands &x)                          \
        {                                                                                          \
            asm volatile("{.reg .pred p; setp.ne.b32 p, %" #next4                                  \
                         ", 0; wgmma.mma_async.sp.sync.aligned." shape " {" D##words               \
                         "}, %" #next1 ", %" #next2 ", %" #next3 ", " #selector ", p" flags ";}"   \
                         : O##words(0)                                                             \
                         : "l"(x.a), "l"(x.b), "r"(x.metadata), "r"(x.adds));                      \
        }                                                                                          \
    };
#define SPARSE_RS(name, words, a0, a1, a2, a3, next2, next3, next4, selector, shape, flags)        \
    struct name {                                                                                  \
        enum { WORDS = words };                                                                    \
        static __device__ void run(uint32_t *d, const sparse_operands &x)                          \
        {                                                                                          \
            asm volatile("{.reg .pred p; setp.ne.b32 p, %" #next4                                  \
                         ", 0; wgmma.mma_async.sp.sync.aligned." shape " {" D##words               \
                         "}, {%" #a0 ",%" #a1 ",%" #a2 ",%" #a3 "}, %" #next2 ", %" #next3         \
                         ", " #selector ", p" flags ";}"                                           \
                         : O##words(0)                                                             \
                         : "r"(x.regs[0]), "r"(x.regs[1]), "r"(x.regs[2]), "r"(x.regs[3]),         \
                           "l"(x.b), "r"(x.metadata), "r"(x.adds));                                \
        }                                                                                          \
    };
