// Known traffic for a profiler to count: stores that merge on their way to L2, and traffic that
// goes on to DRAM.
#include "walk.cuh"

/// Each warp stores the four words of 16 bytes of each lane in succession, `rounds` times, to lines
/// of its own. Between two stores it accesses `between` whole lines of another buffer, and waits at
/// least `pause` cycles.
extern "C" __global__ void store_words(char *data, char *other, u32 rounds, u32 between, u32 pause)
{
    u32 thread = blockIdx.x * blockDim.x + threadIdx.x;
    u32 threads = gridDim.x * blockDim.x;
#pragma unroll 1
    for (u32 i = 0; i < rounds; i++) {
        char *at = data + ((u64)i * threads + thread) * 16;
#pragma unroll 1
        for (u32 k = 0; k < 4; k++) {
            store_32(at + 4 * k);
#pragma unroll 1
            for (u32 j = 0; j < between; j++)
                store_32(other + ((u64)j * threads + thread) * 4);
            u64 end = clock_now() + pause;
            while (pause && clock_now() < end)
                ;
        }
    }
}

/// All SMs store 2^`shift` bytes of each 2^`apart` bytes, in `mb` MB of lines in order, `laps`
/// times.
extern "C" __global__ void store_parts(char *data, u32 shift, u32 apart, u32 mb, u32 laps)
{
    u32 threads = gridDim.x * blockDim.x;
#pragma unroll 1
    for (u32 lap = 0; lap < laps; lap++) {
        u32 thread = blockIdx.x * blockDim.x + threadIdx.x;
        for (u64 word = thread;; word += threads) {
            u64 at = (word >> (shift - 2) << apart) + (word & ((1u << (shift - 2)) - 1)) * 4;
            if (at >= (u64)mb << 20)
                break;
            store_32(data + at);
        }
    }
}

/// The SMs of a group load the same `kb` KB once, through L1, 16 bytes per lane; groups as in
/// load_together.
extern "C" __global__ void load_once(char *data, u32 neighbours, u32 groups, u32 kb)
{
    u32 sm, sum = 0;
    asm("mov.u32 %0, %%smid;" : "=r"(sm));
    u32 group = neighbours ? sm / neighbours : sm % groups;
    char *own = data + (u64)group * kb * 1024 + threadIdx.x * 16;
#pragma unroll 8
    for (u32 at = 0; at < kb * 1024; at += blockDim.x * 16)
        sum += load_128(own + at);
    wait_for(sum);
}

/// A row of 64 words in local memory, written by the lanes of `mask` and read back.
extern "C" __global__ void local_rows(u32 *out, u32 mask, u32 rounds)
{
    u32 row[64];
    if (mask >> (threadIdx.x & 31) & 1) {
#pragma unroll 1
        for (u32 i = 0; i < rounds; i++)
            *(volatile u32 *)&row[(i * 5) & 63] = i;
        out[blockIdx.x * blockDim.x + threadIdx.x] = row[rounds & 63];
    }
}
