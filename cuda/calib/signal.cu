// Signals between blocks through global memory: cycles from the store of a flag until a polling
// load of another SM sees it, with fences and pauses; barriers of all blocks; strong loads and
// stores to near words, far words and one common word. One block on each SM.
#include "memory.cuh"

/// Bytes from one flag to the next: flags are in different lines and slices.
constexpr u32 APART = 4224;

__device__ __forceinline__ u32 load_volatile(const char *at)
{
    u32 value;
    asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
}

__device__ __forceinline__ u32 load_relaxed(const char *at)
{
    u32 value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
}

__device__ __forceinline__ u32 load_acquire(const char *at)
{
    u32 value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
}

__device__ __forceinline__ void store_volatile(char *at, u32 value)
{
    asm volatile("st.volatile.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}

__device__ __forceinline__ void fence_device()
{
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
}

/// Block b and block b + half pass a number back and forth, `rounds` times after 4 to warm up.
/// Blocks from `players` on only read what the first block writes. The blocks of the first half
/// write out[block].
template <class Signal, class Poll>
__device__ __forceinline__ void pass(u64 *out, char *flags, u32 rounds, u32 players, Signal signal,
                                     Poll poll)
{
    const u32 half = players / 2, pair = blockIdx.x % half, last = rounds + 4;
    char *first = flags + pair * 2 * APART, *second = first + APART;
    if (blockIdx.x >= players) {
        while (poll(flags) != last)
            ;
        return;
    }
    u64 start = 0;
#pragma unroll 1
    for (u32 i = 1; i <= last; i++) {
        if (i == 5)
            start = clock_now();
        if (blockIdx.x < half)
            signal(first, i);
        while (poll(blockIdx.x < half ? second : first) != i)
            ;
        if (blockIdx.x >= half)
            signal(second, i);
    }
    if (blockIdx.x < half)
        out[blockIdx.x] = clock_now() - start;
}

#define PASS(NAME, SIGNAL, POLL)                                                                   \
    extern "C" __global__ void pass_##NAME(u64 *out, char *flags, u32 rounds, u32 players)         \
    {                                                                                              \
        pass(                                                                                      \
            out, flags, rounds, players, [=](char *at, u32 value) { SIGNAL; },                     \
            [=](char *at) {                                                                        \
                u32 value;                                                                         \
                POLL;                                                                              \
                return value;                                                                      \
            });                                                                                    \
    }
PASS(store, store_volatile(at, value), value = load_volatile(at))
PASS(relaxed, store_volatile(at, value), value = load_relaxed(at))
PASS(acquire, store_volatile(at, value), value = load_acquire(at))
PASS(exch, atomicExch((u32 *)at, value), value = load_volatile(at))
PASS(add, atomicAdd((u32 *)at, 1u), value = load_volatile(at))
PASS(cas, store_volatile(at, value), value = atomicCAS((u32 *)at, ~0u, 0u))
PASS(fence_store, fence_device(); store_volatile(at, value), value = load_volatile(at))
PASS(fence_exch, fence_device(); atomicExch((u32 *)at, value), value = load_volatile(at))
PASS(store_fence, store_volatile(at, value); fence_device(), value = load_volatile(at))

/// A barrier of all blocks as in cooperative groups. `fences` 0: without its two fences. `stores`:
/// words that each thread stores before the barrier. Writes out[block].
extern "C" __global__ void grid_barrier(u64 *out, u32 *arrived, u32 *data, u32 rounds, u32 fences,
                                        u32 stores)
{
    u64 start = 0;
    const u32 step = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1;
    u32 *mine = data + blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (u32 i = 0; i < rounds + 2; i++) {
        if (i == 2)
            start = clock_now();
        for (u32 k = 0; k < stores; k++)
            mine[k * gridDim.x * blockDim.x] = i;
        __syncthreads();
        if (threadIdx.x == 0) {
            if (fences)
                __threadfence();
            u32 before = atomicAdd(arrived, step);
            while (((before ^ load_volatile((const char *)arrived)) & 0x80000000u) == 0)
                ;
            if (fences)
                __threadfence();
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = clock_now() - start;
}

/// Addresses of the lanes: lane_offset, plus an offset for each warp and block.
#define PLACE                                                                                      \
    u64 *out, char *data, u32 rounds, u32 keep, u32 stride, u32 warp_stride, u32 block_stride,     \
        u32 beside
#define AT                                                                                         \
    char *at = data + lane_offset(keep, 0, stride) + threadIdx.x / 32 * warp_stride +              \
               blockIdx.x * block_stride

/// Dependent strong loads, with a strong store `beside` bytes behind each loaded word.
#define CHASE(NAME, ...)                                                                           \
    extern "C" __global__ void chase_##NAME(PLACE)                                                 \
    {                                                                                              \
        AT;                                                                                        \
        chain(out, rounds, 0u, [=](u32 v) {                                                        \
            u32 next;                                                                              \
            __VA_ARGS__;                                                                           \
            return next;                                                                           \
        });                                                                                        \
    }
CHASE(volatile, next = load_volatile(at + v))
CHASE(relaxed, next = load_relaxed(at + v))
CHASE(halve, next = load_volatile(at + v); store_volatile(at + beside, next))
CHASE(cas, next = atomicCAS((u32 *)(at + v), 0u, 0u))

/// Independent loads and stores; the stores of a pass end with a fence.
extern "C" __global__ void rate_load(PLACE)
{
    AT;
    rate(out, rounds, [=](u32 moved, int) { return load_volatile(at + moved); });
}
extern "C" __global__ void rate_store(PLACE)
{
    AT;
    rate(out, rounds, [=](u32 moved, int k) {
        store_volatile(at + moved, moved);
        if (k == UNROLL - 1)
            fence_device();
        return moved;
    });
}
extern "C" __global__ void rate_both(PLACE)
{
    AT;
    rate(out, rounds, [=](u32 moved, int) {
        u32 value = load_volatile(at + moved);
        store_volatile(at + beside + moved, moved);
        return value;
    });
}

/// Pauses of NANOSECONDS: after each poll, and `rounds` x UNROLL in a row.
#define PAUSE(NANOSECONDS)                                                                         \
    PASS(pause_##NANOSECONDS, store_volatile(at, value), value = load_volatile(at);                \
         __nanosleep(NANOSECONDS))                                                                 \
    extern "C" __global__ void sleep_##NANOSECONDS(u64 *out, u32 rounds)                           \
    {                                                                                              \
        chain(out, rounds, 0u, [=](u32 v) {                                                        \
            __nanosleep(NANOSECONDS);                                                              \
            return v;                                                                              \
        });                                                                                        \
    }
PAUSE(20)
PAUSE(40)
PAUSE(100)
PAUSE(200)
PAUSE(1000)
