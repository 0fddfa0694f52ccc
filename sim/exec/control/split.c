/*
 * MODEL: groups of lanes of a diverged warp. At a branch one side runs and the other side is
 * deferred; a deferred group goes on as soon as the running group waits or ends. Only one group is
 * deferred at a time: at the next split it is put away, where groups that stand at the same
 * instruction become one group. When neither a running nor a deferred group is left, the group that
 * was put away last runs. Groups meet at convergence barriers (BSSY, BSYNC) and at WARPSYNC.
 * SOURCE: measured on an H200 with loops that lanes leave at different times: warp and thread
 * instructions agree (docs/machine-code.md, Divergence). cuda/probe/control_flow: 791 of 966
 * launches execute exactly as many warp instructions.
 * LEFT OUT: recursion that nests deeply, and how groups catch up after YIELD, differ from an
 * H200's. Lanes at a BAR do not issue it again when other lanes of their warp yield or sleep.
 */
#include "exec/control/split.h"

#include <string.h>

#include "base/check.h"

void split_begin(struct exec_slot *slot, uint32_t lanes, uint32_t at)
{
    slot->group[0] = (struct exec_group){.lanes = lanes, .at = at, .wait = EXEC_READY};
    slot->groups = 1;
    slot->now = 0;
}

static void remove_group(struct exec_slot *slot, uint32_t index)
{
    SIMSM_CHECK(index < slot->groups, "group %u of %u", index, slot->groups);
    slot->groups--;
    memmove(slot->group + index, slot->group + index + 1,
            (slot->groups - index) * sizeof slot->group[0]);
    if (slot->now == index)
        slot->now = EXEC_NOBODY;
    else if (slot->now != EXEC_NOBODY && slot->now > index)
        slot->now--;
}

/* Adds a ready group. There is room for as many groups as lanes, and each group has a lane. */
static struct exec_group *add_group(struct exec_slot *slot, uint32_t lanes, uint32_t at)
{
    SIMSM_CHECK(slot->groups < EXEC_LANES, "%u groups of %u lanes", slot->groups + 1,
                (uint32_t)EXEC_LANES);
    struct exec_group *group = &slot->group[slot->groups++];
    *group = (struct exec_group){.lanes = lanes, .at = at, .wait = EXEC_READY};
    return group;
}

/* Returns whether lanes of both masks have the same stack pointer, R1. Lanes in calls of different
 * depth keep barrier registers for one another and must not become one group by chance. */
static bool same_frame(const struct exec_slot *slot, uint32_t lanes, uint32_t others)
{
    enum { STACK_POINTER = 1 };
    const uint32_t *pointer = slot->warp->r[STACK_POINTER];
    return pointer[__builtin_ctz(lanes)] == pointer[__builtin_ctz(others)];
}

/* Returns whether `group` may join `other`: both stand at the same instruction, `other` is ready,
 * and neither is complete at a WARPSYNC.COLLECTIVE, which takes no lanes with other masks. */
static bool may_join(const struct exec_slot *slot, const struct exec_group *group,
                     const struct exec_group *other)
{
    return other->wait == EXEC_READY && other->at == group->at && !other->collective &&
           !group->collective && same_frame(slot, group->lanes, other->lanes);
}

/* Puts the deferred group away, if there is one: it joins a ready group at the same instruction, or
 * stays a group of its own. */
static void put_away_deferred(struct exec_slot *slot)
{
    uint32_t last = 0;
    while (last < slot->groups && !slot->group[last].deferred)
        last++;
    if (last == slot->groups)
        return;
    const struct exec_group *group = &slot->group[last];
    slot->group[last].deferred = false;
    slot->group[last].put_away = true;
    for (uint32_t i = 0; i < slot->groups; i++) {
        struct exec_group *other = &slot->group[i];
        if (i == last || i == slot->now || !may_join(slot, group, other))
            continue;
        other->lanes |= group->lanes;
        other->put_away = true;
        remove_group(slot, last);
        return;
    }
}

/* Adds `lanes` as the deferred group, ready at `at`. The group that was deferred before is put
 * away. */
static void defer(struct exec_slot *slot, uint32_t lanes, uint32_t at)
{
    put_away_deferred(slot);
    add_group(slot, lanes, at)->deferred = true;
}

/*
 * If group `first` is ready at a BSYNC where all other lanes of the barrier wait, merges these
 * lanes into group `first`, so that all issue the BSYNC together. Returns the index of group
 * `first`, which may have changed.
 */
static uint32_t gather_at_bsync(struct exec_slot *slot, uint32_t first)
{
    uint32_t at = slot->group[first].at, lanes = slot->group[first].lanes, needed = 0;
    for (uint32_t i = 0; i < slot->groups; i++) {
        const struct exec_group *other = &slot->group[i];
        if (other->wait != EXEC_AT_CONVERGENCE || other->at != at)
            continue;
        needed = slot->warp->breg[other->barrier] & slot->warp->live;
        lanes |= other->lanes & needed ? other->lanes : 0;
    }
    if (!needed || lanes != needed)
        return first;
    for (uint32_t i = slot->groups; i-- > 0;) {
        if (i == first || !(slot->group[i].lanes & needed))
            continue;
        remove_group(slot, i);
        first -= i < first;
    }
    slot->group[first].lanes = lanes;
    return first;
}

/*
 * Called when all lanes of a warp wait for one another. Lets a group go on whose convergence
 * barrier register no longer has the group's lanes, or was written by BMOV. This happens where
 * recursive calls from two places have saved the register for one of the places only. An H200 lets
 * such lanes go on in any case. Returns false if there is no such group.
 */
static bool release_lost(struct exec_slot *slot)
{
    const struct exec_warp *warp = slot->warp;
    uint32_t lost = EXEC_NOBODY;
    for (uint32_t i = 0; i < slot->groups; i++) {
        const struct exec_group *group = &slot->group[i];
        if (group->wait != EXEC_AT_CONVERGENCE && group->wait != EXEC_AT_WARPSYNC)
            return false;
        if (group->wait == EXEC_AT_CONVERGENCE &&
            (!(warp->breg[group->barrier] & group->lanes) || slot->restored >> group->barrier & 1))
            lost = i;
    }
    if (lost == EXEC_NOBODY)
        return false;
    slot->now = lost;
    slot->group[lost].wait = EXEC_READY;
    slot->group[lost].at++;
    slot->warp->breg[slot->group[lost].barrier] &= ~slot->group[lost].lanes;
    return true;
}

bool split_next(struct exec_slot *slot)
{
    slot->now = EXEC_NOBODY;
    for (uint32_t i = slot->groups; i-- > 0;) {
        if (slot->group[i].wait != EXEC_READY)
            continue;
        slot->now = slot->group[i].deferred ? i : gather_at_bsync(slot, i);
        split_running(slot)->deferred = false;
        split_running(slot)->put_away = false;
        split_running(slot)->yielded = false;
        return true;
    }
    return release_lost(slot);
}

bool split_next_was_put_away(const struct exec_slot *slot)
{
    for (uint32_t i = slot->groups; i-- > 0;)
        if (slot->group[i].wait == EXEC_READY)
            return slot->group[i].put_away;
    return false;
}

void split_pause(struct exec_slot *slot)
{
    SIMSM_CHECK(slot->now < slot->groups, "group %u of %u runs", slot->now, slot->groups);
    struct exec_group group = *split_running(slot);
    uint32_t behind = slot->groups - slot->now - 1;
    memmove(slot->group + slot->now, slot->group + slot->now + 1, behind * sizeof slot->group[0]);
    group.deferred = true;
    slot->group[slot->groups - 1] = group;
    slot->now = EXEC_NOBODY;
}

void split_leave(struct exec_slot *slot, uint32_t leaving, uint32_t target, uint32_t stay)
{
    struct exec_group *group = split_running(slot);
    uint32_t others = group->lanes & ~leaving;
    if (!others) {
        group->at = target;
    } else if (!leaving) {
        group->at = stay;
    } else if (divergence_taken_first(slot->rules, leaving, others, target <= group->at)) {
        group->lanes = leaving;
        group->at = target;
        defer(slot, others, stay);
    } else {
        group->lanes = others;
        group->at = stay;
        defer(slot, leaving, target);
    }
}

void split_branch(struct exec_slot *slot, uint32_t taken, uint32_t target)
{
    split_leave(slot, taken, target, split_running(slot)->at + 1);
}

void split_wait(struct exec_slot *slot, uint32_t lanes, const struct exec_group *how)
{
    struct exec_group *group = split_running(slot);
    struct exec_group waiting = *how;
    SIMSM_CHECK(lanes && !(lanes & ~group->lanes), "lanes 0x%x of a group of lanes 0x%x wait",
                lanes, group->lanes);
    waiting.lanes = lanes;
    waiting.at = group->at;
    uint32_t rest = group->lanes & ~lanes;
    if (!rest) {
        *group = waiting;
        slot->now = EXEC_NOBODY;
        return;
    }
    group->lanes = rest;
    group->at++;
    *add_group(slot, 0, 0) = waiting;
}

void split_advance(struct exec_slot *slot, uint32_t lanes)
{
    struct exec_group *group = split_running(slot);
    uint32_t at = group->at++, others = group->lanes & ~lanes;
    group->lanes = lanes;
    if (others)
        defer(slot, others, at);
}

typedef bool waits_fn(const struct exec_group *group, uint32_t key, uint32_t at);

/*
 * Whether the group waits at the convergence barrier and has lanes of `lanes`, the content of the
 * barrier register. Other groups may wait at the same barrier register in a calling function, which
 * saved the register before the call.
 */
static bool at_convergence(const struct exec_group *group, uint32_t barrier, uint32_t lanes)
{
    return group->wait == EXEC_AT_CONVERGENCE && group->barrier == barrier && group->lanes & lanes;
}

static bool at_warpsync(const struct exec_group *group, uint32_t mask, uint32_t at)
{
    return group->wait == EXEC_AT_WARPSYNC && !group->collective && group->mask == mask &&
           group->at == at;
}

static bool at_collective(const struct exec_group *group, uint32_t mask, uint32_t at)
{
    (void)at;
    return group->wait == EXEC_AT_WARPSYNC && group->collective && group->mask == mask;
}

static bool at_barrier(const struct exec_group *group, uint32_t barrier, uint32_t at)
{
    return group->wait == EXEC_AT_BARRIER && group->barrier == barrier && group->at == at;
}

static uint32_t waiting_lanes(const struct exec_slot *slot, waits_fn *waits, uint32_t key,
                              uint32_t at)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < slot->groups; i++)
        lanes |= waits(&slot->group[i], key, at) ? slot->group[i].lanes : 0;
    return lanes;
}

/* Merges all groups for which `waits` holds into one ready group, the next to run, which goes on at
 * `to`. */
static void join(struct exec_slot *slot, waits_fn *waits, uint32_t key, uint32_t at, uint32_t to)
{
    uint32_t lanes = 0;
    for (uint32_t i = slot->groups; i-- > 0;) {
        if (waits(&slot->group[i], key, at)) {
            lanes |= slot->group[i].lanes;
            remove_group(slot, i);
        }
    }
    add_group(slot, lanes, to);
}

uint32_t split_yielded(const struct exec_slot *slot)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < slot->groups; i++)
        lanes |= slot->group[i].yielded ? slot->group[i].lanes : 0;
    return lanes;
}

void split_converge(struct exec_slot *slot, uint32_t barrier, bool again)
{
    struct exec_warp *warp = slot->warp;
    uint32_t needed = warp->breg[barrier] & warp->live & ~split_yielded(slot);
    uint32_t arrived = waiting_lanes(slot, at_convergence, barrier, needed);
    if (!arrived || needed & ~arrived)
        return;
    uint32_t at = 0;
    for (uint32_t i = 0; i < slot->groups; i++)
        if (at_convergence(&slot->group[i], barrier, needed))
            at = slot->group[i].at;
    warp->breg[barrier] &= ~needed;
    join(slot, at_convergence, barrier, needed, again ? at : at + 1);
}

/* Merges the running group, which has yielded, into another ready group at the same instruction, if
 * there is one. No group runs then. */
static void join_ready_group(struct exec_slot *slot)
{
    const struct exec_group *group = &slot->group[slot->now];
    for (uint32_t i = 0; i < slot->groups; i++) {
        struct exec_group *other = &slot->group[i];
        if (i == slot->now || !may_join(slot, group, other))
            continue;
        other->lanes |= group->lanes;
        remove_group(slot, slot->now);
        return;
    }
}

bool split_others_ready(const struct exec_slot *slot)
{
    bool ready = false;
    for (uint32_t i = 0; i < slot->groups; i++)
        ready |= i != slot->now && slot->group[i].wait == EXEC_READY;
    return ready;
}

void split_yield(struct exec_slot *slot)
{
    uint32_t waiting = 0;
    split_running(slot)->at++;
    split_running(slot)->yielded = true;
    for (uint32_t i = 0; i < slot->groups; i++)
        if (slot->group[i].wait == EXEC_AT_CONVERGENCE)
            waiting |= UINT32_C(1) << slot->group[i].barrier;
    for (; waiting; waiting &= waiting - 1)
        split_converge(slot, (uint32_t)__builtin_ctz(waiting), false);
    if (!split_others_ready(slot)) {
        split_running(slot)->yielded = false;
        return;
    }
    join_ready_group(slot);
    if (slot->now == EXEC_NOBODY)
        return;
    struct exec_group group = *split_running(slot);
    memmove(slot->group + 1, slot->group, slot->now * sizeof slot->group[0]);
    slot->group[0] = group;
    slot->now = EXEC_NOBODY;
}

void split_meet(struct exec_slot *slot, uint32_t mask, uint32_t at)
{
    uint32_t arrived = waiting_lanes(slot, at_warpsync, mask, at);
    if (arrived && !(mask & slot->warp->live & ~arrived))
        join(slot, at_warpsync, mask, at, at);
}

void split_collect(struct exec_slot *slot, uint32_t mask, uint32_t at)
{
    uint32_t arrived = waiting_lanes(slot, at_collective, mask, at);
    if (!arrived || mask & slot->warp->live & ~arrived)
        return;
    join(slot, at_collective, mask, at, at);
    slot->group[slot->groups - 1].collective = true;
}

void split_scatter(struct exec_slot *slot)
{
    uint32_t left = split_running(slot)->lanes, target = split_running(slot)->at + 1;
    bool first = true;
    while (left) {
        uint32_t lanes = 0;
        for (uint32_t lane = 0; lane < EXEC_LANES; lane++)
            lanes |= (left >> lane & 1 && slot->resume[lane] == target) ? UINT32_C(1) << lane : 0;
        if (lanes && first) {
            split_running(slot)->lanes = lanes;
            split_running(slot)->at = target;
            first = false;
        } else if (lanes) {
            defer(slot, lanes, target);
        }
        left &= ~lanes;
        target = left ? slot->resume[__builtin_ctz(left)] : target;
    }
}

void split_exit(struct exec_slot *slot, uint32_t lanes)
{
    struct exec_warp *warp = slot->warp;
    struct exec_group *group = split_running(slot);
    warp->live &= ~lanes;
    group->lanes &= ~lanes;
    group->at++;
    if (!group->lanes)
        remove_group(slot, slot->now);
    /* A barrier register of 0 belongs to lanes that wait while their mask is saved elsewhere
     * (BMOV). */
    for (uint32_t barrier = 0; barrier < EXEC_BREGS; barrier++) {
        uint32_t before = warp->breg[barrier];
        warp->breg[barrier] &= ~lanes;
        if (before & lanes)
            split_converge(slot, barrier, true);
    }
    for (uint32_t i = slot->groups; i-- > 0;) {
        struct exec_group waiting = slot->group[i];
        if (waiting.wait != EXEC_AT_WARPSYNC || !(waiting.mask & lanes))
            continue;
        uint32_t before = slot->groups;
        if (waiting.collective)
            split_collect(slot, waiting.mask, waiting.at);
        else
            split_meet(slot, waiting.mask, waiting.at);
        i = before == slot->groups ? i : slot->groups;
    }
}

void split_release(struct exec_slot *slot, uint32_t barrier)
{
    for (uint32_t i = slot->groups; i-- > 0;) {
        struct exec_group *group = &slot->group[i];
        if (group->wait != EXEC_AT_BARRIER || group->barrier != barrier)
            continue;
        uint32_t at = group->at;
        join(slot, at_barrier, barrier, at, at + 1);
        i = slot->groups - 1; /* the merged group, which does not wait */
    }
}

bool split_waits_in_part(const struct exec_slot *slot, uint32_t at)
{
    bool waits = false, ready = false;
    for (uint32_t i = 0; i < slot->groups; i++) {
        const struct exec_group *group = &slot->group[i];
        waits |= group->wait == EXEC_AT_BARRIER && group->at == at;
        ready |= group->wait == EXEC_READY;
    }
    return waits && ready;
}
