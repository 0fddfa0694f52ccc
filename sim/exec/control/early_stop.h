/* Launches that end early: who watches them asks for it, or as many instructions are not allowed.
 */
#ifndef SIM_EXEC_CONTROL_EARLY_STOP_H
#define SIM_EXEC_CONTROL_EARLY_STOP_H

#include "exec/control/exec_block.h"

/* True: the launch has ended or ends now, with a message that says where the slot stands. */
bool exec_ends_early(struct exec_block *block, const struct exec_slot *slot);

#endif
