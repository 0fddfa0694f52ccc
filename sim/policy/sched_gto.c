/*
 * Greedy, then oldest or youngest: stays with the warp that issued last while it can issue, unless
 * it has yielded. Warps that have come behind all others, the one that has waited longest first, so
 * that they share evenly (H200, cuda/calib order: 8 warps of yielding FFMA last 3005 of 3157 cycles
 * each; without yielding each runs to its end, 384 cycles, before the next).
 *
 * gto, the default, comes nearest to the order in which warps of an H200 finish (own measurement;
 * docs/architecture.md). gty is the order that Huerta et al. (MICRO 2025) report from one block of
 * four warps, where they take the highest warp for the youngest: it picks as they saw with
 * dispatch.warp_order ascending. Where the highest warp starts first, as on an H200, gto picks so.
 */
#include "policy/policies.h"

/* The choice among warps that have not yielded, or else of those that have. */
static int pick_greedy(const struct simsm_sched_view *view,
                       int (*otherwise)(const struct simsm_sched_view *view, uint64_t mask))
{
    uint64_t keen = view->eligible & ~view->yielded;
    if (!keen)
        return policy_least_recent(view, view->eligible);
    if (view->last >= 0 && (keen >> view->last & 1u))
        return view->last;
    return otherwise(view, keen);
}

static int pick_gto(void *state, const struct simsm_sched_view *view)
{
    (void)state;
    return pick_greedy(view, policy_oldest);
}

static int pick_gty(void *state, const struct simsm_sched_view *view)
{
    (void)state;
    return pick_greedy(view, policy_youngest);
}

static int pick_oldest(void *state, const struct simsm_sched_view *view)
{
    (void)state;
    return policy_oldest(view, view->eligible);
}

const struct simsm_scheduler sched_gto = {
    .name = "gto",
    .summary = "greedy, then oldest: stay with the last warp, else the one launched first",
    .pick = pick_gto,
};

const struct simsm_scheduler sched_gty = {
    .name = "gty",
    .summary = "greedy, then youngest: stay with the last warp, else the one launched last",
    .pick = pick_gty,
};

const struct simsm_scheduler sched_oldest = {
    .name = "oldest",
    .summary = "always the eligible warp that was launched first",
    .pick = pick_oldest,
};
