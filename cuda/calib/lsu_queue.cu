// The way of a memory instruction from the scheduler to the load/store stage of the SM: cycles that
// one warp takes to issue 1 to 16 independent instructions, with 1, 2 or 4 sub-partitions issuing
// the same (blocks of 32, 64, 128 threads, one warp per sub-partition), or with several warps in
// one sub-partition. Kernels NAME(out, data, n): warp w writes out[w] = cycles between two clock
// reads with n instructions between them, with warm caches. Expected code: CS2R, n times the
// instruction, CS2R.
#include "memory.cuh"

struct Lane {
    char *global;
    u32 shared;
    u32 value;
};

/// N times `access` between two clock reads.
template <int N, class Access>
__device__ __forceinline__ u64 timed(Lane lane, u32 &sum, Access access)
{
    u32 value[N > 0 ? N : 1];
    u64 start = clock_now();
#pragma unroll
    for (int k = 0; k < N; k++)
        value[k] = access(lane, k);
    u64 cycles = clock_now() - start;
#pragma unroll
    for (int k = 0; k < N; k++)
        sum += value[k];
    return cycles;
}

template <class Access>
__device__ __forceinline__ void issue(u64 *out, char *data, u32 n, Access access)
{
    __shared__ u32 memory[64];
    Lane lane = {data + 4 * (threadIdx.x & 31), shared_address(memory) + 4 * (threadIdx.x & 31),
                 threadIdx.x};
    u64 cycles = 0;
    u32 sum = 0;
#pragma unroll 1
    for (int pass = 0; pass < 3; pass++) {
        __syncthreads();
        switch (n) {
#define CASE(N)                                                                                    \
    case N:                                                                                        \
        cycles = timed<N>(lane, sum, access);                                                      \
        break;
            CASE(0)
            CASE(1)
            CASE(2)
            CASE(3)
            CASE(4)
            CASE(5)
            CASE(6)
            CASE(7)
            CASE(8)
            CASE(9)
            CASE(10)
            CASE(11)
            CASE(12)
            CASE(13)
            CASE(16)
#undef CASE
        }
        wait_for(sum);
        lane.global += n >> 31; // adds 0, which the compiler does not know
    }
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = cycles;
}

#define ISSUE(NAME, ...)                                                                           \
    extern "C" __global__ void NAME(u64 *out, char *data, u32 n)                                   \
    {                                                                                              \
        issue(out, data, n, [](Lane lane, int k) {                                                 \
            u32 value = 0;                                                                         \
            __VA_ARGS__;                                                                           \
            return value;                                                                          \
        });                                                                                        \
    }

// LDG.E, each warp in lines of its own, in L1
ISSUE(ldg, asm volatile("ld.global.u32 %0, [%1];"
                        : "=r"(value)
                        : "l"(lane.global + 512 * k)
                        : "memory"))
// STG.E
ISSUE(stg, asm volatile("st.global.u32 [%0], %1;" ::"l"(lane.global + 512 * k), "r"(lane.value)
                        : "memory"))
// LDS
ISSUE(lds, asm volatile("ld.volatile.shared.u32 %0, [%1];"
                        : "=r"(value)
                        : "r"(lane.shared + 4 * k)
                        : "memory"))
// STS
ISSUE(sts, asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(lane.shared), "r"(lane.value)
                        : "memory"))
// SHFL.IDX
ISSUE(shfl, asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, -1;"
                         : "=r"(value)
                         : "r"(lane.value), "r"(k)))
// MUFU.EX2
ISSUE(mufu, asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=r"(value) : "r"(lane.value + k)))
// RED.E.ADD: words of one line, each once
ISSUE(red, asm volatile("red.global.add.u32 [%0], %1;" ::"l"(lane.global + 512 * k), "r"(lane.value)
                        : "memory"))
