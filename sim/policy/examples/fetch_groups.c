/*
 * MODEL: two-level scheduling with fetch groups of warps. One group has the turn, and its warps
 * take turns. When all of them wait for memory, the next group has the turn. Groups therefore reach
 * their loads at different times, and some compute while others wait. The built-in two_level is
 * another scheduler of that name (Gebhart et al., ISCA 2011): a small active set, from which a warp
 * is exchanged as soon as it waits.
 * SOURCE: Narasiman et al.: Improving GPU Performance via Large Warps and Two-Level Warp
 * Scheduling, MICRO 2011.
 * LEFT OUT: large warps.
 */
#include <simsm/policy.h>

enum { GROUP };

struct fetch_groups {
    uint32_t size;  /* warps of a group */
    uint32_t group; /* group that has the turn */
    int32_t after;  /* slot + 1 of the last pick; 0: none, as in zeroed state */
};

static void init(void *state, const struct simsm_policy_setup *setup)
{
    struct fetch_groups *groups = state;
    groups->size = (uint32_t)setup->param[GROUP];
    if (groups->size > setup->slots)
        groups->size = setup->slots;
}

static uint64_t members(const struct fetch_groups *groups, uint32_t group)
{
    uint64_t ones = groups->size >= 64 ? UINT64_MAX : (UINT64_C(1) << groups->size) - 1;
    uint32_t first = group * groups->size;
    return first >= 64 ? 0 : ones << first;
}

/* Returns the lowest slot of `mask` (not 0) from `from` on; if there is none, the lowest slot of
 * `mask`. */
static int next_from(uint64_t mask, uint32_t from)
{
    uint64_t above = from >= 64 ? 0 : mask & (UINT64_MAX << from);
    return __builtin_ctzll(above ? above : mask);
}

static int pick(void *state, const struct simsm_sched_view *view)
{
    struct fetch_groups *groups = state;
    uint64_t waits = view->memory_pending | view->synchronizing;
    /* Stays with the group while one of its warps could go on without memory. */
    if (!(view->resident & ~waits & members(groups, groups->group))) {
        int slot = next_from(view->eligible, (groups->group + 1) * groups->size);
        groups->group = (uint32_t)slot / groups->size;
    }
    uint64_t choice = view->eligible & members(groups, groups->group);
    if (!choice)
        return -1;
    int slot = next_from(choice, (uint32_t)groups->after);
    groups->after = slot + 1;
    return slot;
}

static const struct simsm_policy_param params[] = {
    {"group", "warps of a fetch group, within a sub-partition", SIMSM_PARAM_WHOLE, 4, 1, 64},
};

static const struct simsm_scheduler scheduler = {
    .name = "fetch_groups",
    .summary = "two-level: turns in a group until all of it waits for memory, then the next group",
    .state_size = sizeof(struct fetch_groups),
    .init = init,
    .pick = pick,
};

const struct simsm_policy_module simsm_policy_module = {
    .head = SIMSM_POLICY_HEAD,
    .name = "fetch_groups",
    .summary = "two-level scheduling with fetch groups (Narasiman et al., MICRO 2011)",
    .params = params,
    .param_count = 1,
    .schedulers = &scheduler,
    .scheduler_count = 1,
};
