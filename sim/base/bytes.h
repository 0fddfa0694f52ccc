/* Numbers as bytes in files, lowest byte first on every machine; used by all file formats. */
#ifndef SIM_BASE_BYTES_H
#define SIM_BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>

enum { BYTES_VARINT_MAX = 10 };

static inline void bytes_put_u32(uint8_t *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static inline void bytes_put_u64(uint8_t *at, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* Compilers turn this into one load. */
static inline uint32_t bytes_get_u32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t bytes_get_u64(const uint8_t *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 |
           (uint64_t)at[7] << 56;
}

/* Writes a varint: seven bits in each byte, lowest first; bit 7 says that another byte follows.
 * Returns the address behind it. */
static inline uint8_t *bytes_put_varint(uint8_t *at, uint64_t value)
{
    while (value >= 0x80) {
        *at++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

/* Reads a varint. Returns the address behind it; NULL if it does not end before `end` or has more
 * than 64 bits. */
static inline const uint8_t *bytes_take_varint(const uint8_t *at, const uint8_t *end,
                                               uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (at == end || (shift == 63 && *at > 1))
            return NULL;
        *value |= (uint64_t)(*at & 0x7f) << shift;
        if (*at++ < 0x80)
            return at;
    }
    return NULL;
}

/* Maps numbers near zero to small ones: 0, -1, 1, -2, ... to 0, 1, 2, 3, ... */
static inline uint64_t bytes_zigzag(int64_t value)
{
    return ((uint64_t)value << 1) ^ (value < 0 ? UINT64_MAX : 0);
}

static inline int64_t bytes_unzigzag(uint64_t value)
{
    return (int64_t)(value >> 1 ^ (value & 1 ? UINT64_MAX : 0));
}

/* FNV-1a checksum. Each step is one-to-one, so that it detects every change of a single byte. */
static inline uint32_t bytes_checksum(const uint8_t *at, size_t size)
{
    uint32_t sum = 2166136261u;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ at[i]) * 16777619u;
    return sum;
}

#endif
