/*
 * Greedy, then oldest or youngest: stays with the warp that issued last while it can issue.
 *
 * gto, the default, comes nearest to the order in which warps of an H200 finish (own measurement;
 * docs/architecture.md). gty is the order that Huerta et al. (MICRO 2025) report from one block of
 * four warps, where they take the highest warp for the youngest: it picks as they saw with
 * dispatch.warp_order ascending. Where the highest warp starts first, as on an H200, gto picks so.
 */
#include "policy/policies.h"

static int greedy(const struct simsm_sched_view *view)
{
    return view->last >= 0 && (view->eligible >> view->last & 1u) ? view->last : -1;
}

static int pick_gto(void *state, const struct simsm_sched_view *view)
{
    (void)state;
    int slot = greedy(view);
    return slot >= 0 ? slot : policy_oldest(view, view->eligible);
}

static int pick_gty(void *state, const struct simsm_sched_view *view)
{
    (void)state;
    int slot = greedy(view);
    return slot >= 0 ? slot : policy_youngest(view, view->eligible);
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
