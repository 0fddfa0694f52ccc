/* What a program does wrong, in one line: what, where in the code, which block and thread. */
#ifndef SIM_EXEC_CONTROL_FAULT_H
#define SIM_EXEC_CONTROL_FAULT_H

#include "exec/control/exec_grid.h"

enum { EXEC_PLACE_TEXT = 400 };

/* Writes "kernel+0x120 (IADD3 R1, ...), file.cu:12" for instruction `at`; returns `text`. */
char *exec_place(const struct exec_grid *grid, uint32_t at, char text[EXEC_PLACE_TEXT]);

/* Ends the launch as failed, if nothing else has already. `lane`: of the thread that did it. */
void exec_fault(const struct exec_warp *warp, const struct exec_inst *inst, uint32_t lane,
                enum exec_failure failure, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Ends the launch with `status` and this message. */
void exec_stop(struct exec_grid *grid, enum simsm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
