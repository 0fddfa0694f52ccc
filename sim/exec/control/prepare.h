/* Turns the machine code of a kernel into steps, which can be executed. */
#ifndef SIM_EXEC_CONTROL_PREPARE_H
#define SIM_EXEC_CONTROL_PREPARE_H

#include "exec/control/exec_grid.h"

struct exec_code;

/* Decodes and prepares the code of grid->kernel. Returns SIMSM_BAD_INPUT if the kernel has no code
 * at its entry. */
enum simsm_status exec_prepare(struct exec_code **code, const struct exec_grid *grid,
                               struct simsm_error *error);

/* Prepares one of `steps` instructions for the constants in `bank`: constants may choose the
 * function that executes it. Members that find_races() and find_uniforms() set stay as they are. */
void exec_prepare_step(struct exec_step *step, const struct sass_inst *sass, uint32_t steps,
                       const struct exec_bank bank[EXEC_BANKS]);

/* Returns the cycles that NANOSLEEP sleeps. */
uint32_t exec_sleep_cycles(const struct exec_grid *grid, uint32_t nanoseconds);
/* The nanoseconds between two times at which such a NANOSLEEP can end. */
uint32_t exec_sleep_period(uint32_t nanoseconds);

#endif
