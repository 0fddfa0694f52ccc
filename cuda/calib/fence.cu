// Fences: cycles of a dependent chain of fences alone, after a store, and after a load that has
// arrived. One warp; block b stores 8320 x b bytes behind block 0. Expected code: UNROLL times
// (STG.E or LDG.E,) MEMBAR.SC or .ALL with the ERRBAR and CCTL.IVALL that the compiler adds.
#include "memory.cuh"

#define FENCE(SCOPE, INSTRUCTION)                                                                  \
    extern "C" __global__ void fence_##SCOPE(u64 *out, u32 rounds)                                 \
    {                                                                                              \
        chain(out, rounds, 0u, [](u32 v) {                                                         \
            asm volatile(INSTRUCTION ::: "memory");                                                \
            return v;                                                                              \
        });                                                                                        \
    }                                                                                              \
    extern "C" __global__ void store_fence_##SCOPE(u64 *out, char *data, u32 rounds, u32 stride)   \
    {                                                                                              \
        char *at = data + (threadIdx.x & 31) * stride + blockIdx.x * 8320;                         \
        chain(out, rounds, 0u, [=](u32 v) {                                                        \
            asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(v) : "memory");                  \
            asm volatile(INSTRUCTION ::: "memory");                                                \
            return v;                                                                              \
        });                                                                                        \
    }
FENCE(block, "fence.acq_rel.cta;")
FENCE(device, "fence.acq_rel.gpu;")
FENCE(system, "fence.acq_rel.sys;")
FENCE(device_sc, "fence.sc.gpu;")

/// Does a line stay in L1 through a fence of device scope? Load, wait, fence.
extern "C" __global__ void load_fence_device(u64 *out, char *data, u32 rounds)
{
    char *at = data + 4 * (threadIdx.x & 31);
    chain(out, rounds, 0u, [=](u32 v) {
        u32 value;
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(at + v) : "memory");
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
        return value;
    });
}

/// Dependent loads with acquire (the compiler adds CCTL.IVALL behind the load) and stores with
/// release (MEMBAR before the store), alone and beside other loads and stores. `near` is in another
/// line than `at`.
#define ORDERED(NAME, ...)                                                                         \
    extern "C" __global__ void ordered_##NAME(u64 *out, char *data, u32 rounds)                    \
    {                                                                                              \
        char *at = data + 4 * (threadIdx.x & 31), *other = at + 8320;                              \
        chain(out, rounds, 0u, [=](u32 v) {                                                        \
            u32 value, more = 0;                                                                   \
            (void)other;                                                                           \
            __VA_ARGS__;                                                                           \
            return value + more;                                                                   \
        });                                                                                        \
    }
#define LOAD(HOW, VALUE, AT)                                                                       \
    asm volatile("ld." HOW ".u32 %0, [%1];" : "=r"(VALUE) : "l"(AT) : "memory")
#define STORE(HOW, AT, VALUE)                                                                      \
    asm volatile("st." HOW ".u32 [%0], %1;" ::"l"(AT), "r"(VALUE) : "memory")
ORDERED(acquire, LOAD("acquire.gpu.global", value, at + v))
ORDERED(acquire_load, LOAD("acquire.gpu.global", value, at + v);
        LOAD("global", more, other + value))
ORDERED(acquire_load_2, LOAD("acquire.gpu.global", value, at + v);
        LOAD("global", more, other + value); LOAD("global", more, other + more))
ORDERED(relaxed_fence, LOAD("relaxed.gpu.global", value, at + v);
        asm volatile("fence.acq_rel.gpu;" ::: "memory"))
ORDERED(release, LOAD("relaxed.gpu.global", value, at + v); STORE("release.gpu.global", other, value))
ORDERED(weak_release, LOAD("global", value, at + v); STORE("release.gpu.global", other, value))
ORDERED(acquire_release, LOAD("acquire.gpu.global", value, at + v);
        STORE("release.gpu.global", other, value))
ORDERED(fence_twice, LOAD("relaxed.gpu.global", value, at + v);
        asm volatile("fence.acq_rel.gpu;" ::: "memory"); asm volatile("fence.acq_rel.gpu;" ::: "memory"))
ORDERED(fence_store_load, asm volatile("fence.acq_rel.gpu;" ::: "memory");
        STORE("relaxed.gpu.global", other, v); LOAD("relaxed.gpu.global", value, at + v))

/// Does a fence ask the memory that has been used? A fence, a load of `lines` lines, its arrival and a
/// pause; then the fence that counts, and a store behind it.
extern "C" __global__ void used_fence(u64 *out, char *data, u32 rounds, u32 lines)
{
    char *at = data + blockIdx.x * 16640;
    u64 sum = 0;
#pragma unroll 1
    for (u32 round = 0; round < 16 * rounds; round++) {
        u32 value = 0;
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
#pragma unroll 1
        for (u32 line = 0; line < lines; line++)
            LOAD("relaxed.gpu.global", value, at + 1056 * line + (value & 1));
        __nanosleep(1000 + (value & 1));
        u64 start = clock_now();
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
        STORE("relaxed.gpu.global", at, 0);
        sum += clock_now() - start;
    }
    out[blockIdx.x] = sum;
}
