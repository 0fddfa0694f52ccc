/* The error of `simsm disasm --kernel NAME` for a kernel that the file does not have. */
#ifndef SIM_CLI_DISASM_NAMES_H
#define SIM_CLI_DISASM_NAMES_H

#include "sass/image/sass_module.h"

/*
 * Fills *error with the number of kernels that the file has for sm_`sm` (0: any), the kernel with
 * the nearest name, and the kernels whose names contain `kernel`. If there are few kernels, names
 * all of them. Decodes the whole file. Returns SIMSM_BAD_INPUT.
 */
enum simsm_status disasm_no_kernel(const struct sass_file *file, const char *path,
                                   const char *kernel, uint32_t sm, struct simsm_error *error);

#endif
