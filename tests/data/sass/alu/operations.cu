/*
 * Operations by themselves. Thread i of each kernel takes the i-th of three arrays of 64-bit words,
 * looks at them as the operands that an operation needs, and stores the k-th operation's result at
 * element k x (number of threads) + i.
 *
 * results.txt has what an H200 computed; see MANIFEST.
 */
#include <cuda_fp16.h>

typedef unsigned long long u64;

__device__ u64 mix(u64 x)
{
    x ^= x >> 31;
    x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebull;
    return x ^ x >> 30;
}

/* Pairs of halves and of bfloat16 numbers, and floats, of sizes that do not differ too much. */
__device__ unsigned hpair(u64 r)
{
    return ((unsigned)r & 0x83ff83ff) | (10 + (unsigned)(r >> 40) % 10) << 10 |
           (10 + (unsigned)(r >> 50) % 10) << 26;
}

__device__ unsigned bpair(u64 r)
{
    return ((unsigned)r & 0x807f807f) | (115 + (unsigned)(r >> 40) % 20) << 7 |
           (115 + (unsigned)(r >> 50) % 20) << 23;
}

__device__ unsigned fnum(u64 r)
{
    return ((unsigned)r & 0x807fffff) | (115 + (unsigned)(r >> 40) % 20) << 23;
}

#define KERNEL(name)                                                                               \
    extern "C" __global__ void name(const u64 *a, const u64 *b, const u64 *c, u64 *d)
#define OPERANDS                                                                                   \
    const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;               \
    const u64 A = a[i], B = b[i], C = c[i];                                                        \
    const unsigned a32 = (unsigned)A, b32 = (unsigned)B, c32 = (unsigned)C;                        \
    const unsigned short ha = (unsigned short)A, hb = (unsigned short)B;                           \
    const float fa = __uint_as_float(a32), fb = __uint_as_float(b32), fc = __uint_as_float(c32);   \
    const double da = __longlong_as_double(A), db = __longlong_as_double(B),                       \
                 dc = __longlong_as_double(C);                                                     \
    (void)ha, (void)hb, (void)fa, (void)fb, (void)fc, (void)da, (void)db, (void)dc, (void)b32,     \
        (void)c32;                                                                                 \
    u64 *out = d + i
#define NEXT(value)                                                                                \
    {                                                                                              \
        *out = (value);                                                                            \
        out += n;                                                                                  \
    }
#define OTHER(...)                                                                                 \
    {                                                                                              \
        u64 D = 0;                                                                                 \
        unsigned d32 = 0;                                                                          \
        __VA_ARGS__ NEXT(D | d32);                                                                 \
    }
#define FRAGMENTS(a, b, c)                                                                         \
    unsigned x[4], y[4], z[4], w[4];                                                               \
    for (int q = 0; q < 4; q++) {                                                                  \
        u64 r = mix(A + q * 0x9e3779b97f4a7c15ull);                                                \
        x[q] = a;                                                                                  \
        r = mix(r);                                                                                \
        y[q] = b;                                                                                  \
        r = mix(r);                                                                                \
        z[q] = c;                                                                                  \
    }

/* By the registers of the result and of the operands: r, l integers, f, d floats, h half. */
#define d_d(op)                                                                                    \
    {                                                                                              \
        double r;                                                                                  \
        asm volatile(op " %0, %1;" : "=d"(r) : "d"(da));                                           \
        NEXT((u64)__double_as_longlong(r));                                                        \
    }
#define d_dd(op)                                                                                   \
    {                                                                                              \
        double r;                                                                                  \
        asm volatile(op " %0, %1, %2;" : "=d"(r) : "d"(da), "d"(db));                              \
        NEXT((u64)__double_as_longlong(r));                                                        \
    }
#define d_ddd(op)                                                                                  \
    {                                                                                              \
        double r;                                                                                  \
        asm volatile(op " %0, %1, %2, %3;" : "=d"(r) : "d"(da), "d"(db), "d"(dc));                 \
        NEXT((u64)__double_as_longlong(r));                                                        \
    }
#define d_f(op)                                                                                    \
    {                                                                                              \
        double r;                                                                                  \
        asm volatile(op " %0, %1;" : "=d"(r) : "f"(fa));                                           \
        NEXT((u64)__double_as_longlong(r));                                                        \
    }
#define d_h(op)                                                                                    \
    {                                                                                              \
        double r;                                                                                  \
        asm volatile(op " %0, %1;" : "=d"(r) : "h"(ha));                                           \
        NEXT((u64)__double_as_longlong(r));                                                        \
    }
#define d_l(op)                                                                                    \
    {                                                                                              \
        double r;                                                                                  \
        asm volatile(op " %0, %1;" : "=d"(r) : "l"(A));                                            \
        NEXT((u64)__double_as_longlong(r));                                                        \
    }
#define d_r(op)                                                                                    \
    {                                                                                              \
        double r;                                                                                  \
        asm volatile(op " %0, %1;" : "=d"(r) : "r"(a32));                                          \
        NEXT((u64)__double_as_longlong(r));                                                        \
    }
#define f_d(op)                                                                                    \
    {                                                                                              \
        float r;                                                                                   \
        asm volatile(op " %0, %1;" : "=f"(r) : "d"(da));                                           \
        NEXT(__float_as_uint(r));                                                                  \
    }
#define f_f(op)                                                                                    \
    {                                                                                              \
        float r;                                                                                   \
        asm volatile(op " %0, %1;" : "=f"(r) : "f"(fa));                                           \
        NEXT(__float_as_uint(r));                                                                  \
    }
#define f_ff(op)                                                                                   \
    {                                                                                              \
        float r;                                                                                   \
        asm volatile(op " %0, %1, %2;" : "=f"(r) : "f"(fa), "f"(fb));                              \
        NEXT(__float_as_uint(r));                                                                  \
    }
#define f_fff(op)                                                                                  \
    {                                                                                              \
        float r;                                                                                   \
        asm volatile(op " %0, %1, %2, %3;" : "=f"(r) : "f"(fa), "f"(fb), "f"(fc));                 \
        NEXT(__float_as_uint(r));                                                                  \
    }
#define f_h(op)                                                                                    \
    {                                                                                              \
        float r;                                                                                   \
        asm volatile(op " %0, %1;" : "=f"(r) : "h"(ha));                                           \
        NEXT(__float_as_uint(r));                                                                  \
    }
#define f_l(op)                                                                                    \
    {                                                                                              \
        float r;                                                                                   \
        asm volatile(op " %0, %1;" : "=f"(r) : "l"(A));                                            \
        NEXT(__float_as_uint(r));                                                                  \
    }
#define f_r(op)                                                                                    \
    {                                                                                              \
        float r;                                                                                   \
        asm volatile(op " %0, %1;" : "=f"(r) : "r"(a32));                                          \
        NEXT(__float_as_uint(r));                                                                  \
    }
#define h_d(op)                                                                                    \
    {                                                                                              \
        unsigned short r;                                                                          \
        asm volatile(op " %0, %1;" : "=h"(r) : "d"(da));                                           \
        NEXT(r);                                                                                   \
    }
#define h_f(op)                                                                                    \
    {                                                                                              \
        unsigned short r;                                                                          \
        asm volatile(op " %0, %1;" : "=h"(r) : "f"(fa));                                           \
        NEXT(r);                                                                                   \
    }
#define h_h(op)                                                                                    \
    {                                                                                              \
        unsigned short r;                                                                          \
        asm volatile(op " %0, %1;" : "=h"(r) : "h"(ha));                                           \
        NEXT(r);                                                                                   \
    }
#define h_r(op)                                                                                    \
    {                                                                                              \
        unsigned short r;                                                                          \
        asm volatile(op " %0, %1;" : "=h"(r) : "r"(a32));                                          \
        NEXT(r);                                                                                   \
    }
#define l_d(op)                                                                                    \
    {                                                                                              \
        u64 r;                                                                                     \
        asm volatile(op " %0, %1;" : "=l"(r) : "d"(da));                                           \
        NEXT(r);                                                                                   \
    }
#define l_f(op)                                                                                    \
    {                                                                                              \
        u64 r;                                                                                     \
        asm volatile(op " %0, %1;" : "=l"(r) : "f"(fa));                                           \
        NEXT(r);                                                                                   \
    }
#define l_h(op)                                                                                    \
    {                                                                                              \
        u64 r;                                                                                     \
        asm volatile(op " %0, %1;" : "=l"(r) : "h"(ha));                                           \
        NEXT(r);                                                                                   \
    }
#define l_l(op)                                                                                    \
    {                                                                                              \
        u64 r;                                                                                     \
        asm volatile(op " %0, %1;" : "=l"(r) : "l"(A));                                            \
        NEXT(r);                                                                                   \
    }
#define l_ll(op)                                                                                   \
    {                                                                                              \
        u64 r;                                                                                     \
        asm volatile(op " %0, %1, %2;" : "=l"(r) : "l"(A), "l"(B));                                \
        NEXT(r);                                                                                   \
    }
#define l_lll(op)                                                                                  \
    {                                                                                              \
        u64 r;                                                                                     \
        asm volatile(op " %0, %1, %2, %3;" : "=l"(r) : "l"(A), "l"(B), "l"(C));                    \
        NEXT(r);                                                                                   \
    }
#define r_d(op)                                                                                    \
    {                                                                                              \
        unsigned r;                                                                                \
        asm volatile(op " %0, %1;" : "=r"(r) : "d"(da));                                           \
        NEXT(r);                                                                                   \
    }
#define r_f(op)                                                                                    \
    {                                                                                              \
        unsigned r;                                                                                \
        asm volatile(op " %0, %1;" : "=r"(r) : "f"(fa));                                           \
        NEXT(r);                                                                                   \
    }
#define r_ff(op)                                                                                   \
    {                                                                                              \
        unsigned r;                                                                                \
        asm volatile(op " %0, %1, %2;" : "=r"(r) : "f"(fa), "f"(fb));                              \
        NEXT(r);                                                                                   \
    }
#define r_h(op)                                                                                    \
    {                                                                                              \
        unsigned r;                                                                                \
        asm volatile(op " %0, %1;" : "=r"(r) : "h"(ha));                                           \
        NEXT(r);                                                                                   \
    }
#define r_r(op)                                                                                    \
    {                                                                                              \
        unsigned r;                                                                                \
        asm volatile(op " %0, %1;" : "=r"(r) : "r"(a32));                                          \
        NEXT(r);                                                                                   \
    }
#define r_rr(op)                                                                                   \
    {                                                                                              \
        unsigned r;                                                                                \
        asm volatile(op " %0, %1, %2;" : "=r"(r) : "r"(a32), "r"(b32));                            \
        NEXT(r);                                                                                   \
    }
#define r_rrr(op)                                                                                  \
    {                                                                                              \
        unsigned r;                                                                                \
        asm volatile(op " %0, %1, %2, %3;" : "=r"(r) : "r"(a32), "r"(b32), "r"(c32));              \
        NEXT(r);                                                                                   \
    }
#define MMA_1_1_2(op, a, b, c)                                                                     \
    {                                                                                              \
        FRAGMENTS(a, b, c);                                                                        \
        asm volatile("mma.sync.aligned." op " {%0, %1}, {%2}, {%3}, {%4, %5};"                     \
                     : "=r"(w[0]), "=r"(w[1])                                                      \
                     : "r"(x[0]), "r"(y[0]), "r"(z[0]), "r"(z[1]));                                \
        NEXT((u64)w[1] << 32 | w[0]);                                                              \
    }
#define MMA_2_1_4(op, a, b, c)                                                                     \
    {                                                                                              \
        FRAGMENTS(a, b, c);                                                                        \
        asm volatile(                                                                              \
            "mma.sync.aligned." op " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"         \
            : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])                                       \
            : "r"(x[0]), "r"(x[1]), "r"(y[0]), "r"(z[0]), "r"(z[1]), "r"(z[2]), "r"(z[3]));        \
        NEXT((u64)w[1] << 32 | w[0]);                                                              \
    }
#define MMA_4_2_2(op, a, b, c)                                                                     \
    {                                                                                              \
        FRAGMENTS(a, b, c);                                                                        \
        asm volatile("mma.sync.aligned." op " {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"     \
                     : "=r"(w[0]), "=r"(w[1])                                                      \
                     : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]),           \
                       "r"(z[0]), "r"(z[1]));                                                      \
        NEXT((u64)w[1] << 32 | w[0]);                                                              \
    }
#define MMA_4_2_4(op, a, b, c)                                                                     \
    {                                                                                              \
        FRAGMENTS(a, b, c);                                                                        \
        asm volatile("mma.sync.aligned." op                                                        \
                     " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"        \
                     : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])                              \
                     : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]),           \
                       "r"(z[0]), "r"(z[1]), "r"(z[2]), "r"(z[3]));                                \
        NEXT((u64)w[1] << 32 | w[0]);                                                              \
    }

KERNEL(singles)
{
    OPERANDS;
    f_ff("add.rn.f32");
    f_ff("mul.rn.f32");
    f_fff("fma.rn.f32");
    f_ff("add.rn.sat.f32");
    f_ff("mul.rn.sat.f32");
    f_fff("fma.rn.sat.f32");
    f_ff("add.rn.ftz.f32");
    f_ff("mul.rn.ftz.f32");
    f_fff("fma.rn.ftz.f32");
    f_ff("add.rn.ftz.sat.f32");
    f_ff("mul.rn.ftz.sat.f32");
    f_fff("fma.rn.ftz.sat.f32");
    f_ff("div.rn.f32");
    f_f("rcp.rn.f32");
    f_f("sqrt.rn.f32");
    f_ff("add.rz.f32");
    f_ff("mul.rz.f32");
    f_fff("fma.rz.f32");
    f_ff("add.rz.sat.f32");
    f_ff("mul.rz.sat.f32");
    f_fff("fma.rz.sat.f32");
    f_ff("add.rz.ftz.f32");
    f_ff("mul.rz.ftz.f32");
    f_fff("fma.rz.ftz.f32");
    f_ff("add.rz.ftz.sat.f32");
    f_ff("mul.rz.ftz.sat.f32");
    f_fff("fma.rz.ftz.sat.f32");
    f_ff("div.rz.f32");
    f_f("rcp.rz.f32");
    f_f("sqrt.rz.f32");
    f_ff("add.rm.f32");
    f_ff("mul.rm.f32");
    f_fff("fma.rm.f32");
    f_ff("add.rm.sat.f32");
    f_ff("mul.rm.sat.f32");
    f_fff("fma.rm.sat.f32");
    f_ff("add.rm.ftz.f32");
    f_ff("mul.rm.ftz.f32");
    f_fff("fma.rm.ftz.f32");
    f_ff("add.rm.ftz.sat.f32");
    f_ff("mul.rm.ftz.sat.f32");
    f_fff("fma.rm.ftz.sat.f32");
    f_ff("div.rm.f32");
    f_f("rcp.rm.f32");
    f_f("sqrt.rm.f32");
    f_ff("add.rp.f32");
    f_ff("mul.rp.f32");
    f_fff("fma.rp.f32");
    f_ff("add.rp.sat.f32");
    f_ff("mul.rp.sat.f32");
    f_fff("fma.rp.sat.f32");
    f_ff("add.rp.ftz.f32");
    f_ff("mul.rp.ftz.f32");
    f_fff("fma.rp.ftz.f32");
    f_ff("add.rp.ftz.sat.f32");
    f_ff("mul.rp.ftz.sat.f32");
    f_fff("fma.rp.ftz.sat.f32");
    f_ff("div.rp.f32");
    f_f("rcp.rp.f32");
    f_f("sqrt.rp.f32");
    f_ff("div.rn.ftz.f32");
    f_f("sqrt.rn.ftz.f32");
}

KERNEL(doubles)
{
    OPERANDS;
    d_dd("add.rn.f64");
    d_dd("mul.rn.f64");
    d_ddd("fma.rn.f64");
    d_dd("div.rn.f64");
    d_d("sqrt.rn.f64");
    d_dd("add.rz.f64");
    d_dd("mul.rz.f64");
    d_ddd("fma.rz.f64");
    d_dd("div.rz.f64");
    d_d("sqrt.rz.f64");
    d_dd("add.rm.f64");
    d_dd("mul.rm.f64");
    d_ddd("fma.rm.f64");
    d_dd("div.rm.f64");
    d_d("sqrt.rm.f64");
    d_dd("add.rp.f64");
    d_dd("mul.rp.f64");
    d_ddd("fma.rp.f64");
    d_dd("div.rp.f64");
    d_d("sqrt.rp.f64");
}

KERNEL(conversions)
{
    OPERANDS;
    f_d("cvt.rn.f32.f64");
    f_r("cvt.rn.f32.s32");
    d_r("cvt.rn.f64.s32");
    f_r("cvt.rn.f32.u32");
    d_r("cvt.rn.f64.u32");
    f_l("cvt.rn.f32.s64");
    d_l("cvt.rn.f64.s64");
    f_l("cvt.rn.f32.u64");
    d_l("cvt.rn.f64.u64");
    f_d("cvt.rz.f32.f64");
    f_r("cvt.rz.f32.s32");
    d_r("cvt.rz.f64.s32");
    f_r("cvt.rz.f32.u32");
    d_r("cvt.rz.f64.u32");
    f_l("cvt.rz.f32.s64");
    d_l("cvt.rz.f64.s64");
    f_l("cvt.rz.f32.u64");
    d_l("cvt.rz.f64.u64");
    f_d("cvt.rm.f32.f64");
    f_r("cvt.rm.f32.s32");
    d_r("cvt.rm.f64.s32");
    f_r("cvt.rm.f32.u32");
    d_r("cvt.rm.f64.u32");
    f_l("cvt.rm.f32.s64");
    d_l("cvt.rm.f64.s64");
    f_l("cvt.rm.f32.u64");
    d_l("cvt.rm.f64.u64");
    f_d("cvt.rp.f32.f64");
    f_r("cvt.rp.f32.s32");
    d_r("cvt.rp.f64.s32");
    f_r("cvt.rp.f32.u32");
    d_r("cvt.rp.f64.u32");
    f_l("cvt.rp.f32.s64");
    d_l("cvt.rp.f64.s64");
    f_l("cvt.rp.f32.u64");
    d_l("cvt.rp.f64.u64");
    OTHER(asm volatile("{.reg .b16 t; cvt.rzi.s8.f32 t,%1; cvt.s32.s16 %0,t;}"
                       : "=r"(d32)
                       : "f"(fa));)
    OTHER(asm volatile("{.reg .b16 t; cvt.rni.s8.f32 t,%1; cvt.s32.s16 %0,t;}"
                       : "=r"(d32)
                       : "f"(fa));)
    OTHER(asm volatile("{.reg .b16 t; cvt.rmi.s8.f32 t,%1; cvt.s32.s16 %0,t;}"
                       : "=r"(d32)
                       : "f"(fa));)
    OTHER(asm volatile("{.reg .b16 t; cvt.rpi.s8.f32 t,%1; cvt.s32.s16 %0,t;}"
                       : "=r"(d32)
                       : "f"(fa));)
    OTHER(asm volatile("{.reg .b16 t; cvt.rzi.u8.f32 t,%1; cvt.u32.u16 %0,t;}"
                       : "=r"(d32)
                       : "f"(fa));)
    OTHER(asm volatile("{.reg .b16 t; cvt.rni.u8.f32 t,%1; cvt.u32.u16 %0,t;}"
                       : "=r"(d32)
                       : "f"(fa));)
    OTHER(asm volatile("{.reg .b16 t; cvt.rmi.u8.f32 t,%1; cvt.u32.u16 %0,t;}"
                       : "=r"(d32)
                       : "f"(fa));)
    OTHER(asm volatile("{.reg .b16 t; cvt.rpi.u8.f32 t,%1; cvt.u32.u16 %0,t;}"
                       : "=r"(d32)
                       : "f"(fa));)
    h_f("cvt.rzi.s16.f32");
    h_f("cvt.rni.s16.f32");
    h_f("cvt.rmi.s16.f32");
    h_f("cvt.rpi.s16.f32");
    h_f("cvt.rzi.u16.f32");
    h_f("cvt.rni.u16.f32");
    h_f("cvt.rmi.u16.f32");
    h_f("cvt.rpi.u16.f32");
    r_f("cvt.rzi.s32.f32");
    r_f("cvt.rni.s32.f32");
    r_f("cvt.rmi.s32.f32");
    r_f("cvt.rpi.s32.f32");
    r_f("cvt.rzi.u32.f32");
    r_f("cvt.rni.u32.f32");
    r_f("cvt.rmi.u32.f32");
    r_f("cvt.rpi.u32.f32");
    l_f("cvt.rzi.s64.f32");
    l_f("cvt.rni.s64.f32");
    l_f("cvt.rmi.s64.f32");
    l_f("cvt.rpi.s64.f32");
    l_f("cvt.rzi.u64.f32");
    l_f("cvt.rni.u64.f32");
    l_f("cvt.rmi.u64.f32");
    l_f("cvt.rpi.u64.f32");
    r_f("cvt.rpi.ftz.s32.f32");
    f_f("cvt.rni.f32.f32");
    f_f("cvt.rzi.f32.f32");
    f_f("cvt.rmi.f32.f32");
    f_f("cvt.rpi.f32.f32");
    OTHER(asm volatile("{.reg .b16 t; cvt.rzi.s8.f64 t,%1; cvt.s32.s16 %0,t;}"
                       : "=r"(d32)
                       : "d"(da));)
    OTHER(asm volatile("{.reg .b16 t; cvt.rni.s8.f64 t,%1; cvt.s32.s16 %0,t;}"
                       : "=r"(d32)
                       : "d"(da));)
    OTHER(asm volatile("{.reg .b16 t; cvt.rmi.s8.f64 t,%1; cvt.s32.s16 %0,t;}"
                       : "=r"(d32)
                       : "d"(da));)
    OTHER(asm volatile("{.reg .b16 t; cvt.rpi.s8.f64 t,%1; cvt.s32.s16 %0,t;}"
                       : "=r"(d32)
                       : "d"(da));)
    OTHER(asm volatile("{.reg .b16 t; cvt.rzi.u8.f64 t,%1; cvt.u32.u16 %0,t;}"
                       : "=r"(d32)
                       : "d"(da));)
    OTHER(asm volatile("{.reg .b16 t; cvt.rni.u8.f64 t,%1; cvt.u32.u16 %0,t;}"
                       : "=r"(d32)
                       : "d"(da));)
    OTHER(asm volatile("{.reg .b16 t; cvt.rmi.u8.f64 t,%1; cvt.u32.u16 %0,t;}"
                       : "=r"(d32)
                       : "d"(da));)
    OTHER(asm volatile("{.reg .b16 t; cvt.rpi.u8.f64 t,%1; cvt.u32.u16 %0,t;}"
                       : "=r"(d32)
                       : "d"(da));)
    h_d("cvt.rzi.s16.f64");
    h_d("cvt.rni.s16.f64");
    h_d("cvt.rmi.s16.f64");
    h_d("cvt.rpi.s16.f64");
    h_d("cvt.rzi.u16.f64");
    h_d("cvt.rni.u16.f64");
    h_d("cvt.rmi.u16.f64");
    h_d("cvt.rpi.u16.f64");
    r_d("cvt.rzi.s32.f64");
    r_d("cvt.rni.s32.f64");
    r_d("cvt.rmi.s32.f64");
    r_d("cvt.rpi.s32.f64");
    r_d("cvt.rzi.u32.f64");
    r_d("cvt.rni.u32.f64");
    r_d("cvt.rmi.u32.f64");
    r_d("cvt.rpi.u32.f64");
    l_d("cvt.rzi.s64.f64");
    l_d("cvt.rni.s64.f64");
    l_d("cvt.rmi.s64.f64");
    l_d("cvt.rpi.s64.f64");
    l_d("cvt.rzi.u64.f64");
    l_d("cvt.rni.u64.f64");
    l_d("cvt.rmi.u64.f64");
    l_d("cvt.rpi.u64.f64");
    r_d("cvt.rpi.s32.f64");
    d_d("cvt.rni.f64.f64");
    d_d("cvt.rzi.f64.f64");
    d_d("cvt.rmi.f64.f64");
    d_d("cvt.rpi.f64.f64");
    OTHER(asm volatile("{.reg .b16 t; cvt.rzi.s8.f16 t,%1; cvt.s32.s16 %0,t;}"
                       : "=r"(d32)
                       : "h"(ha));)
    OTHER(asm volatile("{.reg .b16 t; cvt.rni.s8.f16 t,%1; cvt.s32.s16 %0,t;}"
                       : "=r"(d32)
                       : "h"(ha));)
    OTHER(asm volatile("{.reg .b16 t; cvt.rmi.s8.f16 t,%1; cvt.s32.s16 %0,t;}"
                       : "=r"(d32)
                       : "h"(ha));)
    OTHER(asm volatile("{.reg .b16 t; cvt.rpi.s8.f16 t,%1; cvt.s32.s16 %0,t;}"
                       : "=r"(d32)
                       : "h"(ha));)
    OTHER(asm volatile("{.reg .b16 t; cvt.rzi.u8.f16 t,%1; cvt.u32.u16 %0,t;}"
                       : "=r"(d32)
                       : "h"(ha));)
    OTHER(asm volatile("{.reg .b16 t; cvt.rni.u8.f16 t,%1; cvt.u32.u16 %0,t;}"
                       : "=r"(d32)
                       : "h"(ha));)
    OTHER(asm volatile("{.reg .b16 t; cvt.rmi.u8.f16 t,%1; cvt.u32.u16 %0,t;}"
                       : "=r"(d32)
                       : "h"(ha));)
    OTHER(asm volatile("{.reg .b16 t; cvt.rpi.u8.f16 t,%1; cvt.u32.u16 %0,t;}"
                       : "=r"(d32)
                       : "h"(ha));)
    h_h("cvt.rzi.s16.f16");
    h_h("cvt.rni.s16.f16");
    h_h("cvt.rmi.s16.f16");
    h_h("cvt.rpi.s16.f16");
    h_h("cvt.rzi.u16.f16");
    h_h("cvt.rni.u16.f16");
    h_h("cvt.rmi.u16.f16");
    h_h("cvt.rpi.u16.f16");
    r_h("cvt.rzi.s32.f16");
    r_h("cvt.rni.s32.f16");
    r_h("cvt.rmi.s32.f16");
    r_h("cvt.rpi.s32.f16");
    r_h("cvt.rzi.u32.f16");
    r_h("cvt.rni.u32.f16");
    r_h("cvt.rmi.u32.f16");
    r_h("cvt.rpi.u32.f16");
    l_h("cvt.rzi.s64.f16");
    l_h("cvt.rni.s64.f16");
    l_h("cvt.rmi.s64.f16");
    l_h("cvt.rpi.s64.f16");
    l_h("cvt.rzi.u64.f16");
    l_h("cvt.rni.u64.f16");
    l_h("cvt.rmi.u64.f16");
    l_h("cvt.rpi.u64.f16");
    r_h("cvt.rpi.s32.f16");
    h_h("cvt.rni.f16.f16");
    h_h("cvt.rzi.f16.f16");
    h_h("cvt.rmi.f16.f16");
    h_h("cvt.rpi.f16.f16");
    h_f("cvt.rn.f16.f32");
    h_d("cvt.rn.f16.f64");
    h_r("cvt.rn.f16.s32");
    h_r("cvt.rn.f16.u32");
    h_f("cvt.rz.f16.f32");
    h_d("cvt.rz.f16.f64");
    h_r("cvt.rz.f16.s32");
    h_r("cvt.rz.f16.u32");
    h_f("cvt.rm.f16.f32");
    h_d("cvt.rm.f16.f64");
    h_r("cvt.rm.f16.s32");
    h_r("cvt.rm.f16.u32");
    h_f("cvt.rp.f16.f32");
    h_d("cvt.rp.f16.f64");
    h_r("cvt.rp.f16.s32");
    h_r("cvt.rp.f16.u32");
    f_h("cvt.f32.f16");
    d_h("cvt.f64.f16");
    d_f("cvt.f64.f32");
    f_h("cvt.f32.bf16");
    d_f("cvt.ftz.f64.f32");
    f_d("cvt.rn.ftz.f32.f64");
    r_ff("cvt.rn.f16x2.f32");
    r_ff("cvt.rn.relu.f16x2.f32");
    r_ff("cvt.rn.bf16x2.f32");
    r_ff("cvt.rn.relu.bf16x2.f32");
    r_ff("cvt.rz.f16x2.f32");
    r_ff("cvt.rz.relu.f16x2.f32");
    r_ff("cvt.rz.bf16x2.f32");
    r_ff("cvt.rz.relu.bf16x2.f32");
    h_r("cvt.rn.bf16.s32");
    r_h("cvt.rzi.s32.bf16");
    r_r("cvt.sat.u8.s32");
    r_r("cvt.sat.s16.s32");
    r_r("cvt.sat.s8.s32");
}

KERNEL(minima)
{
    OPERANDS;
    f_ff("min.f32");
    f_ff("min.ftz.f32");
    f_ff("min.NaN.f32");
    f_ff("min.ftz.NaN.f32");
    f_ff("min.xorsign.abs.f32");
    f_ff("min.NaN.xorsign.abs.f32");
    d_dd("min.f64");
    r_rr("min.s32");
    r_rr("min.u32");
    r_rr("min.s16x2");
    r_rr("min.u16x2");
    r_rr("min.relu.s32");
    r_rr("min.relu.s16x2");
    r_rr("min.f16x2");
    r_rr("min.NaN.f16x2");
    r_rr("min.xorsign.abs.f16x2");
    r_rr("min.ftz.f16x2");
    r_rr("min.bf16x2");
    r_rr("min.NaN.bf16x2");
    r_rr("min.xorsign.abs.bf16x2");
    f_ff("max.f32");
    f_ff("max.ftz.f32");
    f_ff("max.NaN.f32");
    f_ff("max.ftz.NaN.f32");
    f_ff("max.xorsign.abs.f32");
    f_ff("max.NaN.xorsign.abs.f32");
    d_dd("max.f64");
    r_rr("max.s32");
    r_rr("max.u32");
    r_rr("max.s16x2");
    r_rr("max.u16x2");
    r_rr("max.relu.s32");
    r_rr("max.relu.s16x2");
    r_rr("max.f16x2");
    r_rr("max.NaN.f16x2");
    r_rr("max.xorsign.abs.f16x2");
    r_rr("max.ftz.f16x2");
    r_rr("max.bf16x2");
    r_rr("max.NaN.bf16x2");
    r_rr("max.xorsign.abs.bf16x2");
    l_ll("min.s64");
    l_ll("max.u64");
    OTHER(d32 = __vimin3_s32(a32, b32, c32);)
    OTHER(d32 = __vimax3_s32_relu(a32, b32, c32);)
    OTHER(d32 = __vimin3_s16x2(a32, b32, c32);)
    OTHER(d32 = __vimax3_u16x2(a32, b32, c32);)
    OTHER(d32 = __viaddmax_s32(a32, b32, c32);)
    OTHER(d32 = __viaddmax_s32_relu(a32, b32, c32);)
    OTHER(d32 = __viaddmin_s16x2(a32, b32, c32);)
    OTHER(d32 = __viaddmax_s16x2_relu(a32, b32, c32);)
    OTHER(d32 = __viaddmax_u16x2(a32, b32, c32);)
    OTHER(bool q; d32 = __vibmax_s32(a32, b32, &q); d32 ^= q ? 0x55555555u : 0;)
    OTHER(bool q; d32 = __vibmin_u32(a32, b32, &q); d32 ^= q ? 0x55555555u : 0;)
    OTHER(bool q, r; d32 = __vibmax_s16x2(a32, b32, &q, &r); D = q | r << 1;)
}

KERNEL(halves)
{
    OPERANDS;
    r_rr("add.rn.f16x2");
    r_rr("add.rn.ftz.f16x2");
    r_rr("add.rn.sat.f16x2");
    r_rr("add.rn.ftz.sat.f16x2");
    r_rr("add.rn.bf16x2");
    r_rr("mul.rn.f16x2");
    r_rr("mul.rn.ftz.f16x2");
    r_rr("mul.rn.sat.f16x2");
    r_rr("mul.rn.ftz.sat.f16x2");
    r_rr("mul.rn.bf16x2");
    r_rr("sub.rn.f16x2");
    r_rr("sub.rn.ftz.f16x2");
    r_rr("sub.rn.sat.f16x2");
    r_rr("sub.rn.ftz.sat.f16x2");
    r_rr("sub.rn.bf16x2");
    r_rrr("fma.rn.f16x2");
    r_rrr("fma.rn.ftz.f16x2");
    r_rrr("fma.rn.sat.f16x2");
    r_rrr("fma.rn.relu.f16x2");
    r_rrr("fma.rn.ftz.sat.f16x2");
    r_rrr("fma.rn.ftz.relu.f16x2");
    r_rrr("fma.rn.bf16x2");
    r_rrr("fma.rn.relu.bf16x2");
}

KERNEL(comparisons)
{
    OPERANDS;
    OTHER(asm volatile("{.reg .pred p; setp.eq.f32 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "f"(fa), "f"(fb));)
    OTHER(asm volatile("{.reg .pred p; setp.eq.f64 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "d"(da), "d"(db));)
    OTHER(asm volatile("{.reg .pred p,q; .reg .u32 t; setp.eq.f16x2 p|q,%1,%2; selp.u32 %0,1,0,p; "
                       "selp.u32 t,2,0,q; or.b32 %0,%0,t;}"
                       : "=r"(d32)
                       : "r"(a32), "r"(b32));)
    r_rr("set.eq.f16x2.f16x2");
    f_ff("set.eq.f32.f32");
    OTHER(asm volatile("{.reg .pred p; setp.ne.f32 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "f"(fa), "f"(fb));)
    OTHER(asm volatile("{.reg .pred p; setp.ne.f64 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "d"(da), "d"(db));)
    OTHER(asm volatile("{.reg .pred p,q; .reg .u32 t; setp.ne.f16x2 p|q,%1,%2; selp.u32 %0,1,0,p; "
                       "selp.u32 t,2,0,q; or.b32 %0,%0,t;}"
                       : "=r"(d32)
                       : "r"(a32), "r"(b32));)
    r_rr("set.ne.f16x2.f16x2");
    f_ff("set.ne.f32.f32");
    OTHER(asm volatile("{.reg .pred p; setp.lt.f32 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "f"(fa), "f"(fb));)
    OTHER(asm volatile("{.reg .pred p; setp.lt.f64 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "d"(da), "d"(db));)
    OTHER(asm volatile("{.reg .pred p,q; .reg .u32 t; setp.lt.f16x2 p|q,%1,%2; selp.u32 %0,1,0,p; "
                       "selp.u32 t,2,0,q; or.b32 %0,%0,t;}"
                       : "=r"(d32)
                       : "r"(a32), "r"(b32));)
    r_rr("set.lt.f16x2.f16x2");
    f_ff("set.lt.f32.f32");
    OTHER(asm volatile("{.reg .pred p; setp.le.f32 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "f"(fa), "f"(fb));)
    OTHER(asm volatile("{.reg .pred p; setp.le.f64 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "d"(da), "d"(db));)
    OTHER(asm volatile("{.reg .pred p,q; .reg .u32 t; setp.le.f16x2 p|q,%1,%2; selp.u32 %0,1,0,p; "
                       "selp.u32 t,2,0,q; or.b32 %0,%0,t;}"
                       : "=r"(d32)
                       : "r"(a32), "r"(b32));)
    r_rr("set.le.f16x2.f16x2");
    f_ff("set.le.f32.f32");
    OTHER(asm volatile("{.reg .pred p; setp.gt.f32 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "f"(fa), "f"(fb));)
    OTHER(asm volatile("{.reg .pred p; setp.gt.f64 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "d"(da), "d"(db));)
    OTHER(asm volatile("{.reg .pred p,q; .reg .u32 t; setp.gt.f16x2 p|q,%1,%2; selp.u32 %0,1,0,p; "
                       "selp.u32 t,2,0,q; or.b32 %0,%0,t;}"
                       : "=r"(d32)
                       : "r"(a32), "r"(b32));)
    r_rr("set.gt.f16x2.f16x2");
    f_ff("set.gt.f32.f32");
    OTHER(asm volatile("{.reg .pred p; setp.ge.f32 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "f"(fa), "f"(fb));)
    OTHER(asm volatile("{.reg .pred p; setp.ge.f64 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "d"(da), "d"(db));)
    OTHER(asm volatile("{.reg .pred p,q; .reg .u32 t; setp.ge.f16x2 p|q,%1,%2; selp.u32 %0,1,0,p; "
                       "selp.u32 t,2,0,q; or.b32 %0,%0,t;}"
                       : "=r"(d32)
                       : "r"(a32), "r"(b32));)
    r_rr("set.ge.f16x2.f16x2");
    f_ff("set.ge.f32.f32");
    OTHER(asm volatile("{.reg .pred p; setp.equ.f32 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "f"(fa), "f"(fb));)
    OTHER(asm volatile("{.reg .pred p; setp.equ.f64 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "d"(da), "d"(db));)
    OTHER(asm volatile("{.reg .pred p,q; .reg .u32 t; setp.equ.f16x2 p|q,%1,%2; selp.u32 %0,1,0,p; "
                       "selp.u32 t,2,0,q; or.b32 %0,%0,t;}"
                       : "=r"(d32)
                       : "r"(a32), "r"(b32));)
    r_rr("set.equ.f16x2.f16x2");
    f_ff("set.equ.f32.f32");
    OTHER(asm volatile("{.reg .pred p; setp.neu.f32 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "f"(fa), "f"(fb));)
    OTHER(asm volatile("{.reg .pred p; setp.neu.f64 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "d"(da), "d"(db));)
    OTHER(asm volatile("{.reg .pred p,q; .reg .u32 t; setp.neu.f16x2 p|q,%1,%2; selp.u32 %0,1,0,p; "
                       "selp.u32 t,2,0,q; or.b32 %0,%0,t;}"
                       : "=r"(d32)
                       : "r"(a32), "r"(b32));)
    r_rr("set.neu.f16x2.f16x2");
    f_ff("set.neu.f32.f32");
    OTHER(asm volatile("{.reg .pred p; setp.ltu.f32 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "f"(fa), "f"(fb));)
    OTHER(asm volatile("{.reg .pred p; setp.ltu.f64 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "d"(da), "d"(db));)
    OTHER(asm volatile("{.reg .pred p,q; .reg .u32 t; setp.ltu.f16x2 p|q,%1,%2; selp.u32 %0,1,0,p; "
                       "selp.u32 t,2,0,q; or.b32 %0,%0,t;}"
                       : "=r"(d32)
                       : "r"(a32), "r"(b32));)
    r_rr("set.ltu.f16x2.f16x2");
    f_ff("set.ltu.f32.f32");
    OTHER(asm volatile("{.reg .pred p; setp.leu.f32 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "f"(fa), "f"(fb));)
    OTHER(asm volatile("{.reg .pred p; setp.leu.f64 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "d"(da), "d"(db));)
    OTHER(asm volatile("{.reg .pred p,q; .reg .u32 t; setp.leu.f16x2 p|q,%1,%2; selp.u32 %0,1,0,p; "
                       "selp.u32 t,2,0,q; or.b32 %0,%0,t;}"
                       : "=r"(d32)
                       : "r"(a32), "r"(b32));)
    r_rr("set.leu.f16x2.f16x2");
    f_ff("set.leu.f32.f32");
    OTHER(asm volatile("{.reg .pred p; setp.gtu.f32 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "f"(fa), "f"(fb));)
    OTHER(asm volatile("{.reg .pred p; setp.gtu.f64 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "d"(da), "d"(db));)
    OTHER(asm volatile("{.reg .pred p,q; .reg .u32 t; setp.gtu.f16x2 p|q,%1,%2; selp.u32 %0,1,0,p; "
                       "selp.u32 t,2,0,q; or.b32 %0,%0,t;}"
                       : "=r"(d32)
                       : "r"(a32), "r"(b32));)
    r_rr("set.gtu.f16x2.f16x2");
    f_ff("set.gtu.f32.f32");
    OTHER(asm volatile("{.reg .pred p; setp.geu.f32 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "f"(fa), "f"(fb));)
    OTHER(asm volatile("{.reg .pred p; setp.geu.f64 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "d"(da), "d"(db));)
    OTHER(asm volatile("{.reg .pred p,q; .reg .u32 t; setp.geu.f16x2 p|q,%1,%2; selp.u32 %0,1,0,p; "
                       "selp.u32 t,2,0,q; or.b32 %0,%0,t;}"
                       : "=r"(d32)
                       : "r"(a32), "r"(b32));)
    r_rr("set.geu.f16x2.f16x2");
    f_ff("set.geu.f32.f32");
    OTHER(asm volatile("{.reg .pred p; setp.num.f32 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "f"(fa), "f"(fb));)
    OTHER(asm volatile("{.reg .pred p; setp.num.f64 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "d"(da), "d"(db));)
    OTHER(asm volatile("{.reg .pred p,q; .reg .u32 t; setp.num.f16x2 p|q,%1,%2; selp.u32 %0,1,0,p; "
                       "selp.u32 t,2,0,q; or.b32 %0,%0,t;}"
                       : "=r"(d32)
                       : "r"(a32), "r"(b32));)
    r_rr("set.num.f16x2.f16x2");
    f_ff("set.num.f32.f32");
    OTHER(asm volatile("{.reg .pred p; setp.nan.f32 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "f"(fa), "f"(fb));)
    OTHER(asm volatile("{.reg .pred p; setp.nan.f64 p,%1,%2; selp.u32 %0,1,0,p;}"
                       : "=r"(d32)
                       : "d"(da), "d"(db));)
    OTHER(asm volatile("{.reg .pred p,q; .reg .u32 t; setp.nan.f16x2 p|q,%1,%2; selp.u32 %0,1,0,p; "
                       "selp.u32 t,2,0,q; or.b32 %0,%0,t;}"
                       : "=r"(d32)
                       : "r"(a32), "r"(b32));)
    r_rr("set.nan.f16x2.f16x2");
    f_ff("set.nan.f32.f32");
}

KERNEL(integers)
{
    OPERANDS;
    r_rrr("mad.lo.s32");
    r_rrr("mad.hi.s32");
    r_rrr("mad.hi.u32");
    r_rr("mul.hi.s32");
    r_rrr("sad.s32");
    r_rrr("sad.u32");
    r_rrr("dp4a.s32.s32");
    r_rrr("dp4a.u32.s32");
    r_rrr("dp4a.u32.u32");
    r_rrr("dp2a.lo.s32.s32");
    r_rrr("dp2a.hi.u32.s32");
    r_rrr("prmt.b32");
    r_rrr("prmt.b32.f4e");
    r_rrr("prmt.b32.b4e");
    r_rrr("prmt.b32.rc8");
    r_rrr("prmt.b32.ecl");
    r_rrr("prmt.b32.ecr");
    r_rrr("prmt.b32.rc16");
    r_rrr("shf.l.wrap.b32");
    r_rrr("shf.l.clamp.b32");
    r_rrr("shf.r.wrap.b32");
    r_rrr("shf.r.clamp.b32");
    r_rr("shl.b32");
    r_rr("shr.u32");
    r_rr("shr.s32");
    r_rrr("bfe.u32");
    r_rrr("bfe.s32");
    r_r("bfind.u32");
    r_r("bfind.s32");
    r_r("bfind.shiftamt.s32");
    r_r("clz.b32");
    r_r("popc.b32");
    r_r("brev.b32");
    r_r("abs.s32");
    OTHER(asm volatile("lop3.b32 %0,%1,%2,%3,0x96;" : "=r"(d32) : "r"(a32), "r"(b32), "r"(c32));)
    OTHER(asm volatile("lop3.b32 %0,%1,%2,%3,0xe8;" : "=r"(d32) : "r"(a32), "r"(b32), "r"(c32));)
    OTHER(asm volatile("lop3.b32 %0,%1,%2,%3,0x1d;" : "=r"(d32) : "r"(a32), "r"(b32), "r"(c32));)
    OTHER(asm volatile("lop3.b32 %0,%1,%2,%3,0x47;" : "=r"(d32) : "r"(a32), "r"(b32), "r"(c32));)
    r_rr("szext.wrap.s32");
    r_rr("szext.clamp.s32");
    r_rr("szext.clamp.u32");
    r_rr("bmsk.clamp.b32");
    r_rr("bmsk.wrap.b32");
    r_rrr("vabsdiff4.s32.s32.s32");
    r_rrr("vabsdiff4.u32.u32.u32");
    r_rrr("vabsdiff4.u32.u32.u32.add");
    r_rr("div.s32");
    r_rr("rem.u32");
    r_rr("add.u16x2");
    OTHER(asm volatile("bfi.b32 %0,%1,%2,3,9;" : "=r"(d32) : "r"(a32), "r"(b32));)
    l_ll("add.s64");
    l_ll("mul.lo.s64");
    l_ll("mul.hi.u64");
    l_ll("mul.hi.s64");
    l_lll("mad.lo.s64");
    l_ll("div.s64");
    l_ll("rem.u64");
    l_l("abs.s64");
    l_l("brev.b64");
    OTHER(asm volatile("mul.wide.s32 %0,%1,%2;" : "=l"(D) : "r"(a32), "r"(b32));)
    OTHER(asm volatile("mad.wide.u32 %0,%1,%2,%3;" : "=l"(D) : "r"(a32), "r"(b32), "l"(C));)
    OTHER(asm volatile("mad.wide.s32 %0,%1,%2,%3;" : "=l"(D) : "r"(a32), "r"(b32), "l"(C));)
    OTHER(asm volatile("shl.b64 %0,%1,%2;" : "=l"(D) : "l"(A), "r"(b32));)
    OTHER(asm volatile("shr.s64 %0,%1,%2;" : "=l"(D) : "l"(A), "r"(b32));)
    OTHER(asm volatile("shr.u64 %0,%1,%2;" : "=l"(D) : "l"(A), "r"(b32));)
    OTHER(asm volatile("{mad.lo.cc.u64 %0,%1,%2,%3; madc.hi.u64 %0,%1,%2,0;}"
                       : "=l"(D)
                       : "l"(A), "l"(B), "l"(C));)
}

KERNEL(lanes)
{
    OPERANDS;
    OTHER(d32 = __shfl_up_sync(~0u, a32, b32 & 31, 8);)
    OTHER(d32 = __shfl_down_sync(~0u, a32, 3, 16);)
    OTHER(d32 = __shfl_sync(~0u, a32, b32, 8);)
    OTHER(d32 = __shfl_xor_sync(~0u, a32, 5);)
    OTHER(d32 = __ballot_sync(~0u, (int)a32 < 0);)
    OTHER(d32 = __any_sync(~0u, a32 == 0);)
    OTHER(d32 = __all_sync(~0u, a32 != 0);)
    OTHER(d32 = __match_any_sync(~0u, a32 & 3);)
    OTHER(d32 = __match_any_sync(~0u, A & 3);)
    OTHER(int q; d32 = __match_all_sync(~0u, a32, &q); d32 ^= q;)
    OTHER(d32 = __reduce_add_sync(~0u, a32);)
    OTHER(d32 = __reduce_min_sync(~0u, (int)a32);)
    OTHER(d32 = __reduce_max_sync(~0u, a32);)
    OTHER(d32 = __reduce_xor_sync(~0u, a32);)
    OTHER(d32 = __reduce_and_sync(~0u, a32);)
    OTHER(asm volatile("{.reg .pred p; elect.sync %0|p,0xffffffff; @p add.u32 %0,%0,100;}"
                       : "=r"(d32));)
    OTHER(asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0,%1;" : "=r"(d32) : "r"(a32));)
}

KERNEL(matrices)
{
    OPERANDS;
    MMA_4_2_4("m16n8k16.row.col.f32.f16.f16.f32", hpair(r), hpair(r), fnum(r));
    MMA_2_1_4("m16n8k8.row.col.f32.f16.f16.f32", hpair(r), hpair(r), fnum(r));
    MMA_4_2_2("m16n8k16.row.col.f16.f16.f16.f16", hpair(r), hpair(r), hpair(r));
    MMA_4_2_4("m16n8k16.row.col.f32.bf16.bf16.f32", bpair(r), bpair(r), fnum(r));
    MMA_2_1_4("m16n8k8.row.col.f32.bf16.bf16.f32", bpair(r), bpair(r), fnum(r));
    MMA_4_2_4("m16n8k8.row.col.f32.tf32.tf32.f32", fnum(r), fnum(r), fnum(r));
    MMA_2_1_4("m16n8k4.row.col.f32.tf32.tf32.f32", fnum(r), fnum(r), fnum(r));
    MMA_4_2_4("m16n8k32.row.col.s32.s8.s8.s32", (unsigned)r, (unsigned)r, (unsigned)r);
    MMA_2_1_4("m16n8k16.row.col.s32.u8.u8.s32", (unsigned)r, (unsigned)r, (unsigned)r);
    MMA_1_1_2("m8n8k16.row.col.s32.s8.s8.s32", (unsigned)r, (unsigned)r, (unsigned)r);
    MMA_4_2_4("m16n8k16.row.col.f32.f16.f16.f32", (unsigned)r, (unsigned)r, (unsigned)r);
    MMA_4_2_4("m16n8k16.row.col.f32.bf16.bf16.f32", (unsigned)r, (unsigned)r, (unsigned)r);
    MMA_4_2_4("m16n8k8.row.col.f32.tf32.tf32.f32", (unsigned)r, (unsigned)r, (unsigned)r);
    OTHER(
        unsigned x[4], y[2], z[4], w[4]; for (int q = 0; q < 4; q++) {
            x[q] = 0x7f7f7f7f;
            z[q] = a32;
        } y[0] = y[1] = b32;
        asm volatile("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 "
                     "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%10,%11,%12,%13};"
                     : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])
                     : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(z[0]),
                       "r"(z[1]), "r"(z[2]), "r"(z[3]));
        D = w[1]; D = D << 32 | w[0];)
}
