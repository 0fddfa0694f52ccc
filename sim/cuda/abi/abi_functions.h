/*
 * What runtime_11.c, runtime_12.c and runtime_13.c share: the functions whose parameters differ
 * between toolkits. Further shared functions are in cuda/graph_api.h and cuda/cuda_managed.h.
 */
#ifndef SIM_CUDA_ABI_ABI_FUNCTIONS_H
#define SIM_CUDA_ABI_ABI_FUNCTIONS_H

#include "cuda/cuda_managed.h"
#include "cuda/graph_api.h"
#include "cuda/properties.h"

/* Fills the struct of toolkits 11 and 12 (cudaGetDeviceProperties) for device 0. */
enum cuda_error rt_get_properties_11(struct cuda_properties_11 *to, int device);
/* Fills the struct of toolkit 13 for device 0. */
enum cuda_error rt_get_properties_13(struct cuda_properties_13 *to, int device);
/* Fills the first `size` bytes of the struct: toolkit 11 has fewer members. */
enum cuda_error rt_get_function_attributes(const char *function,
                                           struct cuda_func_attributes *attributes,
                                           const void *stub, size_t size);
/* Writes the version of a runtime, such as 13000. */
enum cuda_error rt_get_version(int *version, int toolkit);

#endif
