// Distance of memory: latency of L2 by SM and address, latency of DRAM idle and under load, reach
// of address translation. Addresses do not depend on data, so that caches can be cold: a loaded
// word, which is 0, is added. Expected code: LDG.E.STRONG.GPU (ld.global.cg goes past L1),
// additions.
#include "loads.cuh"

/// Loads a word that holds its own address, from L2 (LDG.E.64.STRONG.GPU R, [R.64]). The word of
/// block b is `apart` x b bytes behind the word of block 0. out[block].
extern "C" __global__ void chase(u64 *out, char *data, u32 rounds, u32 apart)
{
    u64 at = (u64)data + (u64)blockIdx.x * apart;
    *(volatile u64 *)at = at;
    chain(out, rounds, at, [](u64 p) {
        u64 next;
        asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(next) : "l"(p) : "memory");
        return next;
    });
}

/// `count` dependent loads, `stride` bytes apart, modulo `wrap`, repeated for `laps` laps before
/// the measured lap. out[block] = cycles of the last lap. Threads beyond the first load lines
/// beside it, 128 bytes apart.
extern "C" __global__ void hops(u64 *out, char *data, u32 count, u64 stride, u64 wrap, u32 laps)
{
    u64 cycles = 0;
    u32 value = 0;
#pragma unroll 1
    for (u32 lap = 0; lap <= laps; lap++) {
        u64 offset = (blockIdx.x * (u64)count * stride + threadIdx.x * 128) % wrap;
        u64 start = clock_now();
#pragma unroll 4
        for (u32 i = 0; i < count; i++) {
            value += load_l2(data + offset + value);
            offset += stride;
            offset = offset >= wrap ? offset - wrap : offset;
        }
        wait_for(value);
        cycles = clock_now() - start;
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = cycles;
}

/// Measures each of `count` addresses, `stride` bytes apart, alone: out[SM x count + i] = the least
/// cycles of `laps` loads after the first load; of the first load if laps = 0. SMs begin at
/// different addresses.
extern "C" __global__ void probe(u64 *out, char *data, u32 count, u32 stride, u32 laps)
{
    u32 sm = sm_id();
#pragma unroll 1
    for (u32 lap = 0; lap <= laps; lap++) {
        u32 i = sm * 7 % count;
#pragma unroll 1
        for (u32 n = 0; n < count; n++) {
            u64 start = clock_now();
            wait_for(load_l2(data + (u64)i * stride));
            u64 cycles = clock_now() - start;
            u64 *least = out + sm * count + i;
            if (lap < 2 || cycles < *least)
                *least = cycles;
            i = i + 1 == count ? 0 : i + 1;
        }
    }
}

/// Latency under load: the first warp of each block makes 2 x `count` dependent loads of lines far
/// apart, while every other warp makes `rounds` times four loads of 512 bytes. The number of warps
/// sets the load. latency[block] = cycles of the second half of the chain, busy[block] = cycles of
/// a loading warp.
extern "C" __global__ void loaded(u64 *latency, u64 *busy, char *data, u32 count, u32 rounds)
{
    u32 loaders = blockDim.x / 32 - 1, warp = threadIdx.x / 32, lane = threadIdx.x & 31;
    u64 loaded_bytes = (u64)gridDim.x * loaders * rounds * 2048;
    u32 value = 0;
    if (warp == 0) {
        const char *at = data + loaded_bytes + (u64)blockIdx.x * 2 * count * 4224;
        u64 cycles = 0;
#pragma unroll 1
        for (int pass = 0; pass < 2; pass++) { // the first pass lasts until all warps load
            u64 start = clock_now();
#pragma unroll 1
            for (u32 i = 0; i < count; i++) {
                value += load_l2(at + value);
                at += 4224;
            }
            wait_for(value);
            cycles = clock_now() - start;
        }
        if (lane == 0)
            latency[blockIdx.x] = cycles;
    } else {
        const char *at = data + ((u64)blockIdx.x * loaders + warp - 1) * 512 + lane * 16;
        u64 start = clock_now();
#pragma unroll 1
        for (u32 i = 0; i < rounds; i++) {
            u32 loaded[4];
#pragma unroll
            for (int k = 0; k < 4; k++) {
                loaded[k] = load_l2_128(at);
                at += (u64)gridDim.x * loaders * 512;
            }
            value += loaded[0] + loaded[1] + loaded[2] + loaded[3];
        }
        wait_for(value);
        if (threadIdx.x == 32)
            busy[blockIdx.x] = clock_now() - start;
    }
}
