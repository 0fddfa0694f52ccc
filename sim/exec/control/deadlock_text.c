/* The message of a deadlock: which groups wait, where, and for what. */
#include <stdio.h>
#include <string.h>

#include "exec/control/fault.h"

static const char *const waiting_at[] = {"ready",
                                         "waits for lanes of its warp",
                                         "waits for lanes of its warp",
                                         "waits for the block",
                                         "waits for a barrier in shared memory (mbarrier)",
                                         "waits for other blocks of the cluster",
                                         "waits for registers of other warps (setmaxnreg)",
                                         "spins on memory that nobody changes"};

/* Returns whether the code behind `at`, a WARPSYNC, leads straight to a BAR: the WARPSYNC gathers
 * the lanes of a warp for a barrier of the block. */
static bool gathers_for_barrier(const struct exec_grid *grid, uint32_t at)
{
    enum { LOOK = 24 };
    for (uint32_t end = at + LOOK; ++at < end && at < grid->steps;) {
        if (grid->decoded[at].op == SASS_OP_BAR)
            return true;
        if (grid->step[at].kind == EXEC_BRANCH || grid->step[at].kind == EXEC_CONTROL)
            return false;
    }
    return false;
}

/* Returns the live lanes for which the group waits and that do not wait with it. */
static uint32_t missing_lanes(const struct exec_slot *slot, const struct exec_group *group)
{
    uint32_t needed = 0, there = 0;
    if (group->wait == EXEC_AT_WARPSYNC)
        needed = group->mask;
    else if (group->wait == EXEC_AT_CONVERGENCE)
        needed = slot->warp->breg[group->barrier];
    for (uint32_t g = 0; g < slot->groups; g++) {
        const struct exec_group *other = &slot->group[g];
        if (other->wait == group->wait && other->at == group->at && other->mask == group->mask)
            there |= other->lanes;
    }
    return needed & slot->warp->live & ~there;
}

/* Returns whether lanes of a warp wait at a barrier of the block, or on the way to it, for lanes of
 * the same warp that are elsewhere. compute-sanitizer calls such threads divergent. */
static bool has_divergent_barrier(const struct exec_block *block)
{
    for (uint32_t i = 0; i < block->warps; i++) {
        const struct exec_slot *slot = &block->slot[i];
        for (uint32_t g = 0; g < slot->groups; g++) {
            const struct exec_group *group = &slot->group[g];
            bool apart = slot->group[0].at != slot->group[slot->groups - 1].at;
            if ((group->wait == EXEC_AT_BARRIER && apart) ||
                (group->wait == EXEC_AT_WARPSYNC && missing_lanes(slot, group) &&
                 gathers_for_barrier(block->grid, group->at)))
                return true;
        }
    }
    return false;
}

static void describe_group(const struct exec_block *block, uint32_t warp,
                           const struct exec_group *group, char *text, size_t size)
{
    char place[EXEC_PLACE_TEXT], whom[32] = "";
    uint32_t lanes = missing_lanes(&block->slot[warp], group);
    if (lanes)
        (void)snprintf(whom, sizeof whom, ", 0x%08x,", lanes);
    (void)snprintf(text, size, "\n  block (%u,%u,%u) warp %u lanes 0x%08x %s%s at %s", block->id[0],
                   block->id[1], block->id[2], warp, group->lanes, waiting_at[group->wait], whom,
                   exec_place(block->grid, group->at, place));
}

void exec_block_describe(const struct exec_block *block, char *text, size_t size)
{
    enum { MOST = 3 };
    uint32_t told = 0, all = 0;
    (void)snprintf(text, size, "%s",
                   has_divergent_barrier(block)
                       ? "deadlock at a divergent barrier: lanes of a warp do not come to the same "
                         "__syncthreads()"
                       : "deadlock:");
    for (uint32_t i = 0; i < block->warps; i++) {
        const struct exec_slot *slot = &block->slot[i];
        for (uint32_t g = 0; g < slot->groups; g++, all++) {
            size_t length = strlen(text);
            if (told == MOST || length + 1 >= size)
                continue;
            told++;
            describe_group(block, i, &slot->group[g], text + length, size - length);
        }
    }
    size_t length = strlen(text);
    if (all > told && length + 1 < size)
        (void)snprintf(text + length, size - length, "\n  and %u more", all - told);
}
