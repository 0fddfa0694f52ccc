// Local memory: each thread stores and reloads `words` words of its own; lanes of a mask take part.
// Each warp reads the clock before and behind its stores, and before and behind its loads.
#include "memory.cuh"

constexpr u32 MOST = 512;

/// The body of the kernels below, with a frame of WORDS words.
template <u32 WORDS> __device__ void store_and_load(u64 *out, u32 words, u32 mask)
{
    volatile u32 frame[WORDS];
    u32 warp = threadIdx.x / 32, sum = 0;
    u64 stamp[4] = {0, 0, 0, 0};
    for (int pass = 0; pass < 3; pass++) {
        __syncthreads();
        if (mask >> (threadIdx.x & 31) & 1) {
            stamp[0] = clock_now();
#pragma unroll 8
            for (u32 i = 0; i < words; i++)
                frame[i] = i + pass;
            stamp[1] = clock_now();
            stamp[2] = clock_now();
#pragma unroll 8
            for (u32 i = 0; i < words; i++)
                sum += frame[i];
            wait_for(sum);
            stamp[3] = clock_now();
        }
        __syncwarp();
    }
    if (blockIdx.x == 0 && (threadIdx.x & 31) == __ffs((int)mask) - 1)
        for (int i = 0; i < 4; i++)
            out[(i / 2) * 64 + 2 * warp + i % 2] = stamp[i];
}

/// In each warp the lanes of `mask` store `words` words each, then load them, three times; the last
/// time counts. out: start and end of each warp's stores, then of each warp's loads.
extern "C" __global__ void local(u64 *out, u32 words, u32 mask)
{
    store_and_load<MOST>(out, words, mask);
}

/// The same with frames of half the size: the memory of the warps is closer together.
extern "C" __global__ void local_half(u64 *out, u32 words, u32 mask)
{
    store_and_load<MOST / 2>(out, words, mask);
}

/// Dependent loads.
extern "C" __global__ void follow(u64 *out, u32 rounds, u32 zero)
{
    volatile u32 frame[MOST];
    for (u32 i = 0; i < MOST; i++)
        frame[i] = zero;
    chain(out, rounds, 0u, [&](u32 i) { return frame[i]; });
}

__device__ __forceinline__ u32 load_local(u64 at, u32)
{
    u32 a;
    asm volatile("ld.local.u32 %0, [%1];" : "=r"(a) : "l"(at) : "memory");
    return a;
}

__device__ __forceinline__ u32 load_local(u64 at, uint2)
{
    uint2 v;
    asm volatile("ld.local.v2.u32 {%0, %1}, [%2];" : "=r"(v.x), "=r"(v.y) : "l"(at) : "memory");
    return v.x + v.y;
}

__device__ __forceinline__ u32 load_local(u64 at, uint4)
{
    uint4 v;
    asm volatile("ld.local.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(at)
                 : "memory");
    return v.x + v.y + v.z + v.w;
}

__device__ __forceinline__ u32 store_local(u64 at, u32)
{
    asm volatile("st.local.u32 [%0], %1;" ::"l"(at), "r"(threadIdx.x) : "memory");
    return 0;
}

constexpr int AT_ONCE = 16;

/// Rounds of 16 accesses to a frame of 64 words. Lanes of `mask` take part. Lanes are at several
/// depths of the stack, so that an access touches several lines: lane i begins i / `together` x 16
/// bytes into the frame. `zero` is 0, but the compiler does not know it. out: start and end of each
/// warp.
#define DEPTHS(NAME, ACCESS, TYPE)                                                                 \
    extern "C" __global__ void NAME(u64 *out, u32 rounds, u32 mask, u32 together, u32 zero)        \
    {                                                                                              \
        volatile uint4 frame[64];                                                                  \
        u32 lane = threadIdx.x & 31, warp = threadIdx.x / 32, sum = 0;                             \
        for (int i = 0; i < 64; i++)                                                               \
            frame[i].x = i;                                                                        \
        u64 at = (u64)__cvta_generic_to_local((const void *)frame) + lane / together * 16;         \
        u64 start = 0, end = 0;                                                                    \
        __syncthreads();                                                                           \
        if (mask >> lane & 1) {                                                                    \
            start = clock_now();                                                                   \
            _Pragma("unroll 1") for (u32 i = 0; i < rounds; i++)                                   \
            {                                                                                      \
                u32 value[AT_ONCE];                                                                \
                _Pragma("unroll") for (int k = 0; k < AT_ONCE; k++) value[k] =                     \
                    ACCESS(at + 16 * k + (i & zero), TYPE{});                                      \
                _Pragma("unroll") for (int k = 0; k < AT_ONCE; k++) sum += value[k];               \
            }                                                                                      \
            wait_for(sum);                                                                         \
            end = clock_now();                                                                     \
        }                                                                                          \
        __syncwarp();                                                                              \
        if (lane == __ffs((int)mask) - 1) {                                                        \
            out[2 * warp] = start;                                                                 \
            out[2 * warp + 1] = end;                                                               \
        }                                                                                          \
    }
// LDL, LDL.64, LDL.128, STL
DEPTHS(depths_32, load_local, u32)
DEPTHS(depths_64, load_local, uint2)
DEPTHS(depths_128, load_local, uint4)
DEPTHS(depths_store, store_local, u32)
