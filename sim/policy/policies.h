/* The policies that come with simsm, and what they share. */
#ifndef SIM_POLICY_POLICIES_H
#define SIM_POLICY_POLICIES_H

#include "simsm/policy.h"

extern const struct simsm_scheduler sched_gto, sched_gty, sched_oldest, sched_lrr, sched_two_level;
extern const struct simsm_dispatcher disp_round_robin, disp_fill;

/* The slot of `mask` (not 0) whose warp was launched first, or last. */
int policy_oldest(const struct simsm_sched_view *view, uint64_t mask);
int policy_youngest(const struct simsm_sched_view *view, uint64_t mask);

/* The slot of `mask` (not 0) whose warp has issued least recently. */
int policy_least_recent(const struct simsm_sched_view *view, uint64_t mask);

/* The slots of `mask` (not 0) that hold warps of the block that came first. */
uint64_t policy_oldest_block(const struct simsm_sched_view *view, uint64_t mask);

/* The lowest slot of `mask` (not 0) above `last`, or else the lowest of all. */
int policy_next(uint64_t mask, int last);

#endif
