/* A kernel for each instruction. Operands come from memory, so that the compiler cannot fold
 * them. */
#pragma once
#define CONCAT_(a, b) a##b
#define CONCAT(a, b)  CONCAT_(a, b)
#define KERNEL        extern "C" __global__ void CONCAT(probe_, __COUNTER__)
#define T(type, i)    ((type *)p)[i]

/* d = op a; d = op a, b; d = op a, b, c: letters are asm constraints, types C types. */
#define OP1(op, td, cd, ta, ca)                                                                    \
    KERNEL(void *p)                                                                                \
    {                                                                                              \
        td d;                                                                                      \
        ta a = T(ta, 1);                                                                           \
        asm volatile(op " %0,%1;" : "=" cd(d) : ca(a));                                            \
        T(td, 0) = d;                                                                              \
    }
#define OP2(op, td, cd, ta, ca, tb, cb)                                                            \
    KERNEL(void *p)                                                                                \
    {                                                                                              \
        td d;                                                                                      \
        ta a = T(ta, 1);                                                                           \
        tb b = T(tb, 2);                                                                           \
        asm volatile(op " %0,%1,%2;" : "=" cd(d) : ca(a), cb(b));                                  \
        T(td, 0) = d;                                                                              \
    }
#define OP3(op, td, cd, ta, ca, tb, cb, tc, cc)                                                    \
    KERNEL(void *p)                                                                                \
    {                                                                                              \
        td d;                                                                                      \
        ta a = T(ta, 1);                                                                           \
        tb b = T(tb, 2);                                                                           \
        tc c = T(tc, 3);                                                                           \
        asm volatile(op " %0,%1,%2,%3;" : "=" cd(d) : ca(a), cb(b), cc(c));                        \
        T(td, 0) = d;                                                                              \
    }
#define I1(op) OP1(op, unsigned, "r", unsigned, "r")
#define I2(op) OP2(op, unsigned, "r", unsigned, "r", unsigned, "r")
#define I3(op) OP3(op, unsigned, "r", unsigned, "r", unsigned, "r", unsigned, "r")
#define F1(op) OP1(op, float, "f", float, "f")
#define F2(op) OP2(op, float, "f", float, "f", float, "f")
#define F3(op) OP3(op, float, "f", float, "f", float, "f", float, "f")
#define D1(op) OP1(op, double, "d", double, "d")
#define D2(op) OP2(op, double, "d", double, "d", double, "d")
#define D3(op) OP3(op, double, "d", double, "d", double, "d", double, "d")
#define H1(op) OP1(op, short, "h", short, "h")
#define H2(op) OP2(op, short, "h", short, "h", short, "h")
#define H3(op) OP3(op, short, "h", short, "h", short, "h", short, "h")
/* A comparison, combined with a predicate. */
#define SET(op, ta, ca)                                                                            \
    KERNEL(void *p)                                                                                \
    {                                                                                              \
        int d;                                                                                     \
        ta a = T(ta, 1), b = T(ta, 2);                                                             \
        asm volatile("{.reg .pred q,w,v; setp.ne.s32 w,%3,7; setp." op                             \
                     " q|v,%1,%2,w; selp.s32 %0,11,22,q; @v add.s32 %0,%0,5;}"                     \
                     : "=r"(d)                                                                     \
                     : ca(a), ca(b), "r"(T(int, 9)));                                              \
        T(int, 0) = d;                                                                             \
    }
