/* Launches that end early: who watches them asks for it, or as many instructions are not allowed.
 */
#ifndef SIM_FRONT_SASS_EXECUTE_EARLY_H
#define SIM_FRONT_SASS_EXECUTE_EARLY_H

#include "front/sass/execute/block.h"

/* True: the launch has ended or ends now, with a message that says where the slot stands. */
bool exec_ends_early(struct exec_block *block, const struct exec_slot *slot);

#endif
