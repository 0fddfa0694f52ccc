/* Hints about managed memory: checked, and without effect, as all of it is where both reach it. */
#ifndef SIM_CUDA_CUDA_MANAGED_H
#define SIM_CUDA_CUDA_MANAGED_H

#include "cuda/runtime.h"

/* `device` is a device or -1, the host. */
enum cuda_error managed_advise(const char *function, const void *pointer, size_t size, int device);
enum cuda_error managed_prefetch(const char *function, const void *pointer, size_t size, int device,
                                 void *stream);
/* The device of a location; -2: there is none. */
int managed_device(const struct cuda_mem_location *location);

#endif
