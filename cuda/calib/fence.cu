// Fences: cycles of a dependent chain of fences alone, after a store, and after a load that has
// arrived. One warp; block b stores 8320 x b bytes further on. Expected code: UNROLL times (STG.E
// or LDG.E,) MEMBAR.SC or .ALL with ERRBAR and CCTL.IVALL as the compiler adds them.
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

/// A loaded word of a line in L1 stays there through a fence of the device? Load, wait, fence.
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
