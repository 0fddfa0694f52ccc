/*
 * Which accesses of a block happen before others: a log of how its warps synchronise. A warp
 * *releases* into an object (a barrier, an mbarrier, a flag) and *acquires* from it; what a warp
 * did before a release happens before what another does after an acquire of the same object that
 * comes later.
 */
#ifndef SIM_SANITIZE_BLOCK_ORDER_H
#define SIM_SANITIZE_BLOCK_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BLOCK_WARPS = 32 };

struct sync_event {
    uint64_t time, object;
    uint32_t warp;
    bool acquires;
};

struct block_order {
    struct sync_event *event; /* [room] in the order of time */
    size_t count, room;
    uint64_t known_from; /* what happened before this time is taken for ordered */
    /* [a][b]: what warp a did before this time is known to happen before what b does. */
    uint64_t (*ordered)[BLOCK_WARPS];
};

void block_order_free(struct block_order *order);

/* Forgets all events: from `time` on, all that happened is ordered before all to come. */
void block_order_settle(struct block_order *order, uint64_t time);

/* Adds an event. If memory is short, accesses until then are taken for ordered. */
void block_order_add(struct block_order *order, const struct sync_event *event);

/* Returns whether an access of warp `from` at time `stamp` happens before what warp `to` does. */
bool block_order_before(struct block_order *order, uint32_t from, uint64_t stamp, uint32_t to);

/* Returns whether warp `to` has acquired from `object` after its first event at `stamp` or later.
 */
bool block_order_acquired(const struct block_order *order, uint64_t object, uint64_t stamp,
                          uint32_t to);

#endif
