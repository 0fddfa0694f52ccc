/* Lets lanes overtake which wait at a convergence barrier for spinning lanes of their warp, and may
 * hold the lock that these spin for. */
#include "exec/control/exec_grid.h"

/* Returns whether the code at `at` stores before it meets other threads again. Lanes that wait
 * there may then hold what the other lanes spin for, such as a lock. */
static bool stores_soon(const struct exec_grid *grid, uint32_t at)
{
    enum { LOOK = 64 };
    for (uint32_t end = at + LOOK; at < end && at < grid->steps; at++) {
        switch (grid->decoded[at].op) {
        case SASS_OP_ST:
        case SASS_OP_STG:
        case SASS_OP_STS:
        case SASS_OP_RED:
        case SASS_OP_ATOM:
        case SASS_OP_ATOMG:
        case SASS_OP_ATOMS:
        case SASS_OP_ATOMS_ARRIVE:
        case SASS_OP_SYNCS_ARRIVE:
        case SASS_OP_ARRIVES:
            return true;
        case SASS_OP_BAR:
        case SASS_OP_WARPSYNC:
        case SASS_OP_SHFL:
        case SASS_OP_EXIT:
            return false;
        default:
            break;
        }
    }
    return false;
}

static bool overtake(struct exec_block *block, struct exec_slot *slot, bool any)
{
    const struct exec_grid *grid = block->grid;
    uint32_t spinning = 0;
    bool yields = false;
    for (uint32_t i = 0; i < slot->groups; i++) {
        const struct exec_group *group = &slot->group[i];
        if (group->wait != EXEC_SPINNING && group->wait != EXEC_AT_PHASE &&
            !(group->wait == EXEC_READY && group->watches))
            continue;
        spinning |= group->lanes;
        yields |= group->yields || group->wait == EXEC_AT_PHASE;
    }
    for (uint32_t i = slot->groups; spinning && i-- > 0;) {
        struct exec_group *group = &slot->group[i];
        if (group->wait != EXEC_AT_CONVERGENCE || !(slot->warp->breg[group->barrier] & spinning))
            continue;
        if (!any && !(yields && stores_soon(grid, group->at + 1)))
            continue;
        slot->warp->breg[group->barrier] &= ~group->lanes;
        group->wait = EXEC_READY;
        group->at++;
        return true;
    }
    return false;
}

bool exec_block_overtake(struct exec_block *block, bool any)
{
    for (uint32_t i = 0; i < block->warps; i++)
        if (overtake(block, &block->slot[i], any))
            return true;
    return false;
}
