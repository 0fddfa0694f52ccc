// How the warps of an SM share its resources: blocks fill an SM, all warps run the same code, and
// each warp reads its clock before and after. Do they end together, or one after the other? Kernels
// NAME(out, who, sm, turns): of the warps on the SM `sm`, the warp in slot s writes out[2 s] and
// out[2 s + 1], first and last clock, and who[2 s] and who[2 s + 1], its block and its warp of the
// block. The other SMs sleep, so that their places stay taken. `sm` = -1: all SMs work, and nothing
// is written.
typedef unsigned u32;

extern __shared__ float memory[];

__device__ __forceinline__ u32 clock_now(void)
{
    u32 now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
    return now;
}

__device__ __forceinline__ u32 sm_id(void)
{
    u32 sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm;
}

__device__ __forceinline__ u32 slot_id(void)
{
    u32 slot;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
    return slot;
}

/// Sleeps until all blocks are placed and the measured blocks have ended, so that no place becomes
/// free.
__device__ __forceinline__ void sleep(void)
{
    for (int i = 0; i < 16; i++)
        asm volatile("nanosleep.u32 4000;");
}

template <class Work>
__device__ __forceinline__ void share(u32 *out, u32 *who, u32 sm, int turns, Work work)
{
    if (sm != ~0u && sm_id() != sm) {
        sleep();
        return;
    }
    for (u32 i = threadIdx.x; i < 1024; i += blockDim.x)
        memory[i] = 0.0f;
    u32 slot = slot_id();
    u32 first = 0, last = 0;
    float sum = 0.0f;
#pragma unroll 1
    for (int pass = 0; pass < 2; pass++) { // the first pass warms the caches
        __syncthreads();
        first = clock_now();
        sum += work(threadIdx.x, pass ? turns : 1);
        last = clock_now();
    }
    if (sum == 1.25f)
        last = 0;
    if (sm == ~0u || threadIdx.x % 32 != 0)
        return;
    out[2 * slot] = first;
    out[2 * slot + 1] = last;
    who[2 * slot] = blockIdx.x;
    who[2 * slot + 1] = threadIdx.x / 32;
}

#define SHARE(NAME, ...)                                                                           \
    extern "C" __global__ void __launch_bounds__(1024, 2)                                          \
        NAME(u32 *out, u32 *who, u32 sm, int turns)                                                \
    {                                                                                              \
        share(out, who, sm, turns, [out](u32 thread, int turns) {                                  \
            float a = (float)thread, b = a, c = a, d = a;                                          \
            u32 base = (u32)__cvta_generic_to_shared(memory), lane = base + thread % 32 * 4;       \
            u32 wide = base + thread % 32 * 32;                                                    \
            u32 row = base + thread / 16 % 16 * 64, column = base + 1024 + thread % 16 * 4;        \
            const float *line = (const float *)out + 256 + thread % 32;                            \
            /* all else of an address is to be a constant */                                       \
            asm("" : "+r"(lane), "+r"(wide), "+r"(row), "+r"(column), "+l"(line));                 \
            _Pragma("unroll 1") for (int i = 0; i < turns; i++)                                    \
            {                                                                                      \
                __VA_ARGS__                                                                        \
            }                                                                                      \
            return a + b + c + d;                                                                  \
        });                                                                                        \
    }

#define UNROLL _Pragma("unroll")

// 16 FFMAs, each depends on the previous
SHARE(chain, UNROLL for (int j = 0; j < 16; j++) asm volatile("fma.rn.f32 %0, %0, %0, %0;"
                                                              : "+f"(a));)
// 16 FFMAs in four chains
SHARE(
    chains, UNROLL for (int j = 0; j < 4; j++) {
        asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(a));
        asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(b));
        asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(c));
        asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(d));
    })
// 16 instructions of the integer pipe in two chains
SHARE(
    logic, int x = __float_as_int(a); int y = __float_as_int(b);
    UNROLL for (int j = 0; j < 4; j++) {
        x ^= x << 13;
        y ^= y << 13;
        x ^= (unsigned)x >> 17;
        y ^= (unsigned)y >> 17;
    } a = __int_as_float(x);
    b = __int_as_float(y);)
// 8 LDS, then their sum
SHARE(lds, float v[8];
      UNROLL for (int j = 0; j < 8; j++) asm volatile("ld.volatile.shared.f32 %0, [%1];"
                                                      : "=f"(v[j])
                                                      : "r"(lane + 128 * j));
      UNROLL for (int j = 0; j < 8; j++) a += v[j];)
// 8 LDS that need 8 passes each
SHARE(conflict, float v[8];
      UNROLL for (int j = 0; j < 8; j++) asm volatile("ld.volatile.shared.f32 %0, [%1];"
                                                      : "=f"(v[j])
                                                      : "r"(wide + 4 * j));
      UNROLL for (int j = 0; j < 8; j++) a += v[j];)
// 8 STS
SHARE(sts,
      UNROLL for (int j = 0; j < 8;
                  j++) asm volatile("st.volatile.shared.f32 [%0], %1;" ::"r"(lane + 128 * j), "f"(a)
                                    : "memory");)
// 8 LDG that hit L1, then their sum
SHARE(ldg, float v[8]; const float *at = line + i % 2;
      UNROLL for (int j = 0; j < 8; j++) asm volatile("ld.global.ca.f32 %0, [%1];"
                                                      : "=f"(v[j])
                                                      : "l"(at + 32 * j)
                                                      : "memory");
      UNROLL for (int j = 0; j < 8; j++) a += v[j];)
// 8 MUFU in two chains
SHARE(
    mufu, UNROLL for (int j = 0; j < 4; j++) {
        asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(a));
        asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(b));
    })
// 8 SHFL, then their sum
SHARE(shfl, float v[8];
      UNROLL for (int j = 0; j < 8; j++) asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 31, -1;"
                                                      : "=f"(v[j])
                                                      : "f"(a));
      UNROLL for (int j = 0; j < 8; j++) b += v[j];)
// A tile of 16 x 16 of a matrix product, in blocks of 16 x 16 threads
#define TILE                                                                                       \
    UNROLL for (int j = 0; j < 4; j++)                                                             \
    {                                                                                              \
        float4 left;                                                                               \
        float right[4];                                                                            \
        asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"                           \
                     : "=f"(left.x), "=f"(left.y), "=f"(left.z), "=f"(left.w)                      \
                     : "r"(row + 16 * j));                                                         \
        UNROLL for (int k = 0; k < 4; k++) asm volatile(                                           \
            "ld.volatile.shared.f32 %0, [%1];" : "=f"(right[k]) : "r"(column + 64 * (4 * j + k))); \
        a += left.x * right[0];                                                                    \
        a += left.y * right[1];                                                                    \
        a += left.z * right[2];                                                                    \
        a += left.w * right[3];                                                                    \
    }

SHARE(tile, TILE)
// The same between barriers
SHARE(tile_barrier, __syncthreads(); TILE __syncthreads();)
