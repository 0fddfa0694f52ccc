/*
 * Arrivals at barriers in shared memory (mbarrier) that have issued and have yet to count: the
 * timing model counts each when its access is answered.
 */
#ifndef SIM_EXEC_ASYNC_ARRIVALS_H
#define SIM_EXEC_ASYNC_ARRIVALS_H

#include "exec/control/exec_grid.h"

/* Notes the arrival that the warp has issued as `step`; its addresses are in grid->addresses. Fails
 * the launch if memory is short. */
void arrivals_note(struct exec_slot *slot, const struct exec_step *step, uint32_t lanes);

/* Counts the arrivals of `lanes` at `address`, which the warp has issued as `step`. */
void arrivals_count(struct exec_slot *slot, const struct exec_step *step, uint64_t address,
                    uint32_t lanes);

/* Counts all arrivals of the block that have yet to count, in the order of issue. */
void arrivals_count_all(struct exec_block *block);

#endif
