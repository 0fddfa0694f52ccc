/* Makes the constant banks of a launch. */
#ifndef SIM_EXEC_MEMORY_CONSTANT_BANK_H
#define SIM_EXEC_MEMORY_CONSTANT_BANK_H

#include "exec/control/exec_grid.h"

/* Fills grid->bank. `params` are the kernel->param_bytes bytes of the kernel's parameters; they are
 * copied. Returns SIMSM_BAD_INPUT if they do not fit into bank 0. */
enum simsm_status exec_constants_make(struct exec_grid *grid, const void *params,
                                      struct simsm_error *error);

/* Returns whether an instruction reads the address of the grid barrier's workspace, which a launch
 * that is not cooperative does not have. */
bool exec_reads_workspace(const struct exec_grid *grid, const struct sass_inst *sass);

#endif
