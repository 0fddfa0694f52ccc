/* The constant banks of a launch. */
#ifndef SIM_EXEC_MEMORY_CONSTANT_BANK_H
#define SIM_EXEC_MEMORY_CONSTANT_BANK_H

#include "exec/control/exec_grid.h"

/* Fills grid->bank. `params`: kernel->param_bytes bytes, copied. */
enum simsm_status exec_constants_make(struct exec_grid *grid, const void *params,
                                      struct simsm_error *error);

#endif
