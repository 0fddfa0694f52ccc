// Chains of dependent instructions as the compiler schedules them, for GPUs without assembled
// kernels (ops.py assembles the chains for sm_90). One warp. The second of two passes is measured,
// so that code and constants are in the caches. Expected code: CS2R, 64 times the instruction,
// CS2R; half of the HFMA2 are HFMA2.MMA on sm_90.
typedef unsigned long long u64;

#define CHAIN(name, type, first, ...)                                                              \
    extern "C" __global__ void name(u64 *out, type *sink, type a)                                  \
    {                                                                                              \
        type x = first;                                                                            \
        u64 begin, end;                                                                            \
        _Pragma("unroll 1") for (int pass = 0; pass < 2; pass++)                                   \
        {                                                                                          \
            asm volatile("mov.u64 %0, %%clock64;" : "=l"(begin)::"memory");                        \
            _Pragma("unroll") for (int i = 0; i < 64; i++) { __VA_ARGS__; }                       \
            asm volatile("mov.u64 %0, %%clock64;" : "=l"(end)::"memory");                          \
        }                                                                                          \
        sink[threadIdx.x] = x;                                                                     \
        out[0] = begin;                                                                            \
        out[1] = end;                                                                              \
    }

CHAIN(chain_ffma, float, a, asm volatile("fma.rn.f32 %0, %0, %0, %1;" : "+f"(x) : "f"(a)))
CHAIN(chain_fadd, float, a, asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(a)))
CHAIN(chain_imad, int, a, asm volatile("mad.lo.s32 %0, %0, %0, %1;" : "+r"(x) : "r"(a)))
CHAIN(chain_hfma2, unsigned, a, asm volatile("fma.rn.f16x2 %0, %0, %0, %1;" : "+r"(x) : "r"(a)))
CHAIN(chain_dfma, double, a, asm volatile("fma.rn.f64 %0, %0, %0, %1;" : "+d"(x) : "d"(a)))
CHAIN(chain_mufu, float, a, asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x)))
CHAIN(chain_popc, int, a, asm volatile("popc.b32 %0, %0;" : "+r"(x)))
