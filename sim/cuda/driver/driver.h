/*
 * The driver API on top of the runtime API: a layer without state of the device's. Handles of
 * streams, events, arrays and graphs are the same in both; a module is a library of the runtime
 * (cudaLibrary*), a function a kernel of it.
 */
#ifndef SIM_CUDA_DRIVER_DRIVER_H
#define SIM_CUDA_DRIVER_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

/* CUresult, whose numbers are those of the runtime's errors but for the first hundred. */
enum {
    DRIVER_SUCCESS = 0,
    DRIVER_INVALID_VALUE = 1,
    DRIVER_OUT_OF_MEMORY = 2,
    DRIVER_INVALID_DEVICE = 101,
    DRIVER_INVALID_CONTEXT = 201,
    DRIVER_NOT_FOUND = 500,
    DRIVER_CONTEXT_IS_DESTROYED = 709,
    DRIVER_NOT_SUPPORTED = 801
};

/* Writes the address of a function of the runtime, that which the program uses if it uses one, into
 * *function, a pointer to functions; NULL if there is none. */
void driver_find(const char *name, void *function);

/* An error of the runtime as one of the driver. */
int driver_result(int error);

/* Declares `call` as a pointer to a function of the runtime, and finds that. */
#define DRIVER_RUNTIME(call, name, types)                                                          \
    int(*call) types;                                                                              \
    driver_find(name, &call)

#endif
