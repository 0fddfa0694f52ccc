/* The search from an access back to one of another block. */
#include "sanitize/grid_order.h"

#include "sanitize/past_access.h"

enum { HOPS = 6 }; /* blocks between the two */

void grid_order_begin(struct grid_order *order)
{
    *order = (struct grid_order){.fences.size = sizeof(struct grid_fences),
                                 .release.size = sizeof(struct grid_event),
                                 .acquire.size = sizeof(struct grid_event)};
}

void grid_order_free(struct grid_order *order)
{
    pool_free(&order->release);
    pool_free(&order->acquire);
    pool_free(&order->fences);
    key_map_free(&order->last_release);
    key_map_free(&order->last_object);
    key_map_free(&order->last_acquire);
    key_map_free(&order->ordered);
}

static const struct grid_event *event_at(const struct pool *pool, uint64_t index)
{
    return &((const struct grid_event *)pool->data)[index - 1];
}

/* Makes `index` the last of its keys, and returns the index before. */
static uint32_t link_to(struct grid_order *order, struct key_map *map, uint64_t first,
                        uint64_t second, size_t index)
{
    uint64_t *last = key_map_put(map, first, second);
    if (!last) {
        order->failed = true;
        return 0;
    }
    const uint32_t before = (uint32_t)*last;
    *last = index;
    return before;
}

void grid_order_release(struct grid_order *order, const struct grid_event *event)
{
    struct grid_event added = *event;
    const size_t index = order->release.count + 1;
    added.previous = link_to(order, &order->last_release, event->object, event->block, index);
    added.of_object = link_to(order, &order->last_object, event->object, 0, index);
    order->failed |= !pool_add(&order->release, &added);
}

void grid_order_acquire(struct grid_order *order, const struct grid_event *event)
{
    struct grid_event added = *event;
    const size_t index = order->acquire.count + 1;
    added.previous = link_to(order, &order->last_acquire, event->block, 0, index);
    order->failed |= !pool_add(&order->acquire, &added);
}

/* What a search looks for, and how many events it may still look at. */
struct search {
    const struct grid_order *order;
    uint64_t block, stamp;
    uint32_t warp;
    uint32_t left;
};

/* Takes one step of the search. Returns false if there is none left. */
static bool step(struct search *search)
{
    search->left -= search->left != 0;
    return search->left != 0;
}

/* Returns whether the release makes the access visible: by a fence of its warp, or by a fence of
 * the warp of the access and then a barrier, as programs do with __threadfence(), __syncthreads()
 * and an atomic operation of one thread. */
static bool covers(const struct search *search, const struct grid_event *release)
{
    const bool any = search->warp == PAST_ANY_WARP;
    const bool own = search->warp == release->warp || any;
    if ((own && search->stamp < release->own) || search->stamp < release->shared)
        return true;
    if (!release->fences)
        return false;
    const struct grid_fences *fences =
        &((const struct grid_fences *)search->order->fences.data)[release->fences - 1];
    bool before = false;
    for (uint32_t w = 0; w < BLOCK_WARPS; w++)
        before |= (any || w == search->warp) && search->stamp < fences->time[w];
    return before;
}

/* Returns whether block `search->block` has released the access into the object of `acquire` before
 * it. */
static bool released_into(struct search *search, const struct grid_event *acquire)
{
    const struct grid_order *order = search->order;
    const uint64_t *last = key_map_find(&order->last_release, acquire->object, search->block);
    for (uint64_t at = last ? *last : 0; at && step(search);) {
        const struct grid_event *release = event_at(&order->release, at);
        if (release->time <= search->stamp)
            return false;
        if (release->time < acquire->time && covers(search, release))
            return true;
        at = release->previous;
    }
    return false;
}

static bool reaches(struct search *search, const struct grid_place *place, uint64_t until,
                    unsigned hops);

/* Returns whether another block has seen the access and then released into the object of `acquire`
 * before it. */
static bool reaches_by_others(struct search *search, const struct grid_event *acquire,
                              unsigned hops)
{
    const struct grid_order *order = search->order;
    const uint64_t *last = key_map_find(&order->last_object, acquire->object, 0);
    for (uint64_t at = last ? *last : 0; at && step(search);) {
        const struct grid_event *release = event_at(&order->release, at);
        if (release->time <= search->stamp)
            return false;
        const struct grid_place by = {release->block, release->shared, release->warp};
        if (release->time < acquire->time && release->block != acquire->block &&
            reaches(search, &by, release->own, hops - 1))
            return true;
        at = release->of_object;
    }
    return false;
}

/* Returns whether the access happens before what `place` does at time `until`. */
static bool reaches(struct search *search, const struct grid_place *place, uint64_t until,
                    unsigned hops)
{
    const struct grid_order *order = search->order;
    const uint64_t *last = key_map_find(&order->last_acquire, place->block, 0);
    for (unsigned round = 0; round < (hops ? 2 : 1); round++)
        for (uint64_t at = last ? *last : 0; at && step(search);) {
            const struct grid_event *acquire = event_at(&order->acquire, at);
            at = acquire->previous;
            if (acquire->own <= search->stamp)
                break;
            const bool counts = acquire->own <= until &&
                                (acquire->warp == place->warp || place->synced > acquire->own);
            if (counts &&
                (round ? reaches_by_others(search, acquire, hops) : released_into(search, acquire)))
                return true;
        }
    return false;
}

bool grid_order_before(struct grid_order *order, uint64_t block, uint32_t warp, uint64_t stamp,
                       const struct grid_place *place, uint32_t steps)
{
    if (order->failed)
        return true;
    if (!order->release.count || !order->acquire.count)
        return false;
    const uint64_t from = block * 64 + (warp & 63), to = place->block * 64 + place->warp;
    uint64_t *known = key_map_find(&order->ordered, from, to);
    if (known && stamp < *known)
        return true;
    struct search search = {order, block, stamp, warp, steps};
    const bool before = reaches(&search, place, UINT64_MAX, HOPS);
    if (!search.left)
        return true;
    known = before ? key_map_put(&order->ordered, from, to) : NULL;
    if (known && stamp >= *known)
        *known = stamp + 1;
    return before;
}

bool grid_order_has_acquired(const struct grid_order *order, uint64_t block, uint64_t stamp)
{
    const uint64_t *last = key_map_find(&order->last_acquire, block, 0);
    return order->failed || (last && event_at(&order->acquire, *last)->own > stamp);
}
