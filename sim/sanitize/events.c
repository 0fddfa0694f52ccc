/*
 * MODEL: what orders the accesses of threads: barriers, meetings of lanes, fences with strong
 * accesses, waits for copies. Time counts these events.
 * SOURCE: PTX ISA, memory consistency model; cp.async.wait_group; mbarrier. A strong read in front
 * of a barrier acquires as one in front of a fence does: programs rely on it.
 * LEFT OUT: lanes of a warp release and acquire together; so do all warps of a block that pass a
 * barrier by turns.
 */
#include "sanitize/sanitizer.h"

#include <string.h>

enum { MOST_RECORDS = 1 << 14 /* of shared memory */ };

static uint64_t tick(struct sanitizer_block *block)
{
    return ++block->sanitizer->time;
}

static bool has_open_copies(const struct sanitizer_block *block)
{
    bool open = block->bulk_open != 0;
    for (uint32_t i = 0; i < block->warps && !open; i++)
        open = block->warp[i].copying || block->warp[i].group != block->warp[i].groups_done;
    return open;
}

/* Forgets the accesses to shared memory. */
static void forget_shared(struct sanitizer_block *block)
{
    if (past_is_full(&block->past)) {
        memset(block->shared, 0, block->lines * sizeof *block->shared);
        past_begin(&block->past);
    }
    past_settle(&block->past, false);
}

/* Notes the last fence of each warp, if there was one since the last barrier: what a thread
 * releases from here on shows what they have written before. */
static void note_fences(struct sanitizer_block *block, uint64_t time)
{
    enum { DEVICE = 2 };
    struct grid_order *order = &block->sanitizer->order;
    struct grid_fences fences = {{0}};
    bool newer = false;
    for (uint32_t i = 0; i < block->warps && i < BLOCK_WARPS; i++) {
        fences.time[i] = block->warp[i].fenced[DEVICE];
        newer |= fences.time[i] > block->fenced;
    }
    if (!newer || !pool_add(&order->fences, &fences))
        return;
    block->fences = (uint32_t)order->fences.count;
    block->fenced = time;
}

void sanitizer_all_met(struct sanitizer_block *block)
{
    const uint64_t time = tick(block);
    note_fences(block, time);
    block_order_settle(&block->order, time);
    if (!has_open_copies(block) || block->past.next - block->past.first > MOST_RECORDS)
        forget_shared(block);
    for (uint32_t i = 0; i < block->warps; i++) {
        block->warp[i].synced = time;
        block->warp[i].lanes_synced = time;
        block->warp[i].lane_syncs = 0;
        block->warp[i].interval++;
    }
}

void sanitizer_release(struct sanitizer_warp *warp, uint64_t object)
{
    const struct sync_event event = {
        .time = tick(warp->block), .object = object, .warp = warp->index};
    block_order_add(&warp->block->order, &event);
    warp->interval++;
}

/* The copies that `object` counts are complete: this warp has waited for them. */
static void complete_bulk(struct sanitizer_warp *warp, uint64_t object, uint64_t time)
{
    struct sanitizer_block *block = warp->block;
    struct bulk_state *bulk = block->bulk.data;
    for (size_t i = block->bulk.count; i-- > 0 && block->bulk_open;) {
        if (bulk[i].object != object || bulk[i].done)
            continue;
        bulk[i].done = time;
        bulk[i].waiter = warp->index;
        block->bulk_open--;
    }
}

void sanitizer_acquire(struct sanitizer_warp *warp, uint64_t object)
{
    const struct sync_event event = {
        .time = tick(warp->block), .object = object, .warp = warp->index, .acquires = true};
    complete_bulk(warp, object, event.time);
    block_order_add(&warp->block->order, &event);
    warp->synced = event.time;
    warp->interval++;
}

uint32_t sanitizer_bulk(struct sanitizer_block *owner, uint64_t object)
{
    const struct bulk_state state = {.object = object, .started = tick(owner)};
    if (!pool_add(&owner->bulk, &state))
        return UINT32_MAX;
    owner->bulk_open++;
    return (uint32_t)owner->bulk.count - 1;
}

void sanitizer_lanes_met(struct sanitizer_warp *warp, uint32_t lanes, uint32_t live)
{
    const uint64_t time = tick(warp->block);
    warp->interval++;
    if ((lanes & live) == live) {
        warp->lanes_synced = time;
        warp->lane_syncs = 0;
        return;
    }
    warp->lane_sync[warp->lane_syncs++ % LANE_SYNCS] = (struct lane_sync){time, lanes};
}

/* Makes the strong reads since the last fence acquires, as far as the scope of each reaches to
 * other blocks. */
static void acquire_reads(struct sanitizer_warp *warp, uint8_t scope, uint64_t time)
{
    struct sanitizer_block *block = warp->block;
    for (uint32_t i = 0; i < warp->reads && i < STRONG_READS; i++) {
        const struct strong_read *read = &warp->read[i];
        const struct sync_event event = {
            .time = time, .object = read->object, .warp = warp->index, .acquires = true};
        block_order_add(&block->order, &event);
        if (read->scope < 2 || scope < 2)
            continue;
        const struct grid_event acquire = {.time = read->time,
                                           .object = read->object,
                                           .block = block->index,
                                           .warp = warp->index,
                                           .own = time};
        grid_order_acquire(&block->sanitizer->order, &acquire);
    }
    warp->reads = 0;
}

void sanitizer_fence(struct sanitizer_warp *warp, uint8_t scope)
{
    const uint64_t time = tick(warp->block);
    acquire_reads(warp, scope, time);
    warp->block->fenced_shared = true;
    for (uint8_t s = 1; s <= scope && s < SANITIZER_SCOPES; s++) {
        warp->fenced[s] = time;
        warp->fenced_synced[s] = warp->synced;
    }
    warp->interval++;
}

void sanitizer_acquire_reads(struct sanitizer_warp *warp)
{
    if (!warp->reads)
        return;
    acquire_reads(warp, 3, tick(warp->block));
    warp->interval++;
}

void sanitizer_group_close(struct sanitizer_warp *warp)
{
    warp->group++;
    warp->copying = false;
}

static void complete_groups(struct sanitizer_warp *warp, uint32_t until)
{
    if (until <= warp->groups_done)
        return;
    const uint64_t time = tick(warp->block);
    while (warp->groups_done < until)
        warp->group_done[warp->groups_done++ % SANITIZER_GROUPS] = time;
    warp->interval++;
}

void sanitizer_group_wait(struct sanitizer_warp *warp, uint32_t left)
{
    if (warp->group > left)
        complete_groups(warp, warp->group - left);
}

void sanitizer_copies_counted(struct sanitizer_warp *warp)
{
    if (warp->copying)
        sanitizer_group_close(warp);
    complete_groups(warp, warp->group);
}

void sanitizer_cluster_met(struct sanitizer_block *const *block, uint32_t blocks)
{
    struct sanitizer *sanitizer = block[0]->sanitizer;
    const uint64_t object = (uintptr_t)block[0] | UINT64_C(1) << 63;
    for (uint32_t i = 0; i < blocks; i++) {
        const uint64_t time = ++sanitizer->time;
        sanitizer_all_met(block[i]);
        const struct grid_event release = {
            .time = time, .object = object, .block = block[i]->index, .own = time, .shared = time};
        grid_order_release(&sanitizer->order, &release);
    }
    for (uint32_t i = 0; i < blocks; i++) {
        const uint64_t time = ++sanitizer->time;
        const struct grid_event acquire = {
            .time = time, .object = object, .block = block[i]->index, .own = time};
        grid_order_acquire(&sanitizer->order, &acquire);
        sanitizer_all_met(block[i]);
    }
}
