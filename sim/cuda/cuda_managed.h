/*
 * Hints about managed memory. The arguments are checked; the hints have no effect, because program
 * and kernels reach managed memory at the same place.
 */
#ifndef SIM_CUDA_CUDA_MANAGED_H
#define SIM_CUDA_CUDA_MANAGED_H

#include "cuda/runtime.h"

/* Checks the arguments of cudaMemAdvise. `device`: 0, or -1 for the host. */
enum cuda_error managed_advise(const char *function, const void *pointer, size_t size, int device);
/* Checks the arguments of cudaMemPrefetchAsync. `device`: 0, or -1 for the host. */
enum cuda_error managed_prefetch(const char *function, const void *pointer, size_t size, int device,
                                 void *stream);
/* Returns the device of a location: its number, -1 for the host, -2 if the location is neither. */
int managed_device(const struct cuda_mem_location *location);

#endif
