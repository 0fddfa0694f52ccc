/* Where an address that the program passes lies. */
#ifndef SIM_CUDA_MEMORY_LOCATE_H
#define SIM_CUDA_MEMORY_LOCATE_H

#include "cuda/host_memory.h"
#include "cuda/runtime.h"

struct located_memory {
    uint8_t *host;  /* the bytes */
    bool device;    /* kernels reach them */
    bool exclusive; /* the program itself does not */
};

/*
 * Finds `size` bytes at `address`. What is in no memory that the device knows is taken for the
 * program's own. On failure says what is wrong; `what` names the argument ("dst").
 */
enum cuda_error memory_locate(const struct runtime *rt, const void *address, uint64_t size,
                              const char *what, struct located_memory *place);

#endif
