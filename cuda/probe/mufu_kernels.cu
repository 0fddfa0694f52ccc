// One kernel for each function of the special function unit: out[i] = f(start + i), as float bits.
// The .ftz forms compile to the bare MUFU instruction. Sine and cosine do not: PTX takes radians,
// and an FMUL by 1 / (2 pi) comes first. mufu.cu turns that factor into 1 in the machine code, so
// that the operand of MUFU is the number itself, in revolutions.
#include <stdint.h>

#define KERNEL(name, ptx)                                                                          \
    extern "C" __global__ void name(uint32_t *out, uint32_t start)                                 \
    {                                                                                              \
        uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, y;                                     \
        asm volatile(ptx " %0, %1;" : "=r"(y) : "r"(start + i));                                   \
        out[i] = y;                                                                                \
    }

KERNEL(rcp, "rcp.approx.ftz.f32")
KERNEL(rsq, "rsqrt.approx.ftz.f32")
KERNEL(sqrt_, "sqrt.approx.ftz.f32")
KERNEL(ex2, "ex2.approx.ftz.f32")
KERNEL(lg2, "lg2.approx.ftz.f32")
KERNEL(sin_, "sin.approx.ftz.f32")
KERNEL(cos_, "cos.approx.ftz.f32")
KERNEL(tanh_, "tanh.approx.f32")

/// Numbers at all exponents: the upper 17 bits are i, the lower 15 a fixed shuffle of it.
#define SWEEP(name, ptx)                                                                           \
    extern "C" __global__ void name##_sweep(uint32_t *out, uint32_t start)                         \
    {                                                                                              \
        uint32_t i = start + blockIdx.x * blockDim.x + threadIdx.x, y;                             \
        uint32_t x = i << 15 | ((i * 0x9e3779b9u) >> 17);                                          \
        asm volatile(ptx " %0, %1;" : "=r"(y) : "r"(x));                                           \
        out[i - start] = y;                                                                        \
    }

SWEEP(rcp, "rcp.approx.ftz.f32")
SWEEP(rsq, "rsqrt.approx.ftz.f32")
SWEEP(sqrt_, "sqrt.approx.ftz.f32")
SWEEP(ex2, "ex2.approx.ftz.f32")
SWEEP(lg2, "lg2.approx.ftz.f32")
SWEEP(sin_, "sin.approx.ftz.f32")
SWEEP(cos_, "cos.approx.ftz.f32")
SWEEP(tanh_, "tanh.approx.f32")

/// MUFU.RCP64H and MUFU.RSQ64H: the upper words of doubles.
#define HIGH_WORD(name, ptx)                                                                       \
    extern "C" __global__ void name(uint32_t *out, uint32_t start)                                 \
    {                                                                                              \
        uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;                                        \
        uint64_t x = (uint64_t)(start + i) << 32, y;                                               \
        asm volatile(ptx " %0, %1;" : "=l"(y) : "l"(x));                                           \
        out[i] = (uint32_t)(y >> 32);                                                              \
    }

HIGH_WORD(rcp64h, "rcp.approx.ftz.f64")
HIGH_WORD(rsq64h, "rsqrt.approx.ftz.f64")

/// The 16-bit functions, for all 65536 operands.
#define HALF(name, ptx)                                                                            \
    extern "C" __global__ void name(uint32_t *out, uint32_t start)                                 \
    {                                                                                              \
        uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;                                        \
        uint16_t x = (uint16_t)(start + i), y;                                                     \
        asm volatile(ptx " %0, %1;" : "=h"(y) : "h"(x));                                           \
        out[i] = y;                                                                                \
    }

HALF(ex2_f16, "ex2.approx.f16")
HALF(tanh_f16, "tanh.approx.f16")
HALF(ex2_bf16, "ex2.approx.ftz.bf16")
HALF(tanh_bf16, "tanh.approx.bf16")
