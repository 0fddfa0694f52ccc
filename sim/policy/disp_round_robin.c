/*
 * Round robin over the SMs, one block each and pass, even SM numbers before odd ones, that is over
 * the texture clusters first (Olmedo et al., RTAS 2020). A block that retires is replaced in its
 * own SM, since that is where room appears.
 */
#include "policy/policies.h"

struct round_robin {
    uint32_t position; /* in the order of visits */
};

static uint32_t sm_at(uint32_t position, uint32_t count)
{
    uint32_t even = (count + 1) / 2;
    return position < even ? 2 * position : 2 * (position - even) + 1;
}

static uint32_t pick(void *state, const struct simsm_sm_view *sms, uint32_t count, int freed)
{
    struct round_robin *rr = state;
    if (freed >= 0 && sms[freed].free_blocks)
        return (uint32_t)freed;
    for (;;) {
        uint32_t sm = sm_at(rr->position, count);
        rr->position = (rr->position + 1) % count;
        if (sms[sm].free_blocks)
            return sm;
    }
}

const struct simsm_dispatcher disp_round_robin = {
    .name = "round_robin",
    .summary = "one block to each SM in turn, even SMs first; freed places are refilled at once",
    .state_size = sizeof(struct round_robin),
    .pick = pick,
};
