/* Orders of slots that several policies use (policies.h). */
#include "policy/policies.h"

static int lowest(uint64_t mask)
{
    return __builtin_ctzll(mask);
}

int policy_oldest(const struct simsm_sched_view *view, uint64_t mask)
{
    int best = lowest(mask);
    for (mask &= mask - 1; mask; mask &= mask - 1) {
        int slot = lowest(mask);
        if (view->launched[slot] < view->launched[best])
            best = slot;
    }
    return best;
}

int policy_youngest(const struct simsm_sched_view *view, uint64_t mask)
{
    int best = lowest(mask);
    for (mask &= mask - 1; mask; mask &= mask - 1) {
        int slot = lowest(mask);
        if (view->launched[slot] > view->launched[best])
            best = slot;
    }
    return best;
}

int policy_least_recent(const struct simsm_sched_view *view, uint64_t mask)
{
    int best = lowest(mask);
    for (mask &= mask - 1; mask; mask &= mask - 1) {
        int slot = lowest(mask);
        if (view->issued[slot] < view->issued[best])
            best = slot;
    }
    return best;
}

uint64_t policy_oldest_block(const struct simsm_sched_view *view, uint64_t mask)
{
    uint32_t least = UINT32_MAX;
    uint64_t found = 0;
    for (; mask; mask &= mask - 1) {
        int slot = lowest(mask);
        if (view->block[slot] > least)
            continue;
        found = (view->block[slot] == least ? found : 0) | (uint64_t)1 << slot;
        least = view->block[slot];
    }
    return found;
}

int policy_next(uint64_t mask, int last)
{
    uint64_t above = last >= 63 ? 0 : mask & (UINT64_MAX << (last + 1));
    return lowest(above ? above : mask);
}
