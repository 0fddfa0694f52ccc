/*
 * The pyramid: states by time at several resolutions. Level 0 has buckets of 2^shift cycles, each
 * level above it buckets twice as long. A bucket has exact shares of its two most frequent states.
 * Buckets are aligned to cycle 0, so a picture does not depend on where a view begins.
 */
#ifndef VIZ_TRACK_PYRAMID_H
#define VIZ_TRACK_PYRAMID_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/names.h"

enum { PYRAMID_LEVELS = 24, PYRAMID_LEAST_SHIFT = 6 };

/* A closed bucket. Shares are of 255. A bucket of one state has share 255 and second share 0. */
struct pyramid_cell {
    uint8_t state, share;
    uint8_t second, second_share;
    uint8_t issue_share; /* share of cycles in state `selected` */
};

/* Time by state of a bucket, or of a column of pixels, that is not full yet. Zero when empty. */
struct pyramid_open {
    uint64_t time[SIMSM_STATE_COUNT]; /* in any unit */
    uint64_t other;                   /* time whose state is unknown */
    uint32_t present;                 /* a bit for each state */
};

struct pyramid {
    uint32_t slots, shift, levels;
    uint64_t first; /* number of the bucket at index 0 of level 0, counted from cycle 0 */
    uint64_t buckets[PYRAMID_LEVELS];           /* buckets of each slot */
    struct pyramid_cell *cells[PYRAMID_LEVELS]; /* [slots x buckets] */
    uint64_t *next;            /* [slots] the slot's states are known before this cycle */
    struct pyramid_open *open; /* [slots x levels] the buckets that are not full */
};

/*
 * Prepares a pyramid for cycles [begin, end) of `slots` slots. Returns false if memory runs out.
 * The caller ends with pyramid_free in either case.
 */
bool pyramid_create(struct pyramid *pyramid, uint32_t slots, uint64_t begin, uint64_t end);
/* Frees the memory and sets *pyramid to zero. */
void pyramid_free(struct pyramid *pyramid);

/* Adds a span: the slot is in `state` from the end of its last span until `to`. */
void pyramid_add(struct pyramid *pyramid, uint32_t slot, enum simsm_warp_state state, uint64_t to);

/* Closes the last buckets, which may not be full. Called once, behind the last span. */
void pyramid_end(struct pyramid *pyramid);

/*
 * Returns the level with the longest buckets of at most `cycles` cycles. `cycles` is at least
 * 2^shift.
 */
uint32_t pyramid_level(const struct pyramid *pyramid, uint64_t cycles);

/*
 * Returns a bucket by its number (cycle >> (shift + level)), or NULL if the pyramid does not have
 * it.
 */
const struct pyramid_cell *pyramid_at(const struct pyramid *pyramid, uint32_t level, uint32_t slot,
                                      uint64_t bucket);

static inline void pyramid_open_add(struct pyramid_open *open, uint32_t state, uint64_t time)
{
    open->time[state] += time;
    open->present |= 1u << state;
}

/* Adds `cycles` cycles of a closed bucket to an open one. */
void pyramid_open_cell(struct pyramid_open *open, const struct pyramid_cell *cell, uint64_t cycles);

/* Returns the open bucket as a cell and empties it. Zero if nothing was added. */
struct pyramid_cell pyramid_close(struct pyramid_open *open);

#endif
