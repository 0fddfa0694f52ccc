/*
 * The order in which the ways of a set were used. Up to 16 ways lie in one word, four bits each,
 * the most recently used lowest: one step compares them all. More ways form a ring of links from
 * the most to the least recently used; one further link is the beginning and end of the ring. Both
 * are kept as their difference (XOR) to the order at the beginning, in which way 0 is the most
 * recently used and the last way the least: it is all zeros.
 */
#ifndef SIM_MEM_RECENCY_H
#define SIM_MEM_RECENCY_H

#include <stdint.h>

enum { RECENCY_PACKED = 16, RECENCY_NONE = UINT16_MAX };

/* The order at the beginning. */
#define RECENCY_FIRST UINT64_C(0xFEDCBA9876543210)

struct recency_link {
    uint16_t newer, older;
};

/* Returns the words of 64 bits that the order of `ways` takes; `ways`: 1 to 65534. */
static inline uint32_t recency_words(uint32_t ways)
{
    return ways <= RECENCY_PACKED ? 1 : (ways + 2) / 2;
}

/* Returns the lowest position of `way` in the packed order. */
static inline uint32_t recency_place(uint64_t order, uint32_t way)
{
    const uint64_t ones = UINT64_C(0x1111111111111111);
    uint64_t differ = order ^ way * ones;
    return (uint32_t)__builtin_ctzll((differ - ones) & ~differ & ones << 3) / 4;
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
    if (ways <= RECENCY_PACKED)
        return (uint32_t)((words[0] ^ RECENCY_FIRST) >> 4 * (ways - 1) & 15);
    return recency_link_newer(words, ways, ways);
}

/* Returns the way used next after `way`; RECENCY_NONE if `way` is the most recently used. */
static inline uint32_t recency_newer(const uint64_t *words, uint32_t ways, uint32_t way)
{
    if (ways <= RECENCY_PACKED) {
        const uint64_t order = words[0] ^ RECENCY_FIRST;
        uint32_t place = recency_place(order, way);
        return place != 0 ? (uint32_t)(order >> 4 * (place - 1) & 15) : RECENCY_NONE;
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
    if (ways > RECENCY_PACKED) {
        recency_renew_link(words, ways, way);
        return;
    }
    const uint64_t order = words[0] ^ RECENCY_FIRST;
    uint32_t bits = 4 * recency_place(order, way);
    uint64_t behind = UINT64_MAX << bits << 4; /* two shifts, because `bits` may be 60 */
    uint64_t before = order & ~(UINT64_MAX << bits);
    words[0] = ((order & behind) | before << 4 | way) ^ RECENCY_FIRST;
}

#endif
