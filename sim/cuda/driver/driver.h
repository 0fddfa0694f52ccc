/*
 * The driver API, by functions of the runtime API. Handles of streams, events, arrays and graphs
 * are the same in both APIs. A module is a library of the runtime (cudaLibrary*), and a function is
 * a kernel of a library.
 */
#ifndef SIM_CUDA_DRIVER_DRIVER_H
#define SIM_CUDA_DRIVER_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

#include "cuda/abi.h"

/* CUresult. From number 100 on, the numbers are those of the runtime's errors. */
enum {
    DRIVER_SUCCESS = 0,
    DRIVER_INVALID_VALUE = 1,
    DRIVER_OUT_OF_MEMORY = 2,
    DRIVER_NOT_INITIALIZED = 3,
    DRIVER_INVALID_DEVICE = 101,
    DRIVER_INVALID_IMAGE = 200,
    DRIVER_INVALID_CONTEXT = 201,
    DRIVER_INVALID_PTX = 218,
    DRIVER_JIT_COMPILER_NOT_FOUND = 221,
    DRIVER_INVALID_SOURCE = 300,
    DRIVER_FILE_NOT_FOUND = 301,
    DRIVER_INVALID_HANDLE = 400,
    DRIVER_NOT_FOUND = 500,
    DRIVER_CONTEXT_IS_DESTROYED = 709,
    DRIVER_NOT_SUPPORTED = 801,
    DRIVER_UNKNOWN = 999
};

/* Returns the driver error for an error of the runtime. */
int driver_result(enum cuda_error error);

#endif
