/*
 * MODEL: next-line prefetching into L1: an access prefetches the lines after it.
 * SOURCE: Smith: Sequential Program Prefetching in Memory Hierarchies, IEEE Computer 11 (12), 1978.
 * Changed: a load of a GPU touches many lines, so only loads of at most `most` lines prefetch.
 * LEFT OUT: nothing known.
 */
#include <simsm/policy.h>

enum { AHEAD, MOST };

static void on_access(void *state, const struct simsm_l1_view *view, struct simsm_l1_answer *answer)
{
    uint32_t ahead = (uint32_t)view->setup->param[AHEAD];
    (void)state;
    if (view->lines > (uint32_t)view->setup->param[MOST])
        return;
    for (uint32_t i = 0; i < view->lines; i++)
        for (uint32_t k = 1; k <= ahead && answer->prefetches < SIMSM_PREFETCHES; k++)
            answer->prefetch[answer->prefetches++] = view->line[i] + k;
}

static const struct simsm_policy_param params[] = {
    {"ahead", "lines after each line of a load that are prefetched", SIMSM_PARAM_WHOLE, 2, 1,
     SIMSM_PREFETCHES},
    {"most", "most lines of a load that prefetches", SIMSM_PARAM_WHOLE, 4, 1, 64},
};

static const struct simsm_l1_policy l1 = {
    .name = "next_line",
    .summary = "prefetches the lines after the lines of a load",
    .on_access = on_access,
};

const struct simsm_policy_module simsm_policy_module = {
    .head = SIMSM_POLICY_HEAD,
    .name = "next_line",
    .summary = "next-line prefetching into L1 (Smith, 1978)",
    .params = params,
    .l1_policies = &l1,
    .param_count = 2,
    .l1_policy_count = 1,
};
