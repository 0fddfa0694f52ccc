/*
 * Which ways of a set were used how long ago. Up to 16 of them lie in one word, four bits each, the
 * most recently used lowest: as much as can be looked at in one step. More form a ring of links
 * from the most to the least recently used, through one more that is its beginning and end.
 */
#ifndef SIM_MEM_RECENCY_H
#define SIM_MEM_RECENCY_H

#include <stdint.h>

enum { RECENCY_PACKED = 16, RECENCY_NONE = UINT16_MAX };

struct recency_link {
    uint16_t newer, older;
};

/* Words of 64 bits that it takes for `ways`, 1 to 65534. */
static inline uint32_t recency_words(uint32_t ways)
{
    return ways <= RECENCY_PACKED ? 1 : (ways + 2) / 2;
}

/* The lowest place that has `way`, of those packed in `order`. */
static inline uint32_t recency_place(uint64_t order, uint32_t way)
{
    const uint64_t ones = UINT64_C(0x1111111111111111);
    uint64_t differ = order ^ way * ones;
    return (uint32_t)__builtin_ctzll((differ - ones) & ~differ & ones << 3) / 4;
}

/* All ways are there, way 0 as the most recently used. */
void recency_init(uint64_t *words, uint32_t ways);

static inline uint32_t recency_oldest(const uint64_t *words, uint32_t ways)
{
    if (ways <= RECENCY_PACKED)
        return (uint32_t)(words[0] >> 4 * (ways - 1) & 15);
    return ((const struct recency_link *)words)[ways].newer;
}

/* The way used after `way`, or RECENCY_NONE: it is the most recently used. */
static inline uint32_t recency_newer(const uint64_t *words, uint32_t ways, uint32_t way)
{
    if (ways <= RECENCY_PACKED) {
        uint32_t place = recency_place(words[0], way);
        return place != 0 ? (uint32_t)(words[0] >> 4 * (place - 1) & 15) : RECENCY_NONE;
    }
    uint32_t newer = ((const struct recency_link *)words)[way].newer;
    return newer != ways ? newer : RECENCY_NONE;
}

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
    uint64_t behind = UINT64_MAX << bits << 4; /* two steps: `bits` may be 60 */
    uint64_t before = words[0] & ~(UINT64_MAX << bits);
    words[0] = (words[0] & behind) | before << 4 | way;
}

#endif
