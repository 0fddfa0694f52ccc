// Latency of single accesses that miss every cache: its distribution, and the slowest of many
// accesses. A warp that waits for several lines, and a launch that waits for all its warps, see the
// slowest access. As in distance.cu addresses do not depend on data: a loaded word, which is 0, is
// added.
#include "loads.cuh"

/// Cycles of one load.
__device__ __forceinline__ u64 latency(const char *at, u32 *value)
{
    u64 start = clock_now();
    *value += load_l2(at + *value);
    wait_for(*value);
    return clock_now() - start;
}

/// `count` loads in succession, `stride` bytes apart: out[i] = cycles of load i.
extern "C" __global__ void singles(u64 *out, const char *data, u32 count, u64 stride)
{
    u32 value = 0;
#pragma unroll 1
    for (u32 i = 0; i < count; i++)
        out[i] = latency(data + i * stride, &value);
}

/// `rounds` loads in succession by each warp, each load of a line of its own; all lines lie side by
/// side: out[warp] = cycles of the last load.
extern "C" __global__ void slowest(u64 *out, const char *data, u32 rounds)
{
    u32 warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    u64 round = (u64)gridDim.x * (blockDim.x / 32) * 128;
    const char *at = data + (u64)warp * 128 + lane * 4;
    u64 cycles = 0;
    u32 value = 0;
#pragma unroll 1
    for (u32 i = 0; i < rounds; i++) {
        cycles = latency(at, &value);
        at += round;
    }
    if (lane == 0)
        out[warp] = cycles;
}

/// Loads of the same line, each time from memory: discard drops the line from L2. A bank that is
/// being refreshed delays a load, so the times between late loads are multiples of the refresh
/// interval. For load i of each block: gap[] = cycles between the ends of the last two late loads,
/// late[] = cycles beyond the fastest load so far. Only for a GPU: the simulator does not discard,
/// so the loads hit.
extern "C" __global__ void again(u32 *gap, u32 *late, char *data, u32 count)
{
    char *line = data + blockIdx.x * 4352;
    u32 *gaps = gap + blockIdx.x * count, *lates = late + blockIdx.x * count;
    u64 least = ~0ull, last = 0, between = 0;
    u32 value = 0;
#pragma unroll 1
    for (u32 i = 0; i < count + 64; i++) {
#if __CUDA_ARCH__ >= 800
        asm volatile("discard.global.L2 [%0], 128;" ::"l"(line) : "memory");
#endif
        u64 cycles = latency(line, &value), end = clock_now();
        value = 0; // a discarded word may have any value
        least = cycles < least ? cycles : least;
        if (cycles > least + 100) {
            between = end - last;
            last = end;
        }
        if (i >= 64) {
            gaps[i - 64] = (u32)between;
            lates[i - 64] = (u32)(cycles - least);
        }
    }
}

/// One load in each of `pages` pieces of `bytes` bytes, then a second load in each piece: out[i],
/// out[pages + i].
extern "C" __global__ void pages(u64 *out, const char *data, u32 pages, u64 bytes)
{
    u32 value = 0;
#pragma unroll 1
    for (u32 i = 0; i < 2 * pages; i++) {
        u64 page = i < pages ? i : i - pages;
        u64 inside = page * 4224 % (bytes / 2) + (i < pages ? 0 : bytes / 2);
        out[i] = latency(data + page * bytes + inside, &value);
    }
}

/// A short launch: each thread makes `loads` dependent loads and a store. No other block uses the
/// lines of a block. n: threads.
extern "C" __global__ void steps(u32 *out, const char *data, u32 loads)
{
    u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x, n = (u64)gridDim.x * blockDim.x;
    u32 value = 0;
#pragma unroll 1
    for (u32 k = 0; k < loads; k++)
        value += load_l2(data + (n * k + i) * 4 + value);
    out[i] = value;
}
