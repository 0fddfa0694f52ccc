// Atomic operations in shared and in global memory (ATOMS, ATOMG, REDG): latency of dependent
// operations, and rates by operation, type and pattern of addresses. Expected code: the body of a
// measured loop has UNROLL times the instruction named beside the kernel.
#include "atomics.cuh"

#define ATOM_S32(OP)                                                                               \
    asm volatile("atom.shared." OP " %0, [%1], %2;"                                                \
                 : "=r"(value)                                                                     \
                 : "r"(at), "r"(operand)                                                           \
                 : "memory")
#define ATOM_G64(OP)                                                                               \
    asm volatile("{.reg .b64 o, v; cvt.u64.u32 o, %2; atom.global." OP                             \
                 " v, [%1], o; cvt.u32.u64 %0, v;}"                                                \
                 : "=r"(value)                                                                     \
                 : "l"(at), "r"(operand)                                                           \
                 : "memory")

/// Shared memory. chain_NAME: the operand of each operation is the result of the previous
/// operation, 0. rate_NAME: independent operations of all warps; successive operations of a body
/// are 128 bytes apart.
#define SHARED(NAME, ...)                                                                          \
    __device__ __forceinline__ u32 do_##NAME(u32 at, u32 operand)                                  \
    {                                                                                              \
        u32 value = 0;                                                                             \
        __VA_ARGS__;                                                                               \
        return value;                                                                              \
    }                                                                                              \
    extern "C" __global__ void chain_##NAME(u64 *out, u32 rounds, u32 keep, u32 shift, u32 stride) \
    {                                                                                              \
        u32 at = lane_address(keep, shift, stride);                                                \
        chain(out, rounds, 0u, [=](u32 v) { return do_##NAME(at, v); });                           \
    }                                                                                              \
    extern "C" __global__ void rate_##NAME(u64 *out, u32 rounds, u32 keep, u32 shift, u32 stride)  \
    {                                                                                              \
        u32 at = lane_address(keep, shift, stride);                                                \
        rate(out, rounds,                                                                          \
             [=](u32 moved, int k) { return do_##NAME(at + moved + 128 * k, threadIdx.x); });      \
    }

__shared__ __align__(1024) u32 memory[2048];

__device__ __forceinline__ u32 lane_address(u32 keep, u32 shift, u32 stride)
{
    for (u32 i = threadIdx.x; i < sizeof memory / 4; i += blockDim.x)
        memory[i] = 0;
    __syncthreads();
    return shared_address(memory) + lane_offset(keep, shift, stride);
}

// ATOMS.ADD, ATOMS.EXCH, ATOMS.CAS, and the reduction: ATOMS.ADD RZ
SHARED(shared_add, ATOM_S32("add.u32"))
SHARED(shared_max, ATOM_S32("max.u32"))
SHARED(shared_exch, ATOM_S32("exch.b32"))
SHARED(shared_cas, asm volatile("atom.shared.cas.b32 %0, [%1], %2, 0;"
                                : "=r"(value)
                                : "r"(at), "r"(operand)
                                : "memory"))
SHARED(shared_red, asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(at), "r"(operand) : "memory"))

/// Global memory. chain_NAME: block b works 4224 x b bytes behind block 0, because a line may
/// belong to the other half of L2. rate_NAME: two arguments give the bytes between warps and
/// between blocks.
#define GLOBAL(NAME, ...)                                                                          \
    __device__ __forceinline__ u32 do_##NAME(char *at, u32 operand)                                \
    {                                                                                              \
        u32 value = 0;                                                                             \
        __VA_ARGS__;                                                                               \
        return value;                                                                              \
    }                                                                                              \
    extern "C" __global__ void chain_##NAME(u64 *out, char *data, u32 rounds, u32 keep, u32 shift, \
                                            u32 stride)                                            \
    {                                                                                              \
        char *at = data + lane_offset(keep, shift, stride) + blockIdx.x * 4224;                    \
        chain(out, rounds, 0u, [=](u32 v) { return do_##NAME(at, v); });                           \
    }                                                                                              \
    extern "C" __global__ void rate_##NAME(u64 *out, char *data, u32 rounds, u32 keep, u32 shift,  \
                                           u32 stride, u32 warp_apart, u32 block_apart)            \
    {                                                                                              \
        char *at = data + lane_offset(keep, shift, stride) + threadIdx.x / 32 * warp_apart +       \
                   (u64)blockIdx.x * block_apart;                                                  \
        rate(out, rounds, [=](u32 moved, int) { return do_##NAME(at + moved, threadIdx.x); });     \
    }

// ATOMG.E.ADD, .64, .F32.FTZ.RN, .F64.RN, EXCH, CAS
GLOBAL(add, ATOM_G32("add.u32"))
GLOBAL(add_64, ATOM_G64("add.u64"))
GLOBAL(add_f32, ATOM_G32("add.f32"))
GLOBAL(exch, ATOM_G32("exch.b32"))
GLOBAL(cas, asm volatile("atom.global.cas.b32 %0, [%1], %2, 0;"
                         : "=r"(value)
                         : "l"(at), "r"(operand)
                         : "memory"))
// REDG.E.ADD, .64, .F32.FTZ.RN, .F16x2.RN, .F64.RN, MAX
GLOBAL(red, RED_G32("add.u32"))
GLOBAL(red_max, RED_G32("max.u32"))
GLOBAL(red_64, RED_G64("add.u64"))
GLOBAL(red_f32, RED_G32("add.f32"))
GLOBAL(red_f16x2, RED_G32("add.noftz.f16x2"))
GLOBAL(red_f64, RED_G64("add.f64"))
