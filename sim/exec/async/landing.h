/*
 * Copies (TMA) that a barrier in shared memory has yet to count: the timing model says when a copy
 * has landed.
 */
#ifndef SIM_EXEC_ASYNC_LANDING_H
#define SIM_EXEC_ASYNC_LANDING_H

#include "exec/control/exec_grid.h"

/* Notes that `bytes` of the copy that the exchange executes count at the barrier at `address` when
 * it has landed. Fails the launch if memory is short. */
void landing_note(struct exec_warp *warp, const struct exec_inst *inst, uint32_t address,
                  uint32_t bytes);

/* Copy `number` of the SM has landed: the barriers that it names count its bytes. */
void landing_count(struct exec_grid *grid, uint32_t number);

/* All copies of the SM have landed. */
void landing_count_all(struct exec_grid *grid);

#endif
