/*
 * The driver API as a layer over the runtime API; the layer has no state of the device. Handles of
 * streams, events, arrays and graphs are the same in both APIs. A module is a library of the
 * runtime (cudaLibrary*), and a function is a kernel of a library.
 */
#ifndef SIM_CUDA_DRIVER_DRIVER_H
#define SIM_CUDA_DRIVER_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

/* CUresult. From number 100 on, the numbers are those of the runtime's errors. */
enum {
    DRIVER_SUCCESS = 0,
    DRIVER_INVALID_VALUE = 1,
    DRIVER_OUT_OF_MEMORY = 2,
    DRIVER_INVALID_DEVICE = 101,
    DRIVER_INVALID_CONTEXT = 201,
    DRIVER_INVALID_HANDLE = 400,
    DRIVER_NOT_FOUND = 500,
    DRIVER_CONTEXT_IS_DESTROYED = 709,
    DRIVER_NOT_SUPPORTED = 801
};

/*
 * Writes the address of the runtime's function `name` into *function, which must be a pointer to a
 * function; NULL with a message if the runtime has no such function. Uses the runtime that the
 * program has loaded.
 */
void driver_find(const char *name, void *function);

/* Returns the driver error for an error of the runtime. */
int driver_result(int error);

/* Declares `call` as a pointer to a function of the runtime, and finds the function. */
#define DRIVER_RUNTIME(call, name, types)                                                          \
    int(*call) types;                                                                              \
    driver_find(name, &call)

#endif
