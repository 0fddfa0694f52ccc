// The operands of every probe: a function of the operand's type, its slot and its number, so that
// whoever reads the answers can work out the questions. Plain C but for __host__ and __device__.
//
// Numbers 0 to 4095 fall into four quarters: 0: edge values, all pairs of slots 0 and 1 (with a
// single operand: edge values and their neighbours); 1: edge values mixed with random bits;
// 2: numbers near each other (floats near 1, integers of every length); 3: random bits.
#ifndef CUDA_PROBE_OPERANDS_H
#define CUDA_PROBE_OPERANDS_H

#include <stdint.h>

#ifdef __CUDACC__
#define PROBE_CODE __host__ __device__ static inline
#else
#define PROBE_CODE static inline
#endif

#define PROBE_COUNT 4096u

// The values are listed in functions, since host and device code share no arrays.

PROBE_CODE uint32_t edge_u32(uint32_t i)
{
    const uint32_t values[32] = {
        0u,          1u,          2u,          3u,          7u,          8u,          15u,
        16u,         31u,         32u,         33u,         63u,         64u,         127u,
        128u,        255u,        256u,        0x7fffu,     0x8000u,     0xffffu,     0x10000u,
        0x80008000u, 0x55555555u, 0xaaaaaaaau, 0x7ffffffeu, 0x7fffffffu, 0x80000000u, 0x80000001u,
        0xffffff80u, 0xffff8000u, 0xfffffffeu, 0xffffffffu};
    return values[i % 32];
}

PROBE_CODE uint32_t edge_f32(uint32_t i)
{
    const uint32_t values[16] = {
        0x00000000u, // 0
        0x00000001u, // smallest denormal
        0x007fffffu, // largest denormal
        0x00800000u, // smallest normal
        0x33800000u, // 2^-24
        0x3f000000u, // 0.5
        0x3f7fffffu, // below 1
        0x3f800000u, // 1
        0x3f800001u, // above 1
        0x40490fdbu, // pi
        0x4b000000u, // 2^23
        0x4f000000u, // 2^31
        0x5f800000u, // 2^64
        0x7f7fffffu, // largest
        0x7f800000u, // infinity
        0x7fc00001u, // NaN
    };
    return values[i % 16] | (i % 32 / 16) << 31;
}

PROBE_CODE uint64_t edge_f64(uint32_t i)
{
    const uint64_t values[16] = {
        0x0000000000000000u, 0x0000000000000001u, 0x000fffffffffffffu, 0x0010000000000000u,
        0x36a0000000000000u, // 2^-149, the smallest float
        0x3810000000000000u, // 2^-126
        0x3ca0000000000000u, // 2^-53
        0x3fefffffffffffffu, 0x3ff0000000000000u, 0x3ff0000000000001u, 0x41dfffffffc00000u,
        0x43e0000000000000u, // 2^63
        0x47efffffe0000000u, // the largest float
        0x7fefffffffffffffu, 0x7ff0000000000000u, 0x7ff8000000000001u};
    return values[i % 16] | (uint64_t)(i % 32 / 16) << 63;
}

PROBE_CODE uint32_t edge_f16(uint32_t i)
{
    const uint16_t values[16] = {0x0000, 0x0001, 0x03ff, 0x0400, 0x0fff, 0x1400, 0x3800, 0x3bff,
                                 0x3c00, 0x3c01, 0x4248, 0x6400, 0x7800, 0x7bff, 0x7c00, 0x7e01};
    return (uint32_t)values[i % 16] | (i % 32 / 16) << 15;
}

/// The word number `i` of the sequence with this seed; the function of cuda/verify/verify.h.
PROBE_CODE uint32_t probe_random(uint32_t seed, uint32_t i)
{
    uint32_t x = i * 0x9e3779b9u + seed * 0x85ebca6bu + 0x27220a95u;
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

/// Returns the index of the edge value that operand `i` of `slot` is; -1 if it is not an edge
/// value.
PROBE_CODE int32_t probe_edge(uint32_t i, uint32_t slot)
{
    uint32_t choice = probe_random(97 + slot, i), quarter = i / 1024 % 4;
    if (quarter == 0)
        return (int32_t)(slot == 0 ? i % 32 : slot == 1 ? i / 32 % 32 : choice % 32);
    if (quarter == 1 && choice >> 31)
        return (int32_t)(choice % 32);
    return -1;
}

/// Returns how far operand `i` is from its edge value, if there is a single operand.
PROBE_CODE uint32_t probe_neighbour(uint32_t i, int unary)
{
    return unary && i / 1024 % 4 == 0 ? i / 32 % 32 - 16 : 0;
}

PROBE_CODE uint32_t operand_u32(uint32_t i, uint32_t slot, int unary)
{
    int32_t edge = probe_edge(i, slot);
    uint32_t word = probe_random(131 + slot, i);
    if (edge >= 0)
        return edge_u32((uint32_t)edge) + probe_neighbour(i, unary);
    if (i / 1024 % 4 == 2)
        return word >> probe_random(61 + slot, i) % 32;
    return word;
}

PROBE_CODE uint64_t operand_u64(uint32_t i, uint32_t slot, int unary)
{
    int32_t edge = probe_edge(i, slot);
    uint64_t word = (uint64_t)probe_random(131 + slot, i) << 32 | probe_random(171 + slot, i);
    if (edge >= 0)
        return (uint64_t)(int64_t)(int32_t)(edge_u32((uint32_t)edge) + probe_neighbour(i, unary));
    if (i / 1024 % 4 == 2)
        return word >> probe_random(61 + slot, i) % 64;
    return word;
}

PROBE_CODE uint32_t operand_f32(uint32_t i, uint32_t slot, int unary)
{
    int32_t edge = probe_edge(i, slot);
    uint32_t word = probe_random(131 + slot, i);
    if (edge >= 0)
        return edge_f32((uint32_t)edge) + probe_neighbour(i, unary);
    if (i / 1024 % 4 == 2)
        return (word & 0x807fffffu) | (115 + probe_random(61 + slot, i) % 25) << 23;
    return word;
}

PROBE_CODE uint64_t operand_f64(uint32_t i, uint32_t slot, int unary)
{
    int32_t edge = probe_edge(i, slot);
    uint64_t word = (uint64_t)probe_random(131 + slot, i) << 32 | probe_random(171 + slot, i);
    if (edge >= 0)
        return edge_f64((uint32_t)edge) + (uint64_t)(int64_t)(int32_t)probe_neighbour(i, unary);
    if (i / 1024 % 4 == 2)
        return (word & 0x800fffffffffffffu) | (uint64_t)(1000 + probe_random(61 + slot, i) % 50)
                                                  << 52;
    return word;
}

PROBE_CODE uint32_t operand_f16(uint32_t i, uint32_t slot, int unary)
{
    int32_t edge = probe_edge(i, slot);
    uint32_t word = probe_random(131 + slot, i) >> 16;
    if (edge >= 0)
        return (edge_f16((uint32_t)edge) + probe_neighbour(i, unary)) & 0xffffu;
    if (i / 1024 % 4 == 2)
        return (word & 0x83ffu) | (9 + probe_random(61 + slot, i) % 13) << 10;
    return word;
}

/// The upper half of a float operand.
PROBE_CODE uint32_t operand_bf16(uint32_t i, uint32_t slot, int unary)
{
    return operand_f32(i, slot, unary) >> 16;
}

/// Two halves: the operand of this number, and in the upper half the operand of another number.
PROBE_CODE uint32_t operand_f16x2(uint32_t i, uint32_t slot, int unary)
{
    return operand_f16(i, slot, unary) | operand_f16((i * 5 + 7) % PROBE_COUNT, slot, unary) << 16;
}

PROBE_CODE uint32_t operand_bf16x2(uint32_t i, uint32_t slot, int unary)
{
    return operand_bf16(i, slot, unary) | operand_bf16((i * 5 + 7) % PROBE_COUNT, slot, unary)
                                              << 16;
}

// Matrix products: register `reg` of thread `i`, 0 to 1023. Warps 0 to 7 get numbers of few bits,
// 8 to 15 numbers of similar size, 16 to 23 numbers of very different size, the others any bits.

PROBE_CODE uint32_t tensor_half(uint32_t i, uint32_t reg)
{
    uint32_t word = probe_random(211 + reg, i) >> 8, more = probe_random(241 + reg, i) >> 8;
    if (i / 256 == 0)
        return (word & 0x8380u) | (15 + more % 4) << 10;
    if (i / 256 == 1)
        return (word & 0x83ffu) | (12 + more % 6) << 10;
    if (i / 256 == 2)
        return (word & 0x83ffu) | (1 + more % 30) << 10;
    return word & 0xffffu;
}

PROBE_CODE uint32_t tensor_f16(uint32_t i, uint32_t reg)
{
    return tensor_half(i, 2 * reg) | tensor_half(i, 2 * reg + 1) << 16;
}

/// Also for tf32, whose lower 13 bits are random.
PROBE_CODE uint32_t tensor_f32(uint32_t i, uint32_t reg)
{
    uint32_t word = probe_random(271 + reg, i), more = probe_random(301 + reg, i) >> 8;
    if (i / 256 == 0)
        return (word & 0x80700000u) | (127 + more % 4) << 23;
    if (i / 256 == 1)
        return (word & 0x807fffffu) | (124 + more % 6) << 23;
    if (i / 256 == 2)
        return (word & 0x807fffffu) | (107 + more % 40) << 23;
    return word;
}

PROBE_CODE uint32_t tensor_bf16(uint32_t i, uint32_t reg)
{
    return tensor_f32(i, 2 * reg) >> 16 | (tensor_f32(i, 2 * reg + 1) & 0xffff0000u);
}

PROBE_CODE uint64_t tensor_f64(uint32_t i, uint32_t reg)
{
    uint64_t high = tensor_f32(i, reg), low = probe_random(331 + reg, i);
    uint64_t exponent = (high >> 23 & 255) + 1023 - 127;
    return (high >> 31) << 63 | exponent << 52 | (high & 0x7fffffu) << 29 | low >> 3;
}

/// Mostly small numbers; one in 16 is an infinity or a NaN (quiet or not) of any sign and bits.
PROBE_CODE uint64_t tensor_f64_special(uint32_t i, uint32_t reg)
{
    uint32_t choice = probe_random(391 + reg, i) % 64;
    uint64_t any = (uint64_t)probe_random(271 + reg, i) << 32 | probe_random(331 + reg, i);
    if (choice == 0)
        return (any & 0x8000000000000000u) | 0x7ff0000000000000u;
    if (choice < 4)
        return any | 0x7ff0000000000001u;
    return tensor_f64(i % 256, reg);
}

PROBE_CODE uint32_t tensor_any(uint32_t i, uint32_t reg)
{
    return probe_random(361 + reg, i);
}

#endif
