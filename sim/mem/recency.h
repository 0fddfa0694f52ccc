/*
 * The order in which the ways of a set were used. Up to 32 ways are an array of bytes, the most
 * recently used way first, so that one step compares eight. More ways form a ring of links from the
 * most to the least recently used; one further link is the beginning and end of the ring. Both are
 * kept as their difference (XOR) to the order at the beginning, in which way 0 is the most recently
 * used and the last way the least: it is all zeros.
 */
#ifndef SIM_MEM_RECENCY_H
#define SIM_MEM_RECENCY_H

#include <stdint.h>

enum { RECENCY_BYTES = 32, RECENCY_NONE = UINT16_MAX };

#define RECENCY_ONES UINT64_C(0x0101010101010101)

struct recency_link {
    uint16_t newer, older;
};

/* Returns the words of 64 bits that the order of `ways` takes; `ways`: 1 to 65534. */
static inline uint32_t recency_words(uint32_t ways)
{
    return ways <= RECENCY_BYTES ? (ways + 7) / 8 : (ways + 2) / 2;
}

/* Returns word `i` of the order at the beginning. */
static inline uint64_t recency_first(uint32_t i)
{
    return UINT64_C(0x0706050403020100) + 8 * i * RECENCY_ONES;
}

/* Returns the high bit of each byte of `word` that is `byte`. May also report the byte above one
 * that is. */
static inline uint64_t recency_same(uint64_t word, uint64_t byte)
{
    uint64_t differ = word ^ byte * RECENCY_ONES;
    return (differ - RECENCY_ONES) & ~differ & RECENCY_ONES << 7;
}

/* Returns the way at `place` of the order in bytes. */
static inline uint32_t recency_at(const uint64_t *words, uint32_t place)
{
    uint64_t order = words[place / 8] ^ recency_first(place / 8);
    return (uint32_t)(order >> place % 8 * 8 & 0xFF);
}

/* Returns what the links of a way hold at the beginning. */
static inline uint32_t recency_first_newer(uint32_t ways, uint32_t way)
{
    return way == 0 ? ways : way - 1;
}

static inline uint32_t recency_first_older(uint32_t ways, uint32_t way)
{
    return way == ways ? 0 : way + 1;
}

static inline uint32_t recency_link_newer(const uint64_t *words, uint32_t ways, uint32_t way)
{
    return ((const struct recency_link *)words)[way].newer ^ recency_first_newer(ways, way);
}

static inline uint32_t recency_link_older(const uint64_t *words, uint32_t ways, uint32_t way)
{
    return ((const struct recency_link *)words)[way].older ^ recency_first_older(ways, way);
}

/* Makes `older` the next way after `newer`. */
static inline void recency_join(uint64_t *words, uint32_t ways, uint32_t newer, uint32_t older)
{
    struct recency_link *link = (struct recency_link *)words;
    link[newer].older = (uint16_t)(older ^ recency_first_older(ways, newer));
    link[older].newer = (uint16_t)(newer ^ recency_first_newer(ways, older));
}

/* Returns the least recently used way. */
static inline uint32_t recency_oldest(const uint64_t *words, uint32_t ways)
{
    return ways <= RECENCY_BYTES ? recency_at(words, ways - 1)
                                 : recency_link_newer(words, ways, ways);
}

/* Returns the way used next after `way`; RECENCY_NONE if `way` is the most recently used. */
static inline uint32_t recency_newer(const uint64_t *words, uint32_t ways, uint32_t way)
{
    if (ways <= RECENCY_BYTES) {
        uint32_t place = 0;
        while (recency_at(words, place) != way)
            place++;
        return place != 0 ? recency_at(words, place - 1) : RECENCY_NONE;
    }
    uint32_t newer = recency_link_newer(words, ways, way);
    return newer != ways ? newer : RECENCY_NONE;
}

/* As recency_renew(), for a ring. */
static inline void recency_renew_link(uint64_t *words, uint32_t ways, uint32_t way)
{
    uint32_t newest = recency_link_older(words, ways, ways);
    if (newest == way)
        return;
    recency_join(words, ways, recency_link_newer(words, ways, way),
                 recency_link_older(words, ways, way));
    recency_join(words, ways, way, newest);
    recency_join(words, ways, ways, way);
}

/* Makes `way` the most recently used. */
static inline void recency_renew(uint64_t *words, uint32_t ways, uint32_t way)
{
    if (ways > RECENCY_BYTES) {
        recency_renew_link(words, ways, way);
        return;
    }
    /* Ways before it move one place back, word by word. */
    uint64_t front = way, order, same;
    for (uint32_t i = 0;; i++) {
        order = words[i] ^ recency_first(i);
        same = recency_same(order, way);
        if (same != 0) {
            uint32_t bits = (uint32_t)__builtin_ctzll(same) - 7;
            uint64_t behind = UINT64_MAX << bits << 8; /* two shifts, because `bits` may be 56 */
            uint64_t before = order & ~(UINT64_MAX << bits);
            words[i] = ((order & behind) | before << 8 | front) ^ recency_first(i);
            return;
        }
        words[i] = (order << 8 | front) ^ recency_first(i);
        front = order >> 56;
    }
}

#endif
