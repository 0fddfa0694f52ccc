/* From machine code to steps that can be executed. */
#ifndef SIM_EXEC_CONTROL_PREPARE_H
#define SIM_EXEC_CONTROL_PREPARE_H

#include "exec/control/exec_grid.h"

/* Fills step, decoded, lowered and span of a grid whose kernel and banks are known. */
enum simsm_status exec_prepare(struct exec_grid *grid, struct simsm_error *error);

#endif
