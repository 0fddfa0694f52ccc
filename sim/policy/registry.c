/* The built-in policies, by kind. Configurations choose by name. */
#include "policy/policies.h"

const struct simsm_scheduler *const simsm_schedulers[] = {
    &sched_gto, &sched_gty, &sched_lrr, &sched_oldest, &sched_two_level, NULL,
};

const struct simsm_dispatcher *const simsm_dispatchers[] = {
    &disp_round_robin,
    &disp_fill,
    NULL,
};
