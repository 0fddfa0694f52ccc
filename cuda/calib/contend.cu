// Atomic operations under contention: rates by the number of words that lanes share, how many
// operations an SM sends before it waits, and lines that miss L2.
#include "atomics.cuh"


/// random_NAME: each lane works on a random word of `words` words (a power of two), `stride` bytes
/// apart. Result: cycles until L2 has answered all operations; a fence ends the measurement.
/// Operands are 0.
///
/// depth_NAME: `count` operations of each warp. out[2 x block]: cycles until all warps have issued
/// their last operation; out[2 x block + 1]: cycles until all operations are answered.
///
/// cold_NAME: `rounds` x UNROLL operations of each warp. Each operation is on `lanes` successive
/// words of a line that was never touched.
#define CONTEND(NAME, ...)                                                                         \
    __device__ __forceinline__ u32 do_##NAME(char *at, u32 operand)                                \
    {                                                                                              \
        u32 value = 0;                                                                             \
        __VA_ARGS__;                                                                               \
        return value;                                                                              \
    }                                                                                              \
    extern "C" __global__ void random_##NAME(u64 *out, char *data, u32 rounds, u32 words,          \
                                             u32 stride)                                           \
    {                                                                                              \
        random_words(out, data, rounds, words, stride,                                             \
                     [](char *at, u32 operand) { return do_##NAME(at, operand); });                \
    }                                                                                              \
    extern "C" __global__ void depth_##NAME(u64 *out, char *data, u32 count, u32 keep, u32 stride, \
                                            u32 warp_apart, u32 block_apart)                       \
    {                                                                                              \
        char *at = data + lane_offset(keep, 0, stride) + threadIdx.x / 32 * warp_apart +           \
                   (u64)blockIdx.x * block_apart;                                                  \
        depth(out, count, [=]() { return do_##NAME(at, 0); });                                     \
    }                                                                                              \
    extern "C" __global__ void cold_##NAME(u64 *out, char *data, u32 rounds, u32 lanes)            \
    {                                                                                              \
        cold(out, data, rounds, lanes,                                                             \
             [](char *at, u32 operand) { return do_##NAME(at, operand); });                        \
    }

/// The final mix of MurmurHash3.
__device__ __forceinline__ u32 mixed(u32 x)
{
    x = (x + 1) * 0x9E3779B9u;
    x = (x ^ x >> 16) * 0x85EBCA6Bu;
    x = (x ^ x >> 13) * 0xC2B2AE35u;
    return x ^ x >> 16;
}

template <class Access>
__device__ __forceinline__ void random_words(u64 *out, char *data, u32 rounds, u32 words,
                                             u32 stride, Access access)
{
    u64 cycles = 0;
    u32 random = mixed(blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll 1
    for (int pass = 0; pass < 2; pass++) { // the first pass fills the caches
        u32 sum = 0;
        __syncthreads();
        u64 start = clock_now();
#pragma unroll 1
        for (u32 i = 0; i < rounds; i++) {
            u32 value[UNROLL];
#pragma unroll
            for (int k = 0; k < UNROLL; k++) {
                random = random * 1664525u + 1013904223u;
                value[k] = access(data + (u64)((random >> 10) & (words - 1)) * stride, 0u);
            }
#pragma unroll
            for (int k = 0; k < UNROLL; k++)
                sum += value[k];
        }
        wait_for(sum);
        __threadfence();
        __syncthreads();
        cycles = clock_now() - start;
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = cycles;
}

template <class Access> __device__ __forceinline__ void depth(u64 *out, u32 count, Access access)
{
    u64 issued = 0, answered = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; pass++) { // the first pass fills the caches
        __threadfence();
        __syncthreads();
        u64 start = clock_now();
        u32 sum = 0;
#pragma unroll 4
        for (u32 i = 0; i < count; i++)
            sum += access();
        __syncthreads();
        issued = clock_now() - start;
        wait_for(sum);
        __threadfence();
        __syncthreads();
        answered = clock_now() - start;
    }
    if (threadIdx.x == 0) {
        out[2 * blockIdx.x] = issued;
        out[2 * blockIdx.x + 1] = answered;
    }
}

template <class Access>
__device__ __forceinline__ void cold(u64 *out, char *data, u32 rounds, u32 lanes, Access access)
{
    u32 warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x & 31;
    u32 warps = gridDim.x * (blockDim.x / 32), sum = 0;
    char *at = data + (u64)warp * 128 + lane * 4;
    __syncthreads();
    u64 start = clock_now();
    if (lane < lanes) {
#pragma unroll 1
        for (u32 i = 0; i < rounds; i++)
#pragma unroll
            for (int k = 0; k < UNROLL; k++, at += (u64)warps * 128)
                sum += access(at, 0u);
    }
    wait_for(sum);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = clock_now() - start;
}

CONTEND(red, RED_G32("add.u32"))
CONTEND(red_max, RED_G32("max.u32"))
CONTEND(red_f32, RED_G32("add.f32"))
CONTEND(red_f16x2, RED_G32("add.noftz.f16x2"))
CONTEND(red_64, RED_G64("add.u64"))
CONTEND(red_f64, RED_G64("add.f64"))
CONTEND(add, ATOM_G32("add.u32"))
CONTEND(add_f32, ATOM_G32("add.f32"))
CONTEND(exch, ATOM_G32("exch.b32"))
CONTEND(cas, asm volatile("atom.global.cas.b32 %0, [%1], %2, 0;"
                          : "=r"(value)
                          : "l"(at), "r"(operand)
                          : "memory"))
/// Never equal: the words are far below ~0.
CONTEND(cas_fail, asm volatile("atom.global.cas.b32 %0, [%1], 0xFFFFFFFF, %2;"
                               : "=r"(value)
                               : "l"(at), "r"(operand)
                               : "memory"))
CONTEND(cas_64, u64 before; asm volatile("atom.global.cas.b64 %0, [%1], %2, 0;"
                                         : "=l"(before)
                                         : "l"(at), "l"((u64)operand)
                                         : "memory");
        value = (u32)before)
CONTEND(store, asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(operand) : "memory"))

/// Dependent operations of one lane, each on a line that was never touched: out[0] = cycles of
/// UNROLL operations.
extern "C" __global__ void cold_chain(u64 *out, char *data)
{
    u32 value = 0;
    u64 start = clock_now();
#pragma unroll
    for (int k = 0; k < UNROLL; k++)
        value = do_add(data + k * 65536 + value, value);
    wait_for(value);
    out[0] = clock_now() - start;
}

/// MATCH.ANY, each depending on the previous one. Lanes that differ only in bits outside `keep`
/// have equal values. `zero` is 0, but the compiler does not know it.
extern "C" __global__ void chain_match(u64 *out, u32 rounds, u32 keep, u32 zero)
{
    u32 lane = threadIdx.x & 31 & keep;
    chain(out, rounds, lane, [=](u32 v) { return lane + (__match_any_sync(~0u, v) & zero); });
}

/// Shared memory: random words, 16 operations of each warp.
#define SHARED_RANDOM(NAME, ...)                                                                   \
    extern "C" __global__ void shared_random_##NAME(u64 *out, u32 rounds, u32 words)               \
    {                                                                                              \
        for (u32 i = threadIdx.x; i < 2048; i += blockDim.x)                                       \
            memory[i] = 0;                                                                         \
        u32 random = mixed(threadIdx.x), offset[UNROLL];                                           \
        for (int k = 0; k < UNROLL; k++) {                                                         \
            random = random * 1664525u + 1013904223u;                                              \
            offset[k] = shared_address(memory) + (random >> 10 & (words - 1)) * 4;                 \
        }                                                                                          \
        rate(out, rounds, [&](u32 moved, int k) {                                                  \
            u32 value = 0, at = offset[k] + moved;                                                 \
            __VA_ARGS__;                                                                           \
            return value;                                                                          \
        });                                                                                        \
    }

__shared__ u32 memory[2048];

SHARED_RANDOM(add, asm volatile("atom.shared.add.u32 %0, [%1], %1;"
                                : "=r"(value)
                                : "r"(at)
                                : "memory"))
SHARED_RANDOM(red, asm volatile("red.shared.add.u32 [%0], %0;" ::"r"(at) : "memory"))
SHARED_RANDOM(inc, asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(at) : "memory"))
SHARED_RANDOM(count, asm volatile("atom.shared.add.u32 %0, [%1], 1;"
                                  : "=r"(value)
                                  : "r"(at)
                                  : "memory"))
SHARED_RANDOM(cas, asm volatile("atom.shared.cas.b32 %0, [%1], 0, 1;"
                                : "=r"(value)
                                : "r"(at)
                                : "memory"))
