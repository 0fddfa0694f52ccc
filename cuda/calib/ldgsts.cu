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

/// Cycles of closing a group and waiting for it, without a copy to wait for.
extern "C" __global__ void latency_wait(u64 *out, const char *data, u32 rounds)
{
    chain(out, rounds, 0u, [](u32 v) {
        asm volatile("cp.async.commit_group; cp.async.wait_group 0;" ::: "memory");
        return v;
    });
}

/// Closing groups alone.
extern "C" __global__ void latency_commit(u64 *out, const char *data, u32 rounds)
{
    chain(out, rounds, 0u, [](u32 v) {
        asm volatile("cp.async.commit_group;" ::: "memory");
        return v;
    });
    asm volatile("cp.async.wait_all;" ::: "memory");
}

/// A copy by `lanes` lanes, `apart` bytes apart in global memory, and the wait for it.
extern "C" __global__ void latency_lanes(u64 *out, const char *data, u32 rounds, u32 lanes, u32 stride)
{
    u32 lane = threadIdx.x & 31, to = shared_address(memory) + lane * 4;
    const char *from = data + lane * stride;
    if (lane < lanes)
        chain(out, rounds, 0u, [=](u32 v) {
            copy_ca_4(to, from);
            asm volatile("cp.async.wait_all;" ::: "memory");
            return v;
        });
}

/// COUNT copies, one group, and the wait for the group.
#define SEVERAL(COUNT)                                                                             \
    extern "C" __global__ void several_##COUNT(u64 *out, const char *data, u32 rounds)             \
    {                                                                                              \
        u32 to = shared_address(memory) + (threadIdx.x & 31) * 4;                                  \
        const char *from = data + (threadIdx.x & 31) * 4;                                          \
        chain(out, rounds, 0u, [=](u32 v) {                                                        \
            for (int i = 0; i < COUNT; i++)                                                        \
                copy_ca_4(to + 128 * i, from + 128 * i);                                           \
            asm volatile("cp.async.wait_all;" ::: "memory");                                       \
            return v;                                                                              \
        });                                                                                        \
    }
SEVERAL(2)
SEVERAL(4)
SEVERAL(8)

/// Each warp copies its own memory, `step` bytes further for each copy, and waits after every 16
/// copies.
#define STREAM(NAME, BYTES)                                                                        \
    extern "C" __global__ void stream_##NAME(u64 *out, const char *data, u32 rounds)               \
    {                                                                                              \
        u32 to = shared_address(memory) + (threadIdx.x & 31) * BYTES;                              \
        const char *from = data + threadIdx.x * BYTES;                                             \
        u32 at = 0;                                                                                \
        rate(out, rounds, [=](u32 moved, int k) mutable {                                          \
            copy_##NAME(to, from + at + moved);                                                    \
            at += blockDim.x * BYTES;                                                              \
            if (k == UNROLL - 1)                                                                   \
                asm volatile("cp.async.wait_all;" ::: "memory");                                   \
            return 0;                                                                              \
        });                                                                                        \
    }
STREAM(ca_4, 4)
STREAM(ca_16, 16)
STREAM(cg_16, 16)
