/* Loose round robin: the next eligible slot after the one that issued last. */
#include "policy/policies.h"

struct lrr {
    int32_t after; /* slot + 1 of the last pick, so that zeroed state means none */
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
