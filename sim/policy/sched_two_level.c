/*
 * MODEL: round robin in a small active set. A warp that starts to wait for memory leaves the set,
 * and the oldest warp outside that does not wait takes its place. Warps outside the set are held
 * back even if they could issue.
 *
 * SOURCE: Gebhart et al.: Energy-efficient Mechanisms for Managing Thread Context in Throughput
 * Processors, ISCA 2011. Two-level scheduling of Narasiman et al. (MICRO 2011) is another
 * algorithm: the policy plug-in fetch_groups.
 *
 * LEFT OUT: the register file cache, for which the paper keeps the set small.
 */
#include "policy/policies.h"
#include "simsm/config.h"

struct two_level {
    uint64_t active; /* slots in the active set */
    uint32_t size;   /* most warps of the set */
    int32_t after;   /* slot + 1 of the last pick */
};

static void init(void *state, const struct simsm_policy_setup *setup)
{
    struct two_level *two = state;
    uint32_t active = setup->config->sm_two_level_active;
    two->size = active < setup->slots ? active : setup->slots;
}

static int pick(void *state, const struct simsm_sched_view *view)
{
    struct two_level *two = state;
    /* Warps at a barrier leave the set, too: they may wait for warps outside it. */
    uint64_t able = view->resident & ~view->memory_pending & ~view->synchronizing;
    two->active &= able;
    uint64_t outside = able & ~two->active;
    uint32_t members = (uint32_t)__builtin_popcountll(two->active);
    for (; outside && members < two->size; members++) {
        uint64_t oldest = UINT64_C(1) << policy_oldest(view, outside);
        two->active |= oldest;
        outside &= ~oldest;
    }
    uint64_t choice = view->eligible & two->active;
    if (!choice)
        return -1;
    int slot = policy_next(choice, two->after - 1);
    two->after = slot + 1;
    return slot;
}

const struct simsm_scheduler sched_two_level = {
    .name = "two_level",
    .summary = "turns in a small active set; warps that wait for memory leave it (Gebhart 2011)",
    .state_size = sizeof(struct two_level),
    .init = init,
    .pick = pick,
};
