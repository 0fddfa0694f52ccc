// Streaming kernels: each thread loads a word of one or more arrays and stores their sum, as vector
// addition does. Measures how long a warp waits for its loads, by the number of arrays, the number
// of warps, and the place of the stores.
#include "walk.cuh"

/// Arrays are `apart` bytes apart; sums are stored `to` bytes behind the words of the first array,
/// at offsets below `wrap` (a power of two). wrap = 0: nothing is stored.
struct Stream {
    u64 apart, to;
    u32 wrap;
};

template <int LOADS, class Load, class Store>
__device__ __forceinline__ void move(char *data, u64 at, Stream s, Load load, Store store)
{
    u32 value[LOADS + 1], sum = 0;
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        value[k] = load(data + k * s.apart + at);
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        sum += value[k];
    if (s.wrap != 0)
        store(data + s.to + (at & (s.wrap - 1)), sum);
    else
        wait_for(sum);
}

__device__ __forceinline__ void put_32(char *at, u32 value)
{
    asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}

/// Blocks that last for the whole launch: out[block] = cycles of `timed` rounds, after `warm` and
/// before `after` others.
#define STAY(NAME, LOADS, BYTES, LOAD, STORE)                                                      \
    extern "C" __global__ void NAME(u64 *out, char *data, u64 apart, u64 to, u32 wrap, u32 warm,   \
                                    u32 timed, u32 after)                                          \
    {                                                                                              \
        Stream s = {apart, to, wrap};                                                              \
        u64 at = ((u64)blockIdx.x * blockDim.x + threadIdx.x) * BYTES, cycles = 0;                 \
        u64 step = (u64)gridDim.x * blockDim.x * BYTES;                                            \
        _Pragma("unroll 1") for (int phase = 0; phase < 3; phase++)                                \
        {                                                                                          \
            u32 rounds = phase == 0 ? warm : phase == 1 ? timed : after;                           \
            __syncthreads();                                                                       \
            u64 start = clock_now();                                                               \
            _Pragma("unroll 1") for (u32 i = 0; i < rounds; i++, at += step)                       \
                move<LOADS>(data, at, s, LOAD, STORE);                                             \
            __syncthreads();                                                                       \
            if (phase == 1)                                                                        \
                cycles = clock_now() - start;                                                      \
        }                                                                                          \
        if (threadIdx.x == 0)                                                                      \
            out[blockIdx.x] = cycles;                                                              \
    }

/// Blocks of one tile each, which replace each other.
#define PASS(NAME, LOADS, BYTES, LOAD, STORE)                                                      \
    extern "C" __global__ void NAME(char *data, u64 apart, u64 to, u32 wrap)                       \
    {                                                                                              \
        Stream s = {apart, to, wrap};                                                              \
        u64 at = ((u64)blockIdx.x * blockDim.x + threadIdx.x) * BYTES;                             \
        move<LOADS>(data, at, s, LOAD, STORE);                                                     \
    }

STAY(stay_1, 1, 4, load_32, put_32)
STAY(stay_2, 2, 4, load_32, put_32)
PASS(pass_1, 1, 4, load_32, put_32)
PASS(pass_2, 2, 4, load_32, put_32)
