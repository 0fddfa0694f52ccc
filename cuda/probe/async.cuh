/* What probes of asynchronous copies, barriers (mbarrier) and clusters share. */
#ifndef CUDA_PROBE_ASYNC_CUH
#define CUDA_PROBE_ASYNC_CUH

#include <cstdint>
#include <cuda_runtime.h>

__device__ __forceinline__ uint64_t clock_now()
{
    uint64_t now;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
    return now;
}

__device__ __forceinline__ uint32_t shared_address(const void *pointer)
{
    return (uint32_t)__cvta_generic_to_shared(pointer);
}

/* The address of the same place in block `rank` of the cluster. */
__device__ __forceinline__ uint32_t map_rank(uint32_t address, uint32_t rank)
{
    uint32_t mapped;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(address), "r"(rank));
    return mapped;
}

/* Arrives at a barrier, and announces bytes. */
__device__ __forceinline__ void expect(uint32_t barrier, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
}

/* Waits until the phase of a barrier has ended. */
__device__ __forceinline__ void await(uint32_t barrier, uint32_t phase)
{
    asm volatile("{.reg .pred p;\n"
                 "again: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n"
                 "@!p bra again;}" ::"r"(barrier),
                 "r"(phase)
                 : "memory");
}

/* Numbers of all kinds: many exponents, zeros, denormals, infinities, NaN. */
__host__ __device__ inline uint32_t mixed(uint32_t i)
{
    i *= 2654435761u;
    i ^= i >> 15;
    i *= 2246822519u;
    i ^= i >> 13;
    switch (i >> 28) {
    case 0:
        return i & 0x807fffffu;
    case 1:
        return i | 0x7f800000u;
    case 2:
        return i & 0x83ff83ffu;
    case 3:
        return i & 0xffff0000u;
    case 4:
        return i & 0x80008000u;
    case 5:
        return i | 0x7ff00000u;
    case 6:
        return 0;
    case 7:
        return (i << 15 & 0x80000000u) | 0x7ff00000u;
    default:
        return i * 3266489917u;
    }
}

#endif
