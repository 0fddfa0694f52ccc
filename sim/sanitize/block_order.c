/* The log of a block's synchronisation, and the search in it. */
#include "sanitize/block_order.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_EVENTS = 1 << 14, /* older events are dropped: accesses before them count as ordered */
    MOST_OBJECTS = 64      /* reached in one search; with more, accesses count as ordered */
};

void block_order_free(struct block_order *order)
{
    free(order->event);
    free((void *)order->ordered);
    *order = (struct block_order){0};
}

void block_order_settle(struct block_order *order, uint64_t time)
{
    order->count = 0;
    order->known_from = time;
    if (order->ordered)
        memset((void *)order->ordered, 0, BLOCK_WARPS * sizeof *order->ordered);
}

/* Drops the older half of the events. */
static void drop_older(struct block_order *order)
{
    const size_t dropped = order->count / 2;
    order->known_from = order->event[dropped].time;
    order->count -= dropped;
    memmove(order->event, order->event + dropped, order->count * sizeof *order->event);
}

void block_order_add(struct block_order *order, const struct sync_event *event)
{
    if (order->count == MOST_EVENTS)
        drop_older(order);
    if (order->count == order->room) {
        const size_t room = order->room ? 2 * order->room : 64;
        void *grown = realloc(order->event, room * sizeof *order->event);
        if (!grown) {
            block_order_settle(order, event->time);
            return;
        }
        order->event = grown;
        order->room = room;
    }
    order->event[order->count++] = *event;
}

/* Returns the index of the first event after `time`. */
static size_t first_after(const struct block_order *order, uint64_t time)
{
    size_t low = 0, high = order->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (order->event[middle].time > time)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Follows the events after `stamp` from what warp `from` did then. Returns whether they lead to
 * warp `to`. */
static bool leads_to(const struct block_order *order, uint32_t from, uint64_t stamp, uint32_t to)
{
    uint64_t object[MOST_OBJECTS];
    size_t objects = 0;
    uint32_t reached = UINT32_C(1) << from;
    for (size_t i = first_after(order, stamp); i < order->count; i++) {
        const struct sync_event *event = &order->event[i];
        const bool has = reached >> event->warp & 1;
        if (event->acquires == has) /* nothing new: a warp that is reached acquires, or another
                                       releases */
            continue;
        size_t at = 0;
        while (at < objects && object[at] != event->object)
            at++;
        if (has && at == objects) {
            if (objects == MOST_OBJECTS)
                return true;
            object[objects++] = event->object;
        } else if (!has && at < objects) {
            reached |= UINT32_C(1) << event->warp;
            if (event->warp == to)
                return true;
        }
    }
    return false;
}

bool block_order_before(struct block_order *order, uint32_t from, uint64_t stamp, uint32_t to)
{
    if (stamp < order->known_from)
        return true;
    if (!order->count)
        return false;
    if (!order->ordered)
        order->ordered = calloc(BLOCK_WARPS, sizeof *order->ordered);
    if (order->ordered && stamp < order->ordered[from][to])
        return true;
    const bool before = leads_to(order, from, stamp, to);
    if (before && order->ordered)
        order->ordered[from][to] = stamp + 1;
    return before;
}

bool block_order_acquired(const struct block_order *order, uint64_t object, uint64_t stamp,
                          uint32_t to)
{
    for (size_t i = first_after(order, stamp); i < order->count; i++) {
        const struct sync_event *event = &order->event[i];
        if (event->acquires && event->object == object && event->warp == to)
            return true;
    }
    return false;
}
