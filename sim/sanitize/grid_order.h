/*
 * Which accesses of a launch happen before those of other blocks: releases and acquires of flags in
 * memory, and barriers of clusters. SOURCE: the PTX memory model, release and acquire patterns: a
 * fence and then a strong write; a strong read and then a fence.
 */
#ifndef SIM_SANITIZE_GRID_ORDER_H
#define SIM_SANITIZE_GRID_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pool.h"
#include "sanitize/block_order.h"
#include "sanitize/key_map.h"

/* Of one warp of one block. */
struct grid_event {
    uint64_t time, object, block;
    /* Releases: index + 1 of the fences of all warps of the block at a barrier in front; 0: none */
    uint32_t fences;
    /* A release makes visible what its warp did before `own`, and what its block did before
     * `shared`. An acquire has its effect for its warp from `own` on. */
    uint64_t own, shared;
    uint32_t warp;
    uint32_t previous;  /* index + 1 of the event before, of this object and block (releases) or of
                           this block (acquires); 0: none */
    uint32_t of_object; /* releases: index + 1 of the release of this object before */
};

/* When each warp of a block had its last fence. */
struct grid_fences {
    uint64_t time[BLOCK_WARPS];
};

struct grid_order {
    struct pool release, acquire; /* struct grid_event */
    struct pool fences;           /* struct grid_fences */
    struct key_map last_release;  /* (object, block): index + 1 */
    struct key_map last_object;   /* (object, 0): index + 1 of its last release */
    struct key_map last_acquire;  /* (block, 0): index + 1 */
    struct key_map ordered; /* (from, to): what block `from` did before this is ordered for `to` */
    bool failed;            /* memory was short: all is taken for ordered */
};

/* A warp that accesses, and the time since when its block is synchronised. */
struct grid_place {
    uint64_t block, synced;
    uint32_t warp;
};

void grid_order_begin(struct grid_order *order);
void grid_order_free(struct grid_order *order);

/* Notes a release or an acquire; `previous` and `of_object` are filled in. */
void grid_order_release(struct grid_order *order, const struct grid_event *event);
void grid_order_acquire(struct grid_order *order, const struct grid_event *event);

/* Returns whether what warp `warp` (PAST_ANY_WARP: any) of block `block` did at time `stamp`
 * happens before what `place` does. Looks at `steps` events at most: then the answer is true. */
bool grid_order_before(struct grid_order *order, uint64_t block, uint32_t warp, uint64_t stamp,
                       const struct grid_place *place, uint32_t steps);

/* Returns whether the block has acquired anything since `stamp`. */
bool grid_order_has_acquired(const struct grid_order *order, uint64_t block, uint64_t stamp);

#endif
