/* Executes the instructions of a warp one by one, as the warp issues them. */
#ifndef SIM_EXEC_CONTROL_ISSUE_H
#define SIM_EXEC_CONTROL_ISSUE_H

#include "exec/control/exec_grid.h"

/* Sets *at and *lanes to the instruction that the warp issues next and the lanes of its group.
 * Returns false if the warp waits for other warps or for the exchange. */
bool issue_next(struct exec_slot *slot, uint32_t *at, uint32_t *lanes);

/*
 * Asks the processor for the registers of instruction `at`, which the warp issues next. Registers
 * of all SMs do not fit into its caches: without this, a matrix product on an H200 takes 8 %
 * longer.
 */
void issue_prefetch(const struct exec_grid *grid, const struct exec_slot *slot, uint32_t at);

/*
 * Executes that instruction; grid->cycle is the cycle of issue. Fills *inst but for `token`, which
 * it sets for instructions whose class says so (model/inst.h), and for NANOSLEEP: the cycles.
 * grid->addresses has the addresses of an access. If the launch fails or has failed, *inst is the
 * last instruction of the warp.
 */
void issue_execute(struct exec_grid *grid, struct exec_slot *slot, struct warp_inst *inst);

/* Returns whether the warp only goes on if others change memory, or come to a barrier. Sets *polls
 * if it polls memory. */
bool issue_only_waits(const struct exec_slot *slot, bool *polls);

/* Prepares a block for exec_block_describe(): its groups get the state of what they wait for. Warps
 * that have gone past a BAR go back to it, and warps that poll spin. The launch must have failed.
 */
void issue_show_waits(struct exec_block *block);

#endif
