// Loads of global memory: plain loads, which L1 caches (LDG.E), and loads that go past L1 to L2
// (ld.global.cg, LDG.E.STRONG.GPU). Loads of more than 32 bits return the exclusive or of the
// words.
#pragma once

#include "memory.cuh"

__device__ __forceinline__ u32 load_32(const char *at)
{
    u32 a;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(a) : "l"(at) : "memory");
    return a;
}

__device__ __forceinline__ u32 load_64(const char *at)
{
    u32 a, b;
    asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(at) : "memory");
    return a ^ b;
}

__device__ __forceinline__ u32 load_128(const char *at)
{
    u32 a, b, c, d;
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "l"(at)
                 : "memory");
    return a ^ b ^ c ^ d;
}

__device__ __forceinline__ u32 load_l2(const char *at)
{
    u32 a;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(a) : "l"(at) : "memory");
    return a;
}

__device__ __forceinline__ u32 load_l2_128(const char *at)
{
    u32 a, b, c, d;
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "l"(at)
                 : "memory");
    return a ^ b ^ c ^ d;
}
