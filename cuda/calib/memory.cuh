// What the kernels that measure memory have in common: clocks, addresses of lanes, and the three
// ways to measure. No kernel here uses the data that it loads; what is read is the clock.
#pragma once

#include <stdint.h>

typedef uint32_t u32;
typedef uint64_t u64;

/// Accesses in the body of a measured loop.
constexpr int UNROLL = 16;

/// CS2R R, SR_CLOCKLO. (Of 32 bits the compiler may make an S2UR, which answers some time later.)
__device__ __forceinline__ u64 clock_now()
{
    u64 now;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
    return now;
}

__device__ __forceinline__ u32 sm_id()
{
    u32 sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm;
}

__device__ __forceinline__ u32 shared_address(const void *p)
{
    return (u32)__cvta_generic_to_shared(p);
}

/// Waits for `value`: warps issue in order, and a store needs its operand. Costs one STS.
__device__ __forceinline__ void wait_for(u32 value)
{
    __shared__ u32 sink;
    asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(shared_address(&sink)), "r"(value)
                 : "memory");
}

/// Byte offset of a lane's access: lanes that differ only in bits outside `keep` share an address,
/// neighbours among the others are `stride` bytes apart.
__device__ __forceinline__ u32 lane_offset(u32 keep, u32 shift, u32 stride)
{
    return (((threadIdx.x & 31) & keep) >> shift) * stride;
}

/// Cycles of a dependent chain of `rounds` x UNROLL steps, without what starting and ending it
/// costs: the difference between a chain of twice as many steps and this one. Writes out[block].
template <class State, class Step>
__device__ __forceinline__ void chain(u64 *out, u32 rounds, State state, Step step)
{
    u64 cycles = 0, before = 0;
#pragma unroll 1
    for (int pass = 0; pass < 3; pass++) { // the first fills the caches
        u32 n = pass < 2 ? rounds : 2 * rounds;
        before = cycles;
        u64 start = clock_now();
#pragma unroll 1
        for (u32 i = 0; i < n; i++)
#pragma unroll
            for (int k = 0; k < UNROLL; k++)
                state = step(state);
        cycles = clock_now() - start;
    }
    wait_for((u32)state);
    if (threadIdx.x == 0)
        out[blockIdx.x] = cycles - before;
}

/// Cycles that the block takes for `rounds` x UNROLL independent accesses of each warp, from
/// barrier to barrier, the second time. `access(moved, k)` returns a value to be waited for;
/// `moved` is 0, which the compiler does not know: added to an address it keeps an access in the
/// loop. Accesses of one body must differ in their addresses (by a multiple of k), or be volatile,
/// else they become one. Writes out[block].
template <class Access> __device__ __forceinline__ void rate(u64 *out, u32 rounds, Access access)
{
    u64 cycles = 0;
    u32 sum = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; pass++) { // the first fills the caches
        u32 moved = 0;
        __syncthreads();
        u64 start = clock_now();
#pragma unroll 1
        for (u32 i = 0; i < rounds; i++) {
            u32 value[UNROLL];
#pragma unroll
            for (int k = 0; k < UNROLL; k++)
                value[k] = access(moved, k);
#pragma unroll
            for (int k = 0; k < UNROLL; k++)
                sum += value[k];
            moved += rounds >> 31;
        }
        wait_for(sum);
        __syncthreads();
        cycles = clock_now() - start;
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = cycles;
}
