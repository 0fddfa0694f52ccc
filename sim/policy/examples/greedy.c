/*
 * MODEL: greedy schedulers, and oldest first, as plugins. gto_2012: the warp that issued last, else
 * the oldest warp. gty_2025: the warp that issued last, else the youngest warp. oldest_first:
 * always the oldest warp. The built-in gto differs: it prefers the oldest block and lets its warps
 * take turns, as an H200 does (sim/policy/sched_gto.c).
 * SOURCE: gto_2012: Rogers, O'Connor, Aamodt: Cache-Conscious Wavefront Scheduling, MICRO 2012,
 * section 4.1. gty_2025: Huerta, Shoushtary, Cruz, Gonzalez: Dissecting and Modeling the
 * Architecture of Modern GPU Cores, MICRO 2025.
 * LEFT OUT: nothing known.
 */
#include <simsm/policy.h>

/* Returns the slot of `mask` (not 0) whose warp was launched first, or last. */
static int by_age(const struct simsm_sched_view *view, uint64_t mask, bool youngest)
{
    int best = __builtin_ctzll(mask);
    for (mask &= mask - 1; mask; mask &= mask - 1) {
        int slot = __builtin_ctzll(mask);
        if ((view->launched[slot] > view->launched[best]) == youngest)
            best = slot;
    }
    return best;
}

static bool stays(const struct simsm_sched_view *view)
{
    return view->last >= 0 && view->eligible >> view->last & 1;
}

static int pick_gto(void *state, const struct simsm_sched_view *view)
{
    (void)state;
    return stays(view) ? view->last : by_age(view, view->eligible, false);
}

static int pick_gty(void *state, const struct simsm_sched_view *view)
{
    (void)state;
    return stays(view) ? view->last : by_age(view, view->eligible, true);
}

static int pick_oldest(void *state, const struct simsm_sched_view *view)
{
    (void)state;
    return by_age(view, view->eligible, false);
}

static const struct simsm_scheduler schedulers[] = {
    {.name = "gto_2012", .summary = "greedy, then the oldest warp, as published", .pick = pick_gto},
    {.name = "gty_2025", .summary = "greedy, then the youngest warp", .pick = pick_gty},
    {.name = "oldest_first", .summary = "always the oldest warp", .pick = pick_oldest},
};

const struct simsm_policy_module simsm_policy_module = {
    .head = SIMSM_POLICY_HEAD,
    .name = "greedy",
    .summary = "greedy schedulers and oldest first, as published",
    .schedulers = schedulers,
    .scheduler_count = 3,
};
