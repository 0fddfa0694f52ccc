// Words that many SMs read and write at the same time: by the share of writes, from one half of L2
// or both, on one word, one line, one slice or many slices; with strong loads and stores, which
// other SMs see, or compare-and-swap.
#include "memory.cuh"

#define LOAD(NAME, HOW)                                                                            \
    __device__ __forceinline__ u32 NAME(const char *at)                                            \
    {                                                                                              \
        u32 value;                                                                                 \
        asm volatile("ld." HOW ".u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");               \
        return value;                                                                              \
    }
LOAD(load_sys, "volatile.global")
LOAD(load_gpu, "relaxed.gpu.global")

#define STORE(NAME, HOW)                                                                           \
    __device__ __forceinline__ void NAME(char *at, u32 value)                                      \
    {                                                                                              \
        asm volatile("st." HOW ".u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");                 \
    }
STORE(store_sys, "volatile.global")
STORE(store_gpu, "relaxed.gpu.global")
STORE(store_weak, "global")

/// Returns whether the block takes part. Bit 0 of `who`: SMs near the half of L2 that holds the
/// line of `word`; bit 1: far SMs. An atomic operation takes 290 cycles from a near SM and 485 from
/// a far SM.
__device__ __forceinline__ bool plays(u32 *word, u32 who)
{
    __shared__ u32 least;
    if (threadIdx.x == 0) {
        least = ~0u;
#pragma unroll 1
        for (u32 i = 0; i < 12; i++) {
            u64 start = clock_now();
            u32 value = atomicAdd(word, 0u);
            wait_for(value);
            u32 cycles = (u32)(clock_now() - start);
            least = cycles < least ? cycles : least;
        }
    }
    __syncthreads();
    return who >> (least > 400) & 1;
}

/// Barrier of all blocks. Returns how many blocks take part. `count`: two words of zeros.
__device__ __forceinline__ u32 meet(u32 *count, bool plays)
{
    __shared__ u32 players;
    __syncthreads();
    if (threadIdx.x == 0) {
        if (plays)
            atomicAdd(&count[0], 1u);
        __threadfence();
        atomicAdd(&count[1], 1u);
        while (load_sys((const char *)&count[1]) != gridDim.x)
            ;
        players = load_sys((const char *)&count[0]);
    }
    __syncthreads();
    return players;
}

/// mix_NAME: each warp of the blocks that take part makes `rounds` x UNROLL accesses. Of each 16
/// accesses the first LOADS are loads of the warp's word (lane_offset: keep, stride), the others
/// are stores `beside` bytes behind the word. Writes out[block]: cycles until all accesses are
/// answered, scaled as if all blocks took part.
#define MIX(NAME, LOADS, LOAD_HOW, STORE_HOW)                                                      \
    extern "C" __global__ void mix_##NAME(u64 *out, char *data, u32 *count, u32 rounds, u32 who,   \
                                          u32 keep, u32 stride, u32 beside)                        \
    {                                                                                              \
        mix(out, data, count, rounds, who, [=](u32 moved, int k) {                                 \
            char *at = data + lane_offset(keep, 0, stride) + moved;                                \
            if (k * LOADS % UNROLL < LOADS)                                                        \
                return LOAD_HOW(at);                                                               \
            STORE_HOW(at + beside, moved);                                                         \
            return moved;                                                                          \
        });                                                                                        \
    }

template <class Access>
__device__ __forceinline__ void mix(u64 *out, char *data, u32 *count, u32 rounds, u32 who,
                                    Access access)
{
    bool play = who == 3 || plays((u32 *)data, who);
    u32 players = meet(count, play);
    u64 start = clock_now();
    u32 sum = 0, moved = 0;
    if (play) {
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
    }
    wait_for(sum);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = play ? (clock_now() - start) * gridDim.x / players : 0;
}

MIX(sys_16, 16, load_sys, store_sys)
MIX(sys_15, 15, load_sys, store_sys)
MIX(sys_14, 14, load_sys, store_sys)
MIX(sys_12, 12, load_sys, store_sys)
MIX(sys_8, 8, load_sys, store_sys)
MIX(sys_4, 4, load_sys, store_sys)
MIX(sys_2, 2, load_sys, store_sys)
MIX(sys_0, 0, load_sys, store_sys)
MIX(gpu_16, 16, load_gpu, store_gpu)
MIX(gpu_8, 8, load_gpu, store_gpu)

/// The final mix of MurmurHash3.
__device__ __forceinline__ u32 mixed(u32 x)
{
    x = (x + 1) * 0x9E3779B9u;
    x = (x ^ x >> 16) * 0x85EBCA6Bu;
    x = (x ^ x >> 13) * 0xC2B2AE35u;
    return x ^ x >> 16;
}

/// visit_NAME: each lane visits random words, the next word when the value of the previous word has
/// arrived. A visit reads one of `reads` words, and writes one of `writes` words `apart` bytes
/// behind them. Words are `stride` bytes apart (powers of two). `rounds` visits after 2 to warm up.
/// Writes out[block].
#define VISIT(NAME, ...)                                                                           \
    extern "C" __global__ void visit_##NAME(u64 *out, char *data, u32 *count, u32 rounds,          \
                                            u32 reads, u32 writes, u32 stride, u32 apart)          \
    {                                                                                              \
        meet(count, true);                                                                         \
        u32 random = mixed(blockIdx.x * blockDim.x + threadIdx.x), value = 0;                      \
        u64 start = 0;                                                                             \
        _Pragma("unroll 1") for (u32 i = 0; i < rounds + 2; i++)                                   \
        {                                                                                          \
            if (i == 2)                                                                            \
                start = clock_now();                                                               \
            random = random * 1664525u + 1013904223u;                                              \
            char *from = data + ((random >> 10) & (reads - 1)) * stride + value;                   \
            random = random * 1664525u + 1013904223u;                                              \
            char *to = data + apart + ((random >> 10) & (writes - 1)) * stride + value;            \
            (void)to;                                                                              \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
        wait_for(value);                                                                           \
        __syncthreads();                                                                           \
        if (threadIdx.x == 0)                                                                      \
            out[blockIdx.x] = clock_now() - start;                                                 \
    }
VISIT(load, value = load_sys(from))
VISIT(store, value = load_sys(from); store_sys(to, value))
VISIT(some, value = load_sys(from); if ((random >> 28) == 0) store_sys(to, value))
VISIT(store_gpu, value = load_gpu(from); store_gpu(to, value))
VISIT(store_weak, value = load_gpu(from); store_weak(to, value))
VISIT(cas, value = load_sys(from) + atomicCAS((u32 *)to, ~0u, 0u))
VISIT(swap, value = load_sys(from) + atomicCAS((u32 *)to, 0u, 0u))
VISIT(red, value = load_sys(from); asm volatile("red.global.add.u32 [%0], %1;" ::"l"(to), "r"(value) : "memory"))
VISIT(only, store_sys(to, value); value = random >> 31 & (rounds >> 31))

/// behind: a store to a word, then loads `first` and `second` bytes behind the word. Writes out[2 x
/// block], cycles until the second load has its value, and out[2 x block + 1], cycles until both
/// loads have; the least of `rounds`.
extern "C" __global__ void behind(u64 *out, char *data, u32 rounds, u32 first, u32 second)
{
    char *at = data + blockIdx.x * 8192;
    u64 one = ~0ull, both = ~0ull;
#pragma unroll 1
    for (u32 i = 0; i < rounds; i++) {
        wait_for(load_sys(at) + load_sys(at + first) + load_sys(at + second));
        store_sys(at, i);
        u64 start = clock_now();
        u32 x = load_sys(at + first), y = load_sys(at + second);
        wait_for(y);
        u64 there = clock_now();
        wait_for(x);
        u64 end = clock_now();
        one = there - start < one ? there - start : one;
        both = end - start < both ? end - start : both;
        __nanosleep(1000);
    }
    out[2 * blockIdx.x] = one;
    out[2 * blockIdx.x + 1] = both;
}

/// Union and find: each thread follows a tree to its root, vertex 0, and halves its path on the
/// way: a load, a store, and the next load. The parent of vertex i is i / `branch`, so all paths
/// meet near the root. `stores` 0: without stores. Writes out[block].
extern "C" __global__ void tree(u64 *out, u32 *parent, u32 *count, u32 branch, u32 stores)
{
    u32 vertex = blockIdx.x * blockDim.x + threadIdx.x;
    parent[vertex] = vertex / branch;
    meet(count, true);
    u64 start = clock_now();
    u32 up = load_sys((char *)&parent[vertex]);
    while (up != vertex) {
        u32 next = load_sys((char *)&parent[up]);
        if (stores)
            store_sys((char *)&parent[vertex], next);
        vertex = up;
        up = next;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = clock_now() - start;
}
