/* Barriers, mbarriers and clusters: what they order, and lanes and warps that pass them by. */
#include "exec/control/watched_steps.h"

#include <stdlib.h>
#include <string.h>

#include "exec/control/cluster.h"
#include "exec/control/split.h"
#include "exec/control/watched_inner.h"
#include "exec/memory/module_load.h"
#include "exec/memory/watched_access.h"

/* Notes that instruction `at` is reached. Returns whether that is new. */
static bool reach(uint8_t *reached, uint32_t steps, uint32_t at)
{
    const bool is_new = at < steps && !reached[at];
    if (is_new)
        reached[at] = 1;
    return is_new;
}

/* Returns whether control can come from instruction `from` to instruction `to`. Jumps to addresses
 * in registers lead nowhere. */
static bool leads_to(const struct exec_grid *grid, uint32_t from, uint32_t to)
{
    uint8_t *reached = calloc(grid->steps + 1, 1);
    bool more = reached && reach(reached, grid->steps, from);
    while (more) {
        more = false;
        for (uint32_t at = 0; at < grid->steps; at++) {
            const struct sass_inst *sass = &grid->decoded[at];
            const bool jumps = sass->op == SASS_OP_BRA, ends = sass->op == SASS_OP_EXIT;
            const bool always =
                watch_is_always(&sass->guard) && watch_is_always(&sass->operand[SASS_PP]);
            if (reached[at] != 1)
                continue;
            reached[at] = 2; /* its successors are noted */
            if (jumps)
                more |= reach(reached, grid->steps, (uint32_t)(sass->target / 16));
            if (!((jumps || ends) && always))
                more |= reach(reached, grid->steps, at + 1);
        }
    }
    const bool leads = reached && to < grid->steps && reached[to];
    free(reached);
    return leads;
}

/* Returns whether a warp that has ended had gone past instruction `at`: it has ended where control
 * comes from there. Threads that end elsewhere, by an early return, count as arrived on all GPUs
 * since Volta. */
static bool has_gone_past(const struct exec_block *block, uint32_t warp, uint32_t at)
{
    const struct exec_grid *grid = block->grid;
    const uint32_t ended_at = block->watched->warp[warp].ended_at;
    uint64_t *known = key_map_put(&block->watched->sanitizer->used, (uintptr_t)grid->kernel + 1,
                                  (uint64_t)at << 32 | ended_at);
    if (!known)
        return false;
    if (!*known)
        *known = 1 + leads_to(grid, at, ended_at);
    return *known == 2;
}

void watch_masks(struct exec_slot *slot, const struct exec_inst *inst,
                 const uint32_t mask[EXEC_LANES], uint32_t waiting)
{
    for (uint32_t left = waiting; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const struct sanitizer_warp *warp = watch_warp(slot->warp);
        if (inst->mod[NAMES_MASK] && mask[lane] & warp->ended &&
            has_gone_past(slot->warp->block, slot->warp->index, inst->sass->pc / 16))
            watch_report(
                slot->warp, inst, lane, FINDING_MASK,
                "Mask 0x%08x of a warp function names lanes 0x%08x, which have gone past it",
                mask[lane], mask[lane] & warp->ended);
        if (!(mask[lane] >> lane & 1))
            watch_report(slot->warp, inst, lane, FINDING_MASK,
                         "Mask 0x%08x of a warp function that lane %u executes does not name it",
                         mask[lane], lane);
        for (uint32_t others = mask[lane] & waiting; others; others &= others - 1)
            if (mask[__builtin_ctz(others)] != mask[lane])
                watch_report(slot->warp, inst, lane, FINDING_MASK,
                             "Lanes %u and %u execute a warp function together with different "
                             "masks, 0x%08x and 0x%08x",
                             lane, (uint32_t)__builtin_ctz(others), mask[lane],
                             mask[__builtin_ctz(others)]);
    }
}

void watch_exit(struct exec_slot *slot, uint32_t lanes)
{
    struct sanitizer_warp *warp = watch_warp(slot->warp);
    const uint32_t at = split_running(slot)->at;
    warp->ended_at = at > warp->ended_at ? at : warp->ended_at;
    warp->ended |= lanes;
    for (uint32_t i = 0; i < slot->groups; i++) {
        const struct exec_group *group = &slot->group[i];
        if (group->wait != EXEC_AT_WARPSYNC || !(group->mask & lanes) ||
            !slot->warp->block->grid->step[group->at].inst.mod[NAMES_MASK])
            continue;
        if (has_gone_past(slot->warp->block, slot->warp->index, group->at))
            continue; /* watch_masks() tells when the lanes that wait go on */
        for (uint32_t left = group->lanes; left; left &= left - 1)
            watch_report(slot->warp, &slot->warp->block->grid->step[group->at].inst,
                         (uint32_t)__builtin_ctz(left), FINDING_MASK,
                         "Mask 0x%08x of a warp function names lanes 0x%08x, which end without it",
                         group->mask, group->mask & lanes);
    }
}

void watch_meeting(struct exec_slot *slot, uint32_t lanes)
{
    sanitizer_lanes_met(watch_warp(slot->warp), lanes, slot->warp->live);
}

/* How many phases of the mbarrier have ended. */
static uint64_t phases_of(const struct exec_block *owner, uint64_t address)
{
    const uint64_t *count = key_map_find(&owner->watched->mbarriers, address, 1);
    return count ? *count : 0;
}

void watch_phase(const struct exec_block *owner, uint64_t address)
{
    uint64_t *count = key_map_put(&owner->watched->mbarriers, address, 1);
    if (count)
        ++*count;
}

/* What is released into phase n differs from what is released into the next: a thread that has seen
 * one end may not have seen the other. */
static uint64_t phase_object(const struct exec_block *owner, uint64_t address, uint64_t phase)
{
    return watch_mbarrier_object(address) ^ (uintptr_t)owner << 16 ^ (phase + 1) << 50;
}

static uint64_t barrier_object(uint32_t number)
{
    return number | UINT64_C(1) << 62;
}

void watch_bar(struct exec_slot *slot, const struct exec_inst *inst, uint32_t number,
               uint32_t threads, uint32_t lanes, bool waits)
{
    struct exec_warp *warp = slot->warp;
    sanitizer_release(watch_warp(warp), barrier_object(number));
    if (threads % EXEC_LANES)
        watch_report(warp, inst, (uint32_t)__builtin_ctz(lanes), FINDING_BARRIER,
                     "Barrier %u expects %u threads; the number must be a multiple of 32", number,
                     threads);
    const uint32_t missing = warp->live & ~lanes;
    if (waits && missing)
        watch_report(warp, inst, (uint32_t)__builtin_ctz(lanes), FINDING_BARRIER,
                     "Barrier %u in divergent code: lanes 0x%08x of the warp execute it without "
                     "lanes 0x%08x",
                     number, lanes, missing);
}

/* Returns the warps (bit w: warp w) that have lanes which have not exited. */
static uint32_t live_warps(const struct exec_block *block)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < block->warps; i++)
        live |= block->slot[i].warp->live ? UINT32_C(1) << i : 0;
    return live;
}

/* Reports warps that have ended without coming to the barrier, though they have gone past it. */
static void look_for_skips(struct exec_block *block, uint32_t waiting, uint32_t at)
{
    const struct exec_inst *inst = &block->grid->step[at].inst;
    for (uint32_t i = 0; i < block->warps && waiting; i++)
        if (!block->slot[i].warp->live && has_gone_past(block, i, at))
            watch_report(block->slot[__builtin_ctz(waiting)].warp, inst, 0, FINDING_BARRIER,
                         "Barrier that warp %u has gone past without waiting, while others wait",
                         i);
}

void watch_barrier_opens(struct exec_block *block, uint32_t number, uint32_t waiting, uint32_t at)
{
    if (!block->barrier[number].expected)
        look_for_skips(block, waiting, at);
    const bool all = !(live_warps(block) & ~waiting);
    for (uint32_t left = waiting; left; left &= left - 1) {
        struct sanitizer_warp *warp = &block->watched->warp[__builtin_ctz(left)];
        sanitizer_acquire_reads(warp);
        if (!all)
            sanitizer_acquire(warp, barrier_object(number));
    }
    if (all)
        sanitizer_all_met(block->watched);
}

void watch_arrival(struct exec_warp *warp, const struct exec_block *owner, uint64_t address)
{
    struct sanitizer_warp *by = watch_warp(warp);
    if (owner == warp->block) {
        sanitizer_release(by, phase_object(owner, address, phases_of(owner, address)));
        return;
    }
    struct sanitizer *sanitizer = by->block->sanitizer;
    const struct grid_event event = {.time = ++sanitizer->time,
                                     .object =
                                         phase_object(owner, address, phases_of(owner, address)),
                                     .block = by->block->index,
                                     .warp = by->index,
                                     .own = sanitizer->time,
                                     .shared = by->synced};
    grid_order_release(&sanitizer->order, &event);
    by->interval++;
}

void watch_phase_end(struct exec_warp *warp, uint64_t address)
{
    struct sanitizer_warp *by = watch_warp(warp);
    const uint64_t ended = phases_of(warp->block, address);
    const uint64_t object = phase_object(warp->block, address, ended ? ended - 1 : 0);
    sanitizer_acquire(by, watch_mbarrier_object(address));
    sanitizer_acquire(by, object);
    sanitizer_lanes_met(by, warp->live, warp->live); /* all that arrived, other lanes among them */
    if (!warp->block->cluster)
        return;
    struct sanitizer *sanitizer = by->block->sanitizer;
    const struct grid_event event = {.time = ++sanitizer->time,
                                     .object = object,
                                     .block = by->block->index,
                                     .warp = by->index,
                                     .own = sanitizer->time};
    grid_order_acquire(&sanitizer->order, &event);
}

void watch_cluster(struct exec_cluster *cluster)
{
    struct sanitizer_block *block[CLUSTER_BLOCKS];
    uint32_t blocks = 0;
    for (uint32_t rank = 0; rank < CLUSTER_BLOCKS; rank++)
        if (cluster->block[rank])
            block[blocks++] = cluster->block[rank]->watched;
    if (blocks)
        sanitizer_cluster_met(block, blocks);
}
