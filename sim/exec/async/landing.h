/*
 * Copies (TMA), and messages to other blocks of a cluster, that barriers in shared memory have yet
 * to count: the timing model says when they have landed.
 */
#ifndef SIM_EXEC_ASYNC_LANDING_H
#define SIM_EXEC_ASYNC_LANDING_H

#include "exec/async/mbarrier.h"
#include "exec/control/exec_grid.h"

/* Notes that what the exchange executes counts at the barrier at `address`, which may be in another
 * block of the cluster, when it has landed. Fails the launch if memory is short, or if there is no
 * such block. */
void landing_note(struct exec_warp *warp, const struct exec_inst *inst, uint32_t address,
                  const struct mbarrier_arrival *arrival);

/* What copy or message `number` of SM `from` has brought to the SM of `grid` is there. */
void landing_count(struct exec_grid *grid, uint32_t from, uint32_t number);

/* All has landed that is on its way to the SM. */
void landing_count_all(struct exec_grid *grid);

#endif
