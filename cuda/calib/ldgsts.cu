// Copies from global to shared memory that pass no register (LDGSTS): latency and rate by width,
// from L1 and from L2. One block. Expected code: LDGSTS.E (.BYPASS) .64 .128, LDGDEPBAR, DEPBAR.LE.
#include "memory.cuh"

__shared__ __align__(1024) u32 memory[4096];

#define COPY(NAME, HOW, BYTES)                                                                     \
    __device__ __forceinline__ void copy_##NAME(u32 to, const char *from)                          \
    {                                                                                              \
        asm volatile("cp.async." HOW ".shared.global [%0], [%1], %2;" ::"r"(to), "l"(from),        \
                     "n"(BYTES)                                                                    \
                     : "memory");                                                                  \
    }                                                                                              \
    extern "C" __global__ void latency_##NAME(u64 *out, const char *data, u32 rounds)              \
    {                                                                                              \
        u32 to = shared_address(memory) + (threadIdx.x & 31) * BYTES;                              \
        const char *from = data + (threadIdx.x & 31) * BYTES;                                      \
        chain(out, rounds, 0u, [=](u32 v) {                                                        \
            copy_##NAME(to, from);                                                                 \
            asm volatile("cp.async.wait_all;" ::: "memory");                                       \
            return v;                                                                              \
        });                                                                                        \
    }                                                                                              \
    extern "C" __global__ void rate_##NAME(u64 *out, const char *data, u32 rounds)                 \
    {                                                                                              \
        u32 to = shared_address(memory) + (threadIdx.x & 31) * BYTES;                              \
        const char *from = data + (threadIdx.x & 31) * BYTES;                                      \
        rate(out, rounds, [=](u32 moved, int k) {                                                  \
            copy_##NAME(to, from + moved + 512 * k);                                               \
            if (k == UNROLL - 1)                                                                   \
                asm volatile("cp.async.wait_all;" ::: "memory");                                   \
            return 0;                                                                              \
        });                                                                                        \
    }
COPY(ca_4, "ca", 4)
COPY(ca_8, "ca", 8)
COPY(ca_16, "ca", 16)
COPY(cg_16, "cg", 16)
