/*
 * MODEL: a block dispatcher that fills one SM to its limit before it goes on to the next.
 * SOURCE: own choice.
 * LEFT OUT: nothing known; no GPU is known to dispatch so.
 */
#include "policy/policies.h"

static uint32_t pick(void *state, const struct simsm_sm_view *sms, uint32_t count, int freed)
{
    (void)state;
    (void)freed;
    uint32_t sm = 0;
    while (sm + 1 < count && !sms[sm].free_blocks)
        sm++;
    return sm;
}

const struct simsm_dispatcher disp_fill = {
    .name = "fill",
    .summary = "the lowest-numbered SM that has room, filled to its limit",
    .pick = pick,
};
