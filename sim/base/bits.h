/* Sets of bits. Population counts go without the POPCNT instruction, which the first x86-64
 * processors lack. */
#ifndef SIM_BASE_BITS_H
#define SIM_BASE_BITS_H

#include <stdint.h>

/* Returns the number of ones in x. */
static inline unsigned bits_count(uint32_t x)
{
    x = x - (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    x = (x + (x >> 4)) & 0x0F0F0F0Fu;
    return (x * 0x01010101u) >> 24;
}

static inline unsigned bits_count64(uint64_t x)
{
    return bits_count((uint32_t)x) + bits_count((uint32_t)(x >> 32));
}

/* Returns the first of bits `from` to `bits` - 1 that is set in `words`; `bits` if none is. */
static inline uint32_t bits_next(const uint64_t *words, uint32_t bits, uint32_t from)
{
    for (uint32_t word = from / 64; from < bits; from = ++word * 64) {
        const uint64_t left = words[word] >> from % 64;
        if (left)
            return from + (uint32_t)__builtin_ctzll(left);
    }
    return bits;
}

#endif
