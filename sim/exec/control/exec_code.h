/*
 * The instructions of a kernel, decoded and prepared. They stay with the loaded module, because
 * programs launch a kernel many times: a launch only fills in its constants.
 */
#ifndef SIM_EXEC_CONTROL_EXEC_CODE_H
#define SIM_EXEC_CONTROL_EXEC_CODE_H

#include "exec/control/exec_grid.h"

struct exec_code {
    const struct sass_kernel *kernel;
    double clock_mhz; /* for which NANOSLEEP was prepared */
    uint32_t steps, rows;
    bool races;
    struct sass_inst *decoded; /* [steps] */
    struct inst *lowered;      /* [steps] */
    const char **source;       /* [steps] */
    char **text;               /* [steps] as disassemblers write it */
    struct exec_step *step;    /* [steps + 1], with the constants of the first launch */
    uint32_t *constant;        /* [constants] steps with operands in constant banks */
    uint32_t constants;
    uint32_t users;         /* launches that have it */
    struct exec_code *next; /* in the module's list, the one used last first */
};

/* Finds or prepares the code of grid->kernel, and gives it to the grid, whose module and constant
 * banks are known. Returns SIMSM_BAD_INPUT if the kernel has no code at its entry. Launches of a
 * module must not be created by several threads at once. */
enum simsm_status exec_code_take(struct exec_grid *grid, struct simsm_error *error);
/* Ends the grid's use of its code. */
void exec_code_leave(struct exec_grid *grid);
/* Frees a module's list, of which no grid has code. */
void exec_code_free(struct exec_code *list);

#endif
