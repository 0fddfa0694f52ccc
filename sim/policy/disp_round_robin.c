/*
 * MODEL: a block dispatcher in round robin over the SMs, one block each and pass, in the hardware's
 * order of visits. A block that retires is replaced in its own SM, because that is where room
 * appears. At least one SM must have room.
 * SOURCE: Olmedo et al., RTAS 2020: texture clusters first; H200, cuda/calib/dispatch: GPC by GPC.
 * LEFT OUT: with which GPC a launch begins differs from launch to launch on an H200.
 */
#include "policy/policies.h"

struct round_robin {
    uint32_t position; /* index in the order of visits */
};

static uint32_t pick(void *state, const struct simsm_sm_view *sms, uint32_t count, int freed)
{
    struct round_robin *rr = state;
    if (freed >= 0 && sms[freed].free_blocks)
        return (uint32_t)freed;
    for (;;) {
        uint32_t sm = sms[rr->position].visit;
        rr->position = (rr->position + 1) % count;
        if (sms[sm].free_blocks)
            return sm;
    }
}

const struct simsm_dispatcher disp_round_robin = {
    .name = "round_robin",
    .summary =
        "one block to each SM in turn, in the GPU's order; freed places are refilled at once",
    .state_size = sizeof(struct round_robin),
    .pick = pick,
};
