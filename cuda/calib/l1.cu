// L1: latency by width and address, cycles by pattern of the lanes, capacity, sectors, loads that
// hit a line that is being fetched, and lines in flight. Loads are plain ld.global (LDG.E), which
// L1 caches. One block. Expected code: the body of a measured loop has UNROLL times the instruction
// named beside the kernel.
#include "loads.cuh"

/// Bytes between the independent accesses of one body.
constexpr u32 APART = 4096;

/// Loads a word that holds its own address (LDG.E.64 R, [R.64]).
extern "C" __global__ void chase_64(u64 *out, char *data, u32 rounds, u32 keep, u32 shift,
                                    u32 stride)
{
    u64 at = (u64)(data + lane_offset(keep, shift, stride));
    *(volatile u64 *)at = at;
    __syncthreads();
    chain(out, rounds, at, [](u64 p) {
        u64 next;
        asm volatile("ld.global.u64 %0, [%1];" : "=l"(next) : "l"(p) : "memory");
        return next;
    });
}

/// The next address is the address plus the loaded words, which are 0 (LDG.E, .64 or .128, and
/// additions).
#define CHASE(NAME, LOAD)                                                                          \
    extern "C" __global__ void NAME(u64 *out, char *data, u32 rounds, u32 keep, u32 shift,         \
                                    u32 stride)                                                    \
    {                                                                                              \
        u64 at = (u64)(data + lane_offset(keep, shift, stride));                                   \
        chain(out, rounds, at, [](u64 p) { return p + LOAD((const char *)p); });                   \
    }
CHASE(sum_chase_32, load_32)
CHASE(sum_chase_64, load_64)
CHASE(sum_chase_128, load_128)

/// Independent loads: LDG.E, .64, .128.
#define LOADS(NAME, LOAD)                                                                          \
    extern "C" __global__ void NAME(u64 *out, char *data, u32 rounds, u32 keep, u32 shift,         \
                                    u32 stride)                                                    \
    {                                                                                              \
        const char *at = data + lane_offset(keep, shift, stride);                                  \
        rate(out, rounds, [=](u32 moved, int k) { return LOAD(at + moved + k * APART); });         \
    }
LOADS(loads_32, load_32)
LOADS(loads_64, load_64)
LOADS(loads_128, load_128)

/// Global loads and loads from shared memory in turn (LDG.E, LDS): do they share more than the
/// stage?
extern "C" __global__ void loads_and_shared(u64 *out, char *data, u32 rounds, u32 keep, u32 shift,
                                            u32 stride)
{
    __shared__ u32 memory[32];
    const char *at = data + lane_offset(keep, shift, stride);
    u32 shared = shared_address(memory) + 4 * (threadIdx.x & 31);
    rate(out, rounds, [=](u32 moved, int k) {
        u32 value;
        if (k % 2)
            asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(value) : "r"(shared) : "memory");
        else
            value = load_32(at + moved + k * APART);
        return value;
    });
}

/// A ring of `count` words, `stride` bytes apart, each holding the address of the next word. One
/// warp walks one lap to warm up and one measured lap, `beyond` bytes behind each word. Footprint:
/// count x stride.
extern "C" __global__ void ring(u64 *out, char *data, u32 count, u32 stride, u32 beyond)
{
    for (u32 i = threadIdx.x; i < count; i += blockDim.x) {
        u64 next = (u64)(data + (u64)((i + 1) % count) * stride);
        *(volatile u64 *)(data + (u64)i * stride) = next;
        *(volatile u64 *)(data + (u64)i * stride + beyond) = next + beyond;
    }
    __threadfence(); // stored words would stay in L1
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    u64 at = (u64)data, lap = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; pass++) {
        u64 start = clock_now();
#pragma unroll 1
        for (u32 i = 0; i < count; i += UNROLL)
#pragma unroll
            for (int k = 0; k < UNROLL; k++)
                asm volatile("ld.global.u64 %0, [%0];" : "+l"(at)::"memory");
        wait_for((u32)at);
        lap = clock_now() - start;
        at += beyond; // the same lines, maybe other sectors
    }
    if (threadIdx.x == 0)
        *out = lap;
}

/// A load misses L1 and hits L2. A second load, `apart` bytes behind it, is issued `later`
/// dependent additions later. Writes the cycles from the issue of the first load to its arrival,
/// and to the arrival of the second load. (Pass 0 uses other lines.)
extern "C" __global__ void hit_on_miss(u64 *out, char *data, u32 apart, u32 later)
{
    u64 first = 0, second = 0;
#pragma unroll 1
    for (u32 pass = 0; pass < 2; pass++) {
        const char *at = data + 65536 * pass;
        u32 count = 0;
        wait_for(load_l2(at) + load_l2(at + apart));
        __syncthreads();
        u64 start = clock_now();
        u32 a = load_32(at);
#pragma unroll 1
        for (u32 i = 0; i < later; i++)
            asm volatile("add.u32 %0, %0, %0;" : "+r"(count));
        u32 b = load_32(at + apart);
        wait_for(a);
        first = clock_now() - start;
        wait_for(b);
        second = clock_now() - start;
    }
    if (threadIdx.x == 0) {
        out[0] = first;
        out[1] = second;
    }
}

/// Does a store leave its line in L1? One thread stores a word of a line that is in L2 and not in
/// L1, waits for `delay` additions, and loads the word `apart` bytes behind. Result: cycles of the
/// load.
extern "C" __global__ void load_after_store(u64 *out, char *data, u32 apart, u32 delay)
{
    u64 cycles = 0;
#pragma unroll 1
    for (u32 pass = 0; pass < 2; pass++) {
        char *at = data + 65536 * pass;
        u32 count = load_l2(at) + load_l2(at + apart);
        asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(count) : "memory");
#pragma unroll 1
        for (u32 i = 0; i < delay; i++)
            asm volatile("add.u32 %0, %0, %0;" : "+r"(count));
        wait_for(count);
        u64 start = clock_now();
        wait_for(load_32(at + apart));
        cycles = clock_now() - start;
    }
    *out = cycles;
}

/// Misses in flight divided by their latency: each warp makes `rounds` x UNROLL loads of 32 words
/// in lines of their own, which are in L2 (`warm` = 1) or not. data: warps x rounds x UNROLL x 32 x
/// `apart` bytes.
extern "C" __global__ void misses(u64 *out, char *data, u32 rounds, u32 apart, u32 warm)
{
    u32 warps = blockDim.x / 32;
    char *at = data + (u64)threadIdx.x / 32 * 32 * apart + (threadIdx.x & 31) * apart;
    u32 sum = 0;
    for (u32 i = 0; warm && i < rounds * UNROLL; i++)
        sum += load_l2(at + (u64)i * warps * 32 * apart);
    wait_for(sum);
    __syncthreads();
    u64 start = clock_now();
#pragma unroll 1
    for (u32 i = 0; i < rounds; i++) {
#pragma unroll
        for (int k = 0; k < UNROLL; k++) {
            sum += load_32(at);
            at += (u64)warps * 32 * apart;
        }
    }
    wait_for(sum);
    __syncthreads();
    if (threadIdx.x == 0)
        *out = clock_now() - start;
}

/// A store, then a load of the same word; the loaded value is stored next (STG.E, LDG.E). `cached`
/// = 1: the line is in L1 before. The compiler does not know that both addresses are equal.
extern "C" __global__ void store_load(u64 *out, char *data, u32 rounds, u32 cached)
{
    char *at = data + 4 * (threadIdx.x & 31), *same = at + (rounds >> 31);
    wait_for(cached ? load_32(at) : 0);
    chain(out, rounds, 0u, [=](u32 value) {
        asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
        return load_32(same);
    });
}

/// Local memory: a store and a load of the same word of an array (STL, LDL); and loads alone,
/// array[i] = i (LDL, and an addition of the address).
extern "C" __global__ void local_store_load(u64 *out, u32 rounds, u32 index)
{
    volatile u32 array[64];
    for (u32 i = 0; i < 64; i++)
        array[i] = 0;
    u32 same = index + (rounds >> 31);
    chain(out, rounds, index, [&](u32 value) {
        array[index] = value;
        return array[same];
    });
}

extern "C" __global__ void local_chase(u64 *out, u32 rounds, u32 index)
{
    volatile u32 array[64];
    for (u32 i = 0; i < 64; i++)
        array[i] = i;
    chain(out, rounds, index, [&](u32 value) { return array[value]; });
}
