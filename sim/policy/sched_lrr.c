/*
 * MODEL: a scheduler in loose round robin: the next eligible slot after the slot that issued last.
 * SOURCE: own choice, a common reference in papers.
 * LEFT OUT: nothing known.
 */
#include "policy/policies.h"

struct lrr {
    int32_t after; /* slot + 1 of the last pick; 0: none, as in zeroed state */
};

static int pick(void *state, const struct simsm_sched_view *view)
{
    struct lrr *lrr = state;
    int slot = policy_next(view->eligible, lrr->after - 1);
    lrr->after = slot + 1;
    return slot;
}

const struct simsm_scheduler sched_lrr = {
    .name = "lrr",
    .summary = "loose round robin: the next eligible slot after the last one",
    .state_size = sizeof(struct lrr),
    .pick = pick,
};
