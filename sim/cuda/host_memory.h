/*
 * Memory that a program and its kernels reach at the same addresses: managed memory, pinned memory
 * (cudaMallocHost, cudaHostAlloc) and registered memory (cudaHostRegister).
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
    uint64_t size;   /* size that the program asked for, bytes */
    uint64_t mapped; /* whole pages, bytes; 0: the program's own memory */
    enum host_kind kind;
    unsigned flags; /* flags of the program's call */
    uint8_t
        *page; /* simsm check: states of the whole pages (host_watch.c); NULL: all open; owned */
};

/*
 * Creates an empty list of blocks. `memory` must outlive it. Fails if out of memory or if /dev/zero
 * cannot be opened.
 */
enum simsm_status host_memory_create(struct host_memory **host, struct device_memory *memory,
                                     struct simsm_error *error);
/* Unregisters and unmaps all blocks. NULL is allowed. */
void host_memory_destroy(struct host_memory *host);

/*
 * Allocates whole pages of zeros and registers them. `size`: bytes, at most 2^43. Returns NULL on
 * failure.
 */
void *host_memory_new(struct host_memory *host, uint64_t size, enum host_kind kind, unsigned flags);

/*
 * Registers the program's own memory. Returns false if a part of it is registered already, or if
 * out of memory.
 */
bool host_memory_register(struct host_memory *host, void *address, uint64_t size, unsigned flags);

/*
 * Returns the block that contains `address`; NULL if there is none. The pointer is valid until the
 * next change of the list.
 */
const struct host_block *host_memory_find(const struct host_memory *host, const void *address);

/* Returns whether there is a block of `kind`. */
bool host_memory_has(const struct host_memory *host, enum host_kind kind);

/*
 * Unregisters and unmaps the block of `kind` that begins at `address`. Returns false if there is no
 * such block.
 */
bool host_memory_free(struct host_memory *host, void *address, enum host_kind kind);

/* The blocks, in any order: how many there are, and number `index` of them. */
size_t host_memory_count(const struct host_memory *host);
struct host_block *host_memory_block(const struct host_memory *host, size_t index);

#endif
