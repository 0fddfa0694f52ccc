// Walks of blocks through tiles of a buffer in three phases, of which the middle phase is timed
// while all blocks are busy; and the accesses that walks are made of.
#pragma once

#include "loads.cuh"

/// Accesses in the body of the loop; each warp has this many in flight.
constexpr int STEPS = 8;

/// Block b walks through `tiles` tiles from tile b x `base` on, round and round, in steps of
/// `step`. It begins b x `begin` tiles behind the first.
struct Walk {
    u32 tiles, base, begin, step;
    u32 warm, timed, after; // rounds of STEPS tiles
};

template <class Access> __device__ __forceinline__ void walk(u64 *out, Walk w, Access access)
{
    u64 cycles = 0;
    u32 sum = 0, base = blockIdx.x * w.base, tile = blockIdx.x * w.begin % w.tiles;
#pragma unroll 1
    for (int phase = 0; phase < 3; phase++) {
        u32 rounds = phase == 0 ? w.warm : phase == 1 ? w.timed : w.after;
        __syncthreads();
        u64 start = clock_now();
#pragma unroll 1
        for (u32 i = 0; i < rounds; i++) {
            u32 value[STEPS];
#pragma unroll
            for (int k = 0; k < STEPS; k++) {
                value[k] = access(base + tile, k);
                tile += w.step;
                tile = tile >= w.tiles ? tile - w.tiles : tile;
            }
#pragma unroll
            for (int k = 0; k < STEPS; k++)
                sum += value[k];
        }
        wait_for(sum);
        __syncthreads();
        if (phase == 1)
            cycles = clock_now() - start;
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = cycles;
}

__device__ __forceinline__ u32 store_32(char *at)
{
    asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(threadIdx.x) : "memory");
    return 0;
}

__device__ __forceinline__ u32 store_128(char *at)
{
    asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(at), "r"(threadIdx.x) : "memory");
    return 0;
}
