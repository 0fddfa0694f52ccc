/* The constant banks of a launch. */
#ifndef SIM_FRONT_SASS_EXECUTE_CONSTANTS_H
#define SIM_FRONT_SASS_EXECUTE_CONSTANTS_H

#include "front/sass/execute/grid.h"

/* Fills grid->bank. `params`: kernel->param_bytes bytes, copied. */
enum simsm_status exec_constants_make(struct exec_grid *grid, const void *params,
                                      struct simsm_error *error);

#endif
