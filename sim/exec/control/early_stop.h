/* Ends a launch early: on request of the observer, or when max_instructions is reached. */
#ifndef SIM_EXEC_CONTROL_EARLY_STOP_H
#define SIM_EXEC_CONTROL_EARLY_STOP_H

#include "exec/control/exec_block.h"

/* Returns SIMSM_INTERRUPTED if the observer wants the launch to end, SIMSM_LIMIT if
 * max_instructions is reached, else SIMSM_OK. */
enum simsm_status exec_early_end(const struct exec_grid *grid);

/* Ends the launch for that reason, with a message that names the place of the slot. NULL: no block
 * runs. */
void exec_end_early(struct exec_grid *grid, enum simsm_status why, const struct exec_slot *slot);

/* Ends the launch if exec_early_end() gives a reason. Returns whether it has ended, for this or
 * another reason. */
bool exec_ends_early(struct exec_grid *grid, const struct exec_slot *slot);

#endif
