/* Ends a launch early: on request of the observer, or when max_instructions is reached. */
#ifndef SIM_EXEC_CONTROL_EARLY_STOP_H
#define SIM_EXEC_CONTROL_EARLY_STOP_H

#include "exec/control/exec_block.h"

/* Ends the launch if the observer asks for it or max_instructions is reached, with a message that
 * names the place of the slot. Returns whether the launch has ended, for these or other reasons. */
bool exec_ends_early(struct exec_block *block, const struct exec_slot *slot);

#endif
