/*
 * Memory that the program and its kernels reach at the same addresses: managed memory, pinned
 * memory (cudaMallocHost, cudaHostAlloc) and what was registered (cudaHostRegister).
 */
#ifndef SIM_CUDA_HOST_MEMORY_H
#define SIM_CUDA_HOST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/memory/device_memory.h"
#include "simsm/error.h"

struct host_memory;

enum host_kind { HOST_MANAGED, HOST_PINNED, HOST_REGISTERED };

struct host_block {
    void *address;
    uint64_t size;   /* bytes, as asked for */
    uint64_t mapped; /* bytes, whole pages; 0: the program's own memory */
    enum host_kind kind;
    unsigned flags; /* as the program gave them */
};

/* `memory` outlives it. */
enum simsm_status host_memory_create(struct host_memory **host, struct device_memory *memory,
                                     struct simsm_error *error);
void host_memory_destroy(struct host_memory *host);

/* New memory, zero, whole pages; NULL: there is none. */
void *host_memory_new(struct host_memory *host, uint64_t size, enum host_kind kind, unsigned flags);

/* Registers the program's own memory; false: some of it is registered already. */
bool host_memory_register(struct host_memory *host, void *address, uint64_t size, unsigned flags);

/* The block that has `address`, or NULL. */
const struct host_block *host_memory_find(const struct host_memory *host, const void *address);

/* Gives a block back that begins at `address`; false: there is none of this kind. */
bool host_memory_free(struct host_memory *host, void *address, enum host_kind kind);

#endif
