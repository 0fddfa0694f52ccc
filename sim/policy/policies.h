/* The policies that are built in, and the functions that they share. */
#ifndef SIM_POLICY_POLICIES_H
#define SIM_POLICY_POLICIES_H

#include "simsm/policy.h"

extern const struct simsm_scheduler sched_gto, sched_gty, sched_oldest, sched_lrr, sched_two_level;
extern const struct simsm_dispatcher disp_round_robin, disp_fill;

/* policy_oldest returns the slot of `mask` (not 0) whose warp was launched first, policy_youngest
 * the slot whose warp was launched last. */
int policy_oldest(const struct simsm_sched_view *view, uint64_t mask);
int policy_youngest(const struct simsm_sched_view *view, uint64_t mask);

/* Returns the slot of `mask` (not 0) whose warp has issued least recently. */
int policy_least_recent(const struct simsm_sched_view *view, uint64_t mask);

/* Returns the slots of `mask` (not 0) that hold warps of the block that was placed first. */
uint64_t policy_oldest_block(const struct simsm_sched_view *view, uint64_t mask);

/* Returns the lowest slot of `mask` (not 0) above `last`; if there is none, the lowest slot of
 * `mask`. */
int policy_next(uint64_t mask, int last);

#endif
