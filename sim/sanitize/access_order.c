/* Whether an earlier access happens before the one that is looked at. */
#include "sanitize/current_access.h"

/* Returns whether lanes of the warp have met since `stamp` so that what lane `from` did happens
 * before what `to` does. */
static bool lanes_ordered(const struct sanitizer_warp *warp, uint32_t from, uint64_t stamp,
                          uint32_t to)
{
    if (from == to || stamp < warp->lanes_synced)
        return true;
    uint32_t reached = UINT32_C(1) << from;
    const uint32_t first = warp->lane_syncs > LANE_SYNCS ? warp->lane_syncs - LANE_SYNCS : 0;
    for (uint32_t i = first; i < warp->lane_syncs; i++) {
        const struct lane_sync *sync = &warp->lane_sync[i % LANE_SYNCS];
        if (first && i == first && stamp < sync->time)
            return true; /* older meetings are not known any more */
        if (sync->time > stamp && sync->lanes & reached)
            reached |= sync->lanes;
    }
    return reached >> to & 1;
}

/* Returns whether a copy beside the warps is complete, and happens before the access. */
static bool bulk_ordered(const struct current_access *current, const struct past_access *past)
{
    struct sanitizer_block *owner = current->owner;
    if (!owner || past->group >= owner->bulk.count)
        return true;
    const struct bulk_state *bulk = &((const struct bulk_state *)owner->bulk.data)[past->group];
    const uint32_t warp = current->warp->index;
    if (current->access->kind == PAST_BULK && current->access->group == past->group)
        return true;
    if (!bulk->done)
        return false;
    return current->warp->block != owner || bulk->waiter == warp ||
           block_order_acquired(&owner->order, bulk->object, bulk->started, warp) ||
           block_order_before(&owner->order, bulk->waiter, bulk->done, warp);
}

/* Returns since when the access has its effect: a copy when its warp has waited for it. Returns
 * false if it was not waited for. */
static bool complete_at(const struct sanitizer_block *block, const struct past_access *past,
                        uint64_t *stamp)
{
    *stamp = past->stamp;
    if (past->kind != PAST_COPIED)
        return true;
    const struct sanitizer_warp *warp = &block->warp[past->warp];
    if (past->group >= warp->groups_done)
        return false;
    if (warp->groups_done - past->group <= SANITIZER_GROUPS)
        *stamp = warp->group_done[past->group % SANITIZER_GROUPS];
    return true;
}

/* Of an access by another warp of the block, or by several. */
static bool warps_ordered(const struct current_access *current, const struct past_access *past,
                          uint64_t stamp)
{
    struct sanitizer_warp *warp = current->warp;
    if (past->warp == PAST_ANY_WARP)
        return stamp < warp->synced;
    return block_order_before(&warp->block->order, past->warp, stamp, warp->index);
}

static bool blocks_ordered(const struct current_access *current, const struct past_access *past)
{
    const struct sanitizer_warp *warp = current->warp;
    const struct grid_place place = {warp->block->index, warp->synced, warp->index};
    struct grid_order *order = &current->sanitizer->order;
    enum { FEW_STEPS = 1 << 8, STEPS = 1 << 14 }; /* whether two reads are ordered is no mistake */
    const bool conflict = past->writes || current->access->writes;
    if (past->block == PAST_ANY_BLOCK)
        return grid_order_has_acquired(order, place.block, past->stamp);
    return grid_order_before(order, past->block, past->warp, past->stamp, &place,
                             conflict ? STEPS : FEW_STEPS);
}

/* Returns whether both are strong or atomic, so that they may meet. `apart`: in different blocks.
 */
static bool both_strong(const struct current_access *current, const struct past_access *past,
                        bool apart)
{
    const uint8_t least = apart ? 2 : 1;
    return past->scope >= least && current->access->scope >= least;
}

bool access_is_ordered(const struct current_access *current, uint32_t reference)
{
    const struct past_access *past = past_of(current->past, reference);
    const uint32_t lane = reference & (SANITIZER_LANES - 1);
    struct sanitizer_warp *warp = current->warp;
    if (!access_is_of_launch(current, past)) {
        const struct sanitizer_launch *launch = current->sanitizer->launch.data;
        return stream_order_before(&current->sanitizer->streams, launch[past->launch].operation,
                                   !warp || warp->block->waited);
    }
    if (!warp) /* a copy of the program, against itself */
        return true;
    const bool apart = past->block != warp->block->index;
    if (both_strong(current, past, apart))
        return true;
    if (past->kind == PAST_BULK)
        return bulk_ordered(current, past);
    if (apart)
        return blocks_ordered(current, past);
    uint64_t stamp;
    if (!complete_at(warp->block, past, &stamp))
        return current->access->kind == PAST_COPIED && past->warp == warp->index;
    if (past->warp != warp->index)
        return warps_ordered(current, past, stamp);
    if (reference & PAST_LANES && current->access->bytes < 4)
        return true; /* which lane has accessed which bytes of the word is not known */
    if (reference & PAST_LANES && lane == current->lane) /* and others, which are not known */
        return stamp < warp->lanes_synced || warp->lane_syncs ||
               reference >> PAST_SHIFT == current->record;
    return lanes_ordered(warp, lane, stamp, current->lane);
}
