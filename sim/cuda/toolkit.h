/* Programs of the CUDA toolkit: ptxas and nvlink do what a GPU's driver does itself. */
#ifndef SIM_CUDA_TOOLKIT_H
#define SIM_CUDA_TOOLKIT_H

#include <stddef.h>

#include "simsm/error.h"

enum { TOOLKIT_PATH = 3000 };

/* Makes a folder for temporary files, which the caller removes. */
enum simsm_status toolkit_folder(char folder[TOOLKIT_PATH], struct simsm_error *error);

/*
 * Runs a program of the toolkit with these arguments (NULL-terminated). Searches PATH, then
 * $CUDA_HOME/bin, then /usr/local/cuda/bin; path[size] receives which one was started. Returns
 * SIMSM_FAILED if none can be, and SIMSM_BAD_INPUT, with the first line that it printed, if it
 * fails.
 */
enum simsm_status toolkit_run(const char *tool, const char *const *arguments, char *path,
                              size_t size, struct simsm_error *error);

#endif
