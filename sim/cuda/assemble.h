/*
 * Compiles PTX to machine code. A program without machine code for the GPU may hold PTX for an
 * older GPU, which a GPU's driver compiles. Here ptxas of the CUDA toolkit compiles it.
 */
#ifndef SIM_CUDA_ASSEMBLE_H
#define SIM_CUDA_ASSEMBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sass/image/sass_module.h"
#include "simsm/error.h"

/*
 * Returns the newest PTX image of the file that can be compiled for `sm`, with its data loaded;
 * NULL if the file has none. The file owns the image.
 */
const struct sass_image *assemble_pick(const struct sass_file *file, uint32_t sm);

/*
 * Returns whether the data are PTX text that is not in a fatbin. Fills *image if so; image->data
 * points to `data`.
 */
bool assemble_is_ptx(const void *data, size_t size, struct sass_image *image);

/*
 * Compiles PTX for `sm`. *cubin, of *size bytes, is the caller's to free; `assembler` receives the
 * path of the ptxas used. Searches PATH, then $CUDA_HOME/bin, then /usr/local/cuda/bin. Fails if
 * there is no ptxas, or with the first line that ptxas printed.
 */
enum simsm_status assemble(const struct sass_image *ptx, uint32_t sm, char **cubin, size_t *size,
                           char *assembler, size_t assembler_size, struct simsm_error *error);

#endif
