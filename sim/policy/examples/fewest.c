/*
 * A template for a plugin: the warp that has issued least goes first.
 *     cc -std=c17 -O2 -shared -fPIC -I INCLUDE -o fewest.so fewest.c
 *     simsm t4 traces/divergent.trace --policy ./fewest.so --policy-param lead=4
 */
#include <simsm/policy.h>

enum { LEAD };

struct issue_counts {
    uint64_t issues[64]; /* instructions issued by the warp in each slot */
    uint64_t lead;       /* lead that the warp which issued last may have */
};

static void init(void *state, const struct simsm_policy_setup *setup)
{
    ((struct issue_counts *)state)->lead = (uint64_t)setup->param[LEAD];
}

static int pick(void *state, const struct simsm_sched_view *view)
{
    struct issue_counts *counts = state;
    int best = __builtin_ctzll(view->eligible);
    for (uint64_t rest = view->eligible; rest; rest &= rest - 1) {
        int slot = __builtin_ctzll(rest);
        if (counts->issues[slot] < counts->issues[best])
            best = slot;
    }
    int last = view->last;
    if (last >= 0 && view->eligible >> last & 1 &&
        counts->issues[last] <= counts->issues[best] + counts->lead)
        best = last;
    counts->issues[best]++;
    return best;
}

static void on_slot(void *state, uint32_t slot, bool filled)
{
    if (filled)
        ((struct issue_counts *)state)->issues[slot] = 0;
}

static const struct simsm_policy_param params[] = {
    {"lead", "instructions by which the last warp may be ahead and still go on", SIMSM_PARAM_WHOLE,
     0, 0, 1000000},
};

static const struct simsm_scheduler scheduler = {
    .name = "fewest",
    .summary = "the warp that has issued least",
    .state_size = sizeof(struct issue_counts),
    .init = init,
    .pick = pick,
    .on_slot = on_slot,
};

const struct simsm_policy_module simsm_policy_module = {
    .head = SIMSM_POLICY_HEAD,
    .name = "fewest",
    .summary = "a template",
    .params = params,
    .param_count = 1,
    .schedulers = &scheduler,
    .scheduler_count = 1,
};
