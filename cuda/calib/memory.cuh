// What kernels that measure memory share: clocks, addresses of lanes, and three ways to measure.
// The kernels do not use the data that they load; the clock is the result.
#pragma once

#include <stdint.h>

typedef uint32_t u32;
typedef uint64_t u64;

/// Accesses in the body of a measured loop.
constexpr int UNROLL = 16;

/// CS2R R, SR_CLOCKLO. (For 32 bits the compiler may use S2UR, which answers later.)
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

/// Waits for `value`: warps issue in order, and a store needs its operand. Costs an STS.
__device__ __forceinline__ void wait_for(u32 value)
{
    __shared__ u32 sink;
    asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(shared_address(&sink)), "r"(value)
                 : "memory");
}

/// Byte offset of a lane's access: lanes that differ only in bits outside `keep` share an address;
/// other neighbours are `stride` bytes apart.
__device__ __forceinline__ u32 lane_offset(u32 keep, u32 shift, u32 stride)
{
    return (((threadIdx.x & 31) & keep) >> shift) * stride;
}

/// Cycles of a dependent chain of `rounds` x UNROLL steps, without the cost of start and end: the
/// difference between a chain of twice as many steps and this chain. Writes out[block].
template <class State, class Step>
__device__ __forceinline__ void chain(u64 *out, u32 rounds, State state, Step step)
{
    u64 cycles = 0, before = 0;
#pragma unroll 1
    for (int pass = 0; pass < 3; pass++) { // the first pass fills the caches
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
/// barrier to barrier, in the second pass. `access(moved, k)` returns a value to wait for. `moved`
/// is 0, but the compiler does not know it: added to an address, it keeps an access in the loop.
/// The accesses of one body must differ in their addresses (by a multiple of k) or be volatile;
/// otherwise the compiler merges them. Writes out[block].
template <class Access> __device__ __forceinline__ void rate(u64 *out, u32 rounds, Access access)
{
    u64 cycles = 0;
    u32 sum = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; pass++) { // the first pass fills the caches
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
