/*
 * States by time at several resolutions: level 0 has buckets of 2^shift cycles, each level above it
 * twice as many. A bucket knows its two most frequent states exactly. Buckets begin at cycle 0, so
 * that what is drawn from them does not depend on where a view begins.
 */
#ifndef VIZ_TRACK_PYRAMID_H
#define VIZ_TRACK_PYRAMID_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/names.h"

enum { PYRAMID_LEVELS = 24, PYRAMID_LEAST_SHIFT = 6 };

/* Shares are of 255. A bucket of one state has share 255 and second share 0. */
struct pyramid_cell {
    uint8_t state, share;
    uint8_t second, second_share;
    uint8_t issue_share; /* of the cycles in `selected` */
};

/* Time by state of a bucket, or of a column of pixels, that is not full yet. Zero when empty. */
struct pyramid_open {
    uint64_t time[SIMSM_STATE_COUNT]; /* any unit */
    uint64_t other;                   /* time of which the states are not known */
    uint32_t present;                 /* bit per state */
};

struct pyramid {
    uint32_t slots, shift, levels;
    uint64_t first;                   /* bucket of level 0 that index 0 stands for: even */
    uint64_t buckets[PYRAMID_LEVELS]; /* room, of each slot */
    struct pyramid_cell *cells[PYRAMID_LEVELS]; /* [slots x buckets] */
    uint64_t *next;                             /* [slots] cycle up to which the slot is known */
    struct pyramid_open *open;                  /* [slots x levels] */
};

/* For cycles [begin, end) of `slots` slots; false if memory runs out (pyramid_free is right then).
 */
bool pyramid_create(struct pyramid *pyramid, uint32_t slots, uint64_t begin, uint64_t end);
void pyramid_free(struct pyramid *pyramid);

/* The slot is in `state` from where it is known until `to`. */
void pyramid_add(struct pyramid *pyramid, uint32_t slot, enum simsm_warp_state state, uint64_t to);

/* Closes the last buckets, which may not be full. */
void pyramid_end(struct pyramid *pyramid);

/* Level whose buckets are at most `cycles` long; cycles >= 2^shift. */
uint32_t pyramid_level(const struct pyramid *pyramid, uint64_t cycles);

/* Bucket `bucket` (cycle >> (shift + level)); NULL outside. */
const struct pyramid_cell *pyramid_at(const struct pyramid *pyramid, uint32_t level, uint32_t slot,
                                      uint64_t bucket);

static inline void pyramid_open_add(struct pyramid_open *open, uint32_t state, uint64_t time)
{
    open->time[state] += time;
    open->present |= 1u << state;
}

/* Adds the bucket of which `cycles` count. */
void pyramid_open_cell(struct pyramid_open *open, const struct pyramid_cell *cell, uint64_t cycles);

/* The cell of what has been added, which is empty afterwards. Zeros if nothing was. */
struct pyramid_cell pyramid_close(struct pyramid_open *open);

#endif
