/*
 * Greedy: stays with the warp that issued last while it can issue, unless it has yielded.
 *
 * gto, the default: otherwise the oldest block goes first, and of its warps the one that has issued
 * least recently. So the warps of a block share evenly, and blocks of equal work end one after the
 * other (H200, cuda/calib share and order; eight warps of one block, of MUFU or of FFMA that
 * yields, end together; eight blocks of eight warps end at 1/8, 2/8 ... of the time, whatever they
 * wait for).
 *
 * gty is the order that Huerta et al. (MICRO 2025) report from one block of four warps: otherwise
 * the youngest warp, where they take the highest for the youngest: it picks as they saw with
 * dispatch.warp_order ascending. Warps that have yielded come behind all others.
 */
#include "policy/policies.h"

/* Whether the warp that issued last can go on, and has not yielded. */
static bool stays(const struct simsm_sched_view *view)
{
    return view->last >= 0 && (view->eligible & ~view->yielded) >> view->last & 1u;
}

static int pick_gto(void *state, const struct simsm_sched_view *view)
{
    (void)state;
    if (stays(view))
        return view->last;
    return policy_least_recent(view, policy_oldest_block(view, view->eligible));
}

static int pick_gty(void *state, const struct simsm_sched_view *view)
{
    (void)state;
    uint64_t keen = view->eligible & ~view->yielded;
    if (stays(view))
        return view->last;
    return keen ? policy_youngest(view, keen) : policy_least_recent(view, view->eligible);
}

static int pick_oldest(void *state, const struct simsm_sched_view *view)
{
    (void)state;
    return policy_oldest(view, view->eligible);
}

const struct simsm_scheduler sched_gto = {
    .name = "gto",
    .summary = "greedy, then oldest: stay with the last warp, else with the oldest block, by turns",
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
