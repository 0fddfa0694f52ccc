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
