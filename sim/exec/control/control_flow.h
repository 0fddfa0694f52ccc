/* Instructions that act on the warp itself: branches, convergence barriers, barriers of the block,
 * exit. */
#ifndef SIM_EXEC_CONTROL_CONTROL_FLOW_H
#define SIM_EXEC_CONTROL_CONTROL_FLOW_H

#include "exec/control/exec_grid.h"

/*
 * Prepares a control instruction: fills kind, control, target and parts of inst of *step. The code
 * has `steps` instructions. Returns false if the instruction is no control instruction, or if it is
 * not supported; *why is then a static text.
 */
bool exec_prepare_control(struct exec_step *step, const struct sass_inst *sass, uint32_t steps,
                          const char **why);

/*
 * Executes a control instruction of the slot's running group, whose lanes are `active`; `lanes`:
 * those whose guard is true. Returns whether it has parted lanes (WARP_INST_DIVERGENT).
 */
bool exec_control(struct exec_block *block, struct exec_slot *slot, const struct exec_step *step,
                  uint32_t active, uint32_t lanes);

/* Opens the named barriers at which only threads that have exited were missing. */
void exec_barriers_check(struct exec_block *block);

/* BAR: block_barrier.c */
exec_control_fn exec_bar;
/* WARPGROUP.ARRIVE and WARPGROUP.WAIT: block_barrier.c */
exec_control_fn exec_warpgroup_meets;
/* Prepares a BAR. Returns false and sets *why if its mode is not supported. */
bool exec_prepare_bar(struct exec_step *step, const char **why);
/* B2R: reads the result of the last BAR.RED: block_barrier.c */
exec_fn exec_b2r;

/* WARPSYNC: warpsync.c */
exec_control_fn exec_warpsync;

#endif
