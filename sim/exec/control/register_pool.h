/* Registers that the warps of a block give to one another (setmaxnreg, sm_90). */
#ifndef SIM_EXEC_CONTROL_REGISTER_POOL_H
#define SIM_EXEC_CONTROL_REGISTER_POOL_H

#include "exec/control/exec_grid.h"

/* USETMAXREG: gives registers to the block, or takes some. */
exec_control_fn register_pool_change;

#endif
