/*
 * Finds the memory behind an address that the program passes: device, managed, pinned or ordinary.
 */
#ifndef SIM_CUDA_MEMORY_LOCATE_H
#define SIM_CUDA_MEMORY_LOCATE_H

#include "cuda/host_memory.h"
#include "cuda/runtime.h"

struct located_memory {
    uint8_t *host;  /* where simsm reads and writes the bytes */
    bool device;    /* kernels reach the memory */
    bool exclusive; /* only kernels reach it: the program cannot */
};

/*
 * Finds `size` bytes at `address`. An address outside of all memory that the device knows is taken
 * for the program's own memory. Prints a message and returns CUDA_INVALID_VALUE if the bytes are
 * not in one allocation; the message calls the argument `what`, such as "dst".
 */
enum cuda_error memory_locate(const struct runtime *rt, const void *address, uint64_t size,
                              const char *what, struct located_memory *place);

#endif
