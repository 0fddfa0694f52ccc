/*
 * Functions whose parameters differ between toolkits have one definition in each of runtime_11.c,
 * runtime_12.c and runtime_13.c, of which a library has one; what they share is declared here and
 * in cuda/graph_api.h and cuda/managed.h.
 */
#ifndef SIM_CUDA_ABI_ABI_FUNCTIONS_H
#define SIM_CUDA_ABI_ABI_FUNCTIONS_H

#include "cuda/cuda_managed.h"
#include "cuda/graph_api.h"
#include "cuda/properties.h"

enum cuda_error rt_get_properties_11(struct cuda_properties_11 *to, int device);
enum cuda_error rt_get_properties_13(struct cuda_properties_13 *to, int device);

#endif
