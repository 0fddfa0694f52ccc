/* Statements for products of warp groups (wgmma). */
#pragma once

#include <cstdint>

/* The operand numbers of an asm statement, as many as there are registers of D. */
#define TEN(t)                                                                                     \
    "%" #t "0,%" #t "1,%" #t "2,%" #t "3,%" #t "4,%" #t "5,%" #t "6,%" #t "7,%" #t "8,%" #t "9"
#define D2  "%0,%1"
#define D4  "%0,%1,%2,%3"
#define D8  "%0,%1,%2,%3,%4,%5,%6,%7"
#define D12 TEN() ",%10,%11"
#define D16 TEN() ",%10,%11,%12,%13,%14,%15"
#define D32 TEN() "," TEN(1) "," TEN(2) ",%30,%31"
#define D64 TEN() "," TEN(1) "," TEN(2) "," TEN(3) "," TEN(4) "," TEN(5) ",%60,%61,%62,%63"
#define D128                                                                                       \
    TEN()                                                                                          \
    "," TEN(1) "," TEN(2) "," TEN(3) "," TEN(4) "," TEN(5) "," TEN(6) "," TEN(7) "," TEN(          \
        8) "," TEN(9) "," TEN(10) "," TEN(11) ",%120,%121,%122,%123,%124,%125,%126,%127"
#define O2(at)   "+r"(d[at]), "+r"(d[at + 1])
#define O4(at)   O2(at), O2(at + 2)
#define O8(at)   O4(at), O4(at + 4)
#define O12(at)  O4(at), O4(at + 4), O4(at + 8)
#define O16(at)  O12(at), O4(at + 12)
#define O32(at)  O16(at), O16(at + 16)
#define O64(at)  O32(at), O32(at + 32)
#define O128(at) O64(at), O64(at + 64)

struct operands {
    uint64_t a, b;    /* descriptors */
    uint32_t regs[4]; /* A, where it is in registers */
    uint32_t adds;
};

/* A from shared memory, or from registers: the operands of a statement behind those of D. */
#define WGMMA_SS(name, words, next1, next2, next3, shape, flags)                                   \
    struct name {                                                                                  \
        enum { WORDS = words };                                                                    \
        static __device__ void run(uint32_t *d, const operands &x)                                 \
        {                                                                                          \
            asm volatile("{.reg .pred p; setp.ne.b32 p, %" #next3                                  \
                         ", 0; wgmma.mma_async.sync.aligned." shape " {" D##words                  \
                         "}, %" #next1 ", %" #next2 ", p" flags ";}"                               \
                         : O##words(0)                                                             \
                         : "l"(x.a), "l"(x.b), "r"(x.adds));                                       \
        }                                                                                          \
    };
#define WGMMA_RS(name, words, a0, a1, a2, a3, next2, next3, shape, flags)                          \
    struct name {                                                                                  \
        enum { WORDS = words };                                                                    \
        static __device__ void run(uint32_t *d, const operands &x)                                 \
        {                                                                                          \
            asm volatile("{.reg .pred p; setp.ne.b32 p, %" #next3                                  \
                         ", 0; wgmma.mma_async.sync.aligned." shape " {" D##words                  \
                         "}, {%" #a0 ",%" #a1 ",%" #a2 ",%" #a3 "}, %" #next2 ", p" flags ";}"     \
                         : O##words(0)                                                             \
                         : "r"(x.regs[0]), "r"(x.regs[1]), "r"(x.regs[2]), "r"(x.regs[3]),         \
                           "l"(x.b), "r"(x.adds));                                                 \
        }                                                                                          \
    };
