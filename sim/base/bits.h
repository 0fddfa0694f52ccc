/* Population counts without the POPCNT instruction, which the first x86-64 processors lack. */
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

#endif
