/*
 * Spreads consecutive numbers evenly over n places, for any n. The place of x is x mod n, rotated
 * by a hash of x div n. Every aligned run of n numbers fills each place once. Numbers at a fixed
 * distance do not all meet in one place.
 */
#ifndef SIM_MEM_MEM_SPREAD_H
#define SIM_MEM_MEM_SPREAD_H

#include <stdint.h>

struct spread {
    uint64_t magic; /* 2^64 / n, rounded up; 0 if n is 1 */
    uint32_t n;
};

static inline struct spread spread_over(uint32_t n)
{
    return (struct spread){n > 1 ? UINT64_MAX / n + 1 : 0, n};
}

/* Returns x div n; *rest is x mod n. */
static inline uint64_t spread_divide(const struct spread *spread, uint64_t x, uint32_t *rest)
{
    if (spread->n == 1) {
        *rest = 0;
        return x;
    }
    uint64_t quotient = (uint64_t)(__extension__(unsigned __int128) x * spread->magic >> 64);
    uint64_t left = x - quotient * spread->n;
    if (left >= spread->n) { /* the magic number is rounded up: the quotient is one too large */
        quotient--;
        left += spread->n;
    }
    *rest = (uint32_t)left;
    return quotient;
}

/* Returns the place of x; *quotient is x div n. */
static inline uint32_t spread_place(const struct spread *spread, uint64_t x, uint64_t *quotient)
{
    uint32_t rest;
    *quotient = spread_divide(spread, x, &rest);
    uint64_t hash = (*quotient * UINT64_C(0x9E3779B97F4A7C15)) >> 32;
    uint32_t place = rest + (uint32_t)(hash * spread->n >> 32);
    /* Without a branch: no processor can predict it. */
    return place - (spread->n & (0u - (uint32_t)(place >= spread->n)));
}

#endif
