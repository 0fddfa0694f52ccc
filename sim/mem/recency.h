/*
 * The order in which the ways of a set were used. Up to 16 ways lie in one word, four bits each,
 * the most recently used lowest: one step compares them all. More ways form a ring of links from
 * the most to the least recently used; one further link is the beginning and end of the ring.
 */
#ifndef SIM_MEM_RECENCY_H
#define SIM_MEM_RECENCY_H

#include <stdint.h>

enum { RECENCY_PACKED = 16, RECENCY_NONE = UINT16_MAX };

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

/* Puts all ways in order; way 0 is the most recently used. */
void recency_init(uint64_t *words, uint32_t ways);

/* Returns the least recently used way. */
static inline uint32_t recency_oldest(const uint64_t *words, uint32_t ways)
{
    if (ways <= RECENCY_PACKED)
        return (uint32_t)(words[0] >> 4 * (ways - 1) & 15);
    return ((const struct recency_link *)words)[ways].newer;
}

/* Returns the way used next after `way`; RECENCY_NONE if `way` is the most recently used. */
static inline uint32_t recency_newer(const uint64_t *words, uint32_t ways, uint32_t way)
{
    if (ways <= RECENCY_PACKED) {
        uint32_t place = recency_place(words[0], way);
        return place != 0 ? (uint32_t)(words[0] >> 4 * (place - 1) & 15) : RECENCY_NONE;
    }
    uint32_t newer = ((const struct recency_link *)words)[way].newer;
    return newer != ways ? newer : RECENCY_NONE;
}

/* As recency_renew, for a ring that begins and ends at link[end]. */
static inline void recency_renew_link(struct recency_link *link, uint32_t end, uint32_t way)
{
    uint32_t newest = link[end].older;
    if (newest == way)
        return;
    uint32_t newer = link[way].newer, older = link[way].older;
    link[newer].older = (uint16_t)older;
    link[older].newer = (uint16_t)newer;
    link[way] = (struct recency_link){(uint16_t)end, (uint16_t)newest};
    link[newest].newer = (uint16_t)way;
    link[end].older = (uint16_t)way;
}

/* Makes `way` the most recently used. */
static inline void recency_renew(uint64_t *words, uint32_t ways, uint32_t way)
{
    if (ways > RECENCY_PACKED) {
        recency_renew_link((struct recency_link *)words, ways, way);
        return;
    }
    uint32_t bits = 4 * recency_place(words[0], way);
    uint64_t behind = UINT64_MAX << bits << 4; /* two shifts, because `bits` may be 60 */
    uint64_t before = words[0] & ~(UINT64_MAX << bits);
    words[0] = (words[0] & behind) | before << 4 | way;
}

#endif
