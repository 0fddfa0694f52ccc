/*
 * MODEL: WARPSYNC. Every lane has its own mask and waits until all live lanes of the mask have come
 * to the instruction with the same mask. The lanes of one group may have different masks: those of
 * __match_any_sync(), for example. Plain WARPSYNC lets all lanes with complete masks go on
 * together. WARPSYNC.EXCLUSIVE and .COLLECTIVE let the lanes of one mask go on alone, so that the
 * instruction behind takes these lanes only; they issue once for each mask, the mask of the lowest
 * lane first.
 * SOURCE: measured on an H200 (driver 580.159.04): smsp__inst_executed.sum of 11 of 15 probe
 * kernels equals the simulator's exactly, for all 7 ways to part the lanes. The other 4 kernels
 * depend on time. nvcc's code for sm_75 to sm_90 gives right results only with these rules: behind
 * plain WARPSYNC it cuts the results of VOTE and MATCH down to the mask; behind the other two it
 * does not, and it gathers the lanes at a BSYNC.
 * LEFT OUT: nothing known.
 */
#include "exec/control/control_flow.h"
#include "exec/control/split.h"
#include "exec/control/watched_steps.h"

enum { PLAIN, EXCLUSIVE, COLLECTIVE }; /* SASS_MOD_WARPSYNC */

/* Returns the lanes of `lanes` that have the mask of the lowest one; `lanes` is not 0. */
static uint32_t of_one_mask(const uint32_t mask[EXEC_LANES], uint32_t lanes)
{
    uint32_t same = 0;
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        same |= mask[lane] == mask[__builtin_ctz(lanes)] ? UINT32_C(1) << lane : 0;
    }
    return same;
}

/* Makes `same`, lanes of the running group, wait for the other lanes of `mask`. The other lanes of
 * the group stay at the instruction. */
static void wait_for_mask(struct exec_slot *slot, uint32_t mask, uint32_t same, bool collective)
{
    const struct exec_group how = {
        .wait = EXEC_AT_WARPSYNC, .mask = mask | same, .collective = collective};
    uint32_t at = split_running(slot)->at;
    split_wait(slot, same, &how);
    if (slot->now != EXEC_NOBODY)
        split_running(slot)->at = at;
    if (collective)
        split_collect(slot, how.mask, at);
    else
        split_meet(slot, how.mask, at);
}

/* Plain WARPSYNC: the lanes whose masks are complete go on together. The other lanes wait, as one
 * group for each mask. */
static void meet_all_masks(struct exec_slot *slot, const uint32_t mask[EXEC_LANES],
                           uint32_t waiting)
{
    uint32_t complete = 0, group = split_running(slot)->lanes;
    for (uint32_t left = waiting == group ? waiting : 0; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        complete |= mask[lane] & slot->warp->live & ~waiting ? 0 : UINT32_C(1) << lane;
    }
    for (uint32_t left = slot->warp->block->watched ? complete : 0, same; left; left &= ~same) {
        same = of_one_mask(mask, left);
        watch_meeting(slot, same);
    }
    for (uint32_t left = waiting & ~complete, same; left; left &= ~same) {
        same = of_one_mask(mask, left);
        wait_for_mask(slot, mask[__builtin_ctz(left)], same, false);
    }
    if (slot->now != EXEC_NOBODY)
        split_running(slot)->at++;
}

/* WARPSYNC.EXCLUSIVE and .COLLECTIVE: takes the lanes with the mask of the lowest lane. They go on
 * alone if the mask is complete, else they wait. Lanes with other masks stay at the instruction. */
static void meet_by_mask(struct exec_slot *slot, const uint32_t mask[EXEC_LANES], uint32_t waiting,
                         bool collective)
{
    struct exec_group *group = split_running(slot);
    uint32_t lowest = (uint32_t)__builtin_ctz(waiting), same = of_one_mask(mask, waiting);
    bool complete = !(mask[lowest] & slot->warp->live & ~same);
    if (complete && waiting == group->lanes) {
        if (slot->warp->block->watched)
            watch_meeting(slot, same);
        split_advance(slot, same);
        return;
    }
    wait_for_mask(slot, mask[lowest], same, collective);
    if (slot->now != EXEC_NOBODY && waiting == same)
        split_running(slot)->at++;
}

void exec_warpsync(struct exec_block *block, struct exec_slot *slot, const struct exec_step *step,
                   uint32_t lanes)
{
    struct exec_group *group = split_running(slot);
    const struct exec_inst *inst = &step->inst;
    uint32_t room[EXEC_LANES], kind = sass_mod(inst->sass, SASS_MOD_WARPSYNC);
    uint32_t waiting =
        lanes & exec_predicate(slot->warp, &inst->pp) & exec_predicate(slot->warp, &inst->pq);
    const uint32_t *mask = room;
    (void)block;
    if (!waiting || group->collective) {
        group->collective = false;
        group->at++;
        return;
    }
    for (uint32_t lane = 0; lane < EXEC_LANES; lane++) {
        room[lane] = UINT32_MAX;
        if (kind == COLLECTIVE && waiting >> lane & 1)
            slot->resume[lane] = step->target;
    }
    if (inst->a.kind != SASS_NONE)
        mask = exec_read(slot->warp, &inst->a, 0, room);
    if (slot->warp->block->watched)
        watch_masks(slot, inst, mask, waiting);
    if (kind == PLAIN)
        meet_all_masks(slot, mask, waiting);
    else
        meet_by_mask(slot, mask, waiting, kind == COLLECTIVE);
}
