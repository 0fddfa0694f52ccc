/*
 * A program without machine code for the GPU may have PTX for an older one: a GPU's driver compiles
 * that. The driver's compiler is also a program of the toolkit, ptxas, which is asked here.
 */
#ifndef SIM_CUDA_ASSEMBLE_H
#define SIM_CUDA_ASSEMBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sass/image/sass_module.h"
#include "simsm/error.h"

/* The newest PTX of the file that can become code for `sm`, loaded; NULL: there is none. */
const struct sass_image *assemble_pick(const struct sass_file *file, uint32_t sm);

/* Whether data of the program are the text of PTX, not in a fatbin: fills *image then. */
bool assemble_is_ptx(const void *data, size_t size, struct sass_image *image);

/*
 * Compiles it: *cubin, of *size bytes, is the caller's to free, and `assembler` the ptxas that did
 * it. It is looked for in PATH, then in $CUDA_HOME/bin and /usr/local/cuda/bin. Fails if there is
 * none, or with what it says.
 */
enum simsm_status assemble(const struct sass_image *ptx, uint32_t sm, char **cubin, size_t *size,
                           char *assembler, size_t assembler_size, struct simsm_error *error);

#endif
