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

/* Writes the argument of ptxas and nvlink for code of this PTX on `sm`, such as "-arch=sm_90a". */
enum { ASSEMBLE_ARCH = 32 };
void assemble_arch(const struct sass_image *ptx, uint32_t sm, char arch[ASSEMBLE_ARCH]);

/*
 * Compiles PTX for `sm`. *cubin, of *size bytes, is the caller's to free; `assembler` receives the
 * path of the ptxas used. `option`: one more option of ptxas, such as "-c"; NULL: none. Returns
 * SIMSM_FAILED if there is no ptxas, and SIMSM_BAD_INPUT, with the first line that ptxas printed,
 * if it refuses the PTX.
 */
enum simsm_status assemble(const struct sass_image *ptx, uint32_t sm, const char *option,
                           char **cubin, size_t *size, char *assembler, size_t assembler_size,
                           struct simsm_error *error);

#endif
