/* Products of warp groups (wgmma): when the tensor core takes them, and when they end. */
#ifndef SIM_CORE_GMMA_H
#define SIM_CORE_GMMA_H

#include "core/sm_state.h"

/* WARPGROUP.ARRIVE: a warp meets the others of its warp group. */
void gmma_arrive(struct sm *sm, struct sub *sub, unsigned slot);
/* Returns whether an instruction does not issue before the warp group has met. */
bool gmma_needs_group(uint8_t op);

/* Notes a product that a warp issues now. It runs on its own; WARPGROUP.DEPBAR waits for it. */
void gmma_issue(struct sm *sm, struct sub *sub, struct warp *warp, const struct inst *inst);

/* Returns the first cycle from `now` on in which the running product leaves the dispatch port to
 * other instructions. */
uint64_t gmma_leaves_dispatch(const struct sub *sub, const struct simsm_config *config,
                              uint64_t now);

/* Returns the cycles that an access to shared memory takes now instead of `cycles`: products read
 * their operands first. */
uint32_t gmma_leaves_shared(struct sm *sm, uint32_t cycles);

/* Returns the cycle at which all but the last `outstanding` closed groups of the warp's products
 * have ended. */
uint64_t gmma_group_done(const struct warp *warp, unsigned outstanding);

#endif
