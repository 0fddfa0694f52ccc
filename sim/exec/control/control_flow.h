/* Instructions that act on the warp itself: branches, convergence, barriers, exit. */
#ifndef SIM_EXEC_CONTROL_CONTROL_FLOW_H
#define SIM_EXEC_CONTROL_CONTROL_FLOW_H

#include "exec/control/exec_grid.h"

/* Fills kind, control, target and what inst needs of *step, if it is such an instruction; the code
 * has `steps`. False: it is none, or (*why is set) not supported. */
bool exec_prepare_control(struct exec_step *step, const struct sass_inst *sass, uint32_t steps,
                          const char **why);

/* Named barriers whose last missing threads have exited open. */
void exec_barriers_check(struct exec_block *block);

/* BAR: barrier.c */
exec_control_fn exec_bar;
/* Which barrier and mode; false: not supported. */
bool exec_prepare_bar(struct exec_step *step, const char **why);
/* B2R */
exec_fn exec_b2r;

/* WARPSYNC: warpsync.c */
exec_control_fn exec_warpsync;

#endif
