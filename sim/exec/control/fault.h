/* Ends a launch whose program makes a mistake, with one line: what, where in the code, which thread
 * and block. */
#ifndef SIM_EXEC_CONTROL_FAULT_H
#define SIM_EXEC_CONTROL_FAULT_H

#include "exec/control/exec_grid.h"

enum { EXEC_PLACE_TEXT = 400 };

/* Writes the place of instruction `at` to `text`, as in "kernel+0x120 (IADD3 R1, ...) in
 * file.cu:12". Returns `text`. */
char *exec_place(const struct exec_grid *grid, uint32_t at, char text[EXEC_PLACE_TEXT]);

/* Fails the launch, unless it has failed already. `lane` is the lane of the warp whose thread made
 * the mistake; the message is made from `format`, the instruction, the thread and the block. */
void exec_fault(const struct exec_warp *warp, const struct exec_inst *inst, uint32_t lane,
                enum exec_failure failure, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Notes that the launch fails because threads of `block` wait for ever. */
void exec_deadlock(struct exec_grid *grid, const struct exec_block *block);

/* Returns true in a launch that is not recorded. In one that is, fails the launch: what `what` has
 * to wait for is not in recordings. */
bool exec_unrecorded(const struct exec_warp *warp, const struct exec_inst *inst, const char *what);

/* Ends the launch with `status` and this message, unless it has failed already. */
void exec_stop(struct exec_grid *grid, enum simsm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
