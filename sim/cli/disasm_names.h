/* What simsm disasm says of a kernel that is not there. */
#ifndef SIM_CLI_DISASM_NAMES_H
#define SIM_CLI_DISASM_NAMES_H

#include "sass/image/sass_module.h"

/*
 * Fills the error: how many kernels the code for `sm` (0: any) in the file has, the one with the
 * nearest name, and those whose names hold `kernel`, or all if they are few. Reads all of the code.
 * Returns SIMSM_BAD_INPUT.
 */
enum simsm_status disasm_no_kernel(const struct sass_file *file, const char *path,
                                   const char *kernel, uint32_t sm, struct simsm_error *error);

#endif
