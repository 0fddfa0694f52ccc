/*
 * MODEL: greedy schedulers. They stay with the warp that issued last while it can issue, unless it
 * has yielded.
 *
 * gto, the default: otherwise the oldest block goes first, and of its warps the warp that has
 * issued least recently. The warps of a block therefore share evenly, and blocks of equal work end
 * one after the other.
 *
 * gty: otherwise the youngest warp goes first. Warps that have yielded come after all others.
 * SOURCE: gto: H200, cuda/calib/share and order: eight warps of one block, of MUFU or of FFMA that
 * yields, end together; eight blocks of eight warps end at 1/8, 2/8 ... of the time, whatever they
 * wait for. gty: Huerta et al., MICRO 2025, from one block of four warps. They take the highest
 * warp for the youngest, so gty picks as they saw with dispatch.warp_order ascending.
 * LEFT OUT: nothing known.
 */
#include "policy/policies.h"

/* Returns whether the warp that issued last can issue again and has not yielded. */
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
