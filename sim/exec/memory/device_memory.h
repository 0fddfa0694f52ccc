/* The memory of the device: allocations at reproducible addresses, zero until written, and which
 * allocation an address belongs to. */
#ifndef SIM_EXEC_MEMORY_DEVICE_MEMORY_H
#define SIM_EXEC_MEMORY_DEVICE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simsm/error.h"

/*
 * Device addresses begin here; the same allocations in the same order get the same addresses.
 * Freed addresses are not given out again until the space is used up, so that a use after free is
 * found.
 */
#define DEVICE_BASE UINT64_C(0x200000000000) /* Linux maps nothing of its own here */

/* Bytes of memory that a device has, if nobody says otherwise. */
#define DEVICE_MEMORY (UINT64_C(16) << 30)

struct device_memory;
struct sanitizer;

struct device_allocation {
    uint64_t address, size; /* bytes */
    uint64_t
        heap_piece; /* bytes of the heap that it takes; 0: malloc in a kernel has not given it */
    bool freed;
    uint32_t made_by, freed_by; /* calls, as struct sanitizer numbers them */
    char name[64];              /* "cudaMalloc #3", "table", a __device__ variable */
    uint8_t *host;              /* mapped with device_map: where it lies on the host; else NULL */
};

/* Creates a device memory in which at most `bytes` bytes can be in use. Pages that were never
 * touched cost the host nothing. The caller destroys it. */
enum simsm_status device_memory_create(struct device_memory **memory, uint64_t bytes,
                                       struct simsm_error *error);
void device_memory_destroy(struct device_memory *memory);

/* Tells the sanitizer of allocations from now on, which begin unwritten. */
void device_watch(struct device_memory *memory, struct sanitizer *sanitizer);
/* Returns how many bytes of addresses from DEVICE_BASE on allocations may have. */
uint64_t device_address_bytes(const struct device_memory *memory);
/* The allocation holds values from its begin on: variables of a module. */
void device_holds_values(struct device_memory *memory, uint64_t address);

/* Aligned to 512 bytes, zero. 0: no room. Size 0 is taken for 1. */
uint64_t device_alloc(struct device_memory *memory, uint64_t size, const char *name);

/* Bytes of the heap for malloc in kernels, if device_set_heap does not say otherwise. */
#define DEVICE_HEAP (UINT64_C(8) << 20)

/* As device_alloc, for malloc in a kernel. 0: the heap or the memory has no room (device_heap.h).
 */
uint64_t device_malloc(struct device_memory *memory, uint64_t size);
/* Sets the size of the heap. False: a kernel has called malloc, which settles the size. */
bool device_set_heap(struct device_memory *memory, uint64_t bytes);

/* False: not the address of an allocation, or freed before. */
bool device_free(struct device_memory *memory, uint64_t address);

/* Returns where bytes [address, address + size) lie on the host, or NULL unless one live allocation
 * contains all of them. */
void *device_pointer(struct device_memory *memory, uint64_t address, uint64_t size);

/*
 * Where bytes lie that are outside of allocations, but on a page of 2 MiB that has a live one or is
 * the last before a live one of at least 1 MiB: a GPU lets them be read and written (an H200 has
 * memory of its own before the first). NULL: it does not.
 */
void *device_slack(struct device_memory *memory, uint64_t address, uint64_t size);

/* A live allocation: its device address and where it lies on the host. device_span returns the
 * allocation that contains `address`; size 0: there is none. */
struct device_span {
    uint64_t address, size;
    uint8_t *host;
};
struct device_span device_span(const struct device_memory *memory, uint64_t address);

/*
 * Lets the device access `size` bytes that lie at `host` under `address`: memory of the program
 * (there `address` is where it lies), or device memory that a program maps itself. The caller keeps
 * the bytes until device_unmap. Returns false if size is 0, if some of the addresses are mapped
 * already, or if memory is short.
 */
bool device_map(struct device_memory *memory, uint64_t address, void *host, uint64_t size,
                const char *name);
/* Returns false if device_map has not mapped anything that begins at `address`. */
bool device_unmap(struct device_memory *memory, uint64_t address);

/* Counts `bytes` that are in use without an address. Returns false if there is no room for them. */
bool device_take(struct device_memory *memory, uint64_t bytes);
/* Counts `bytes` of device_take as free. */
void device_give_back(struct device_memory *memory, uint64_t bytes);

/* Returns the allocation that contains `address`, or the nearest one, freed allocations included;
 * NULL if there are none. */
const struct device_allocation *device_nearest(const struct device_memory *memory,
                                               uint64_t address);

/* Returns the bytes in use, and the limit. */
void device_memory_info(const struct device_memory *memory, uint64_t *used, uint64_t *total);

/*
 * For taking back what a launch has done (undo.h). device_mark: the address from which on
 * device_malloc gives memory now,
 * and where on the host that begins and ends.
 */
uint64_t device_mark(struct device_memory *memory, const uint8_t **host, const uint8_t **host_end);
/* Forgets what device_malloc gave since device_mark gave `mark`: the same addresses come again. */
void device_rewind(struct device_memory *memory, uint64_t mark);
/* Takes a device_free back; the bytes are zero. The allocation must be older than the mark. */
void device_revive(struct device_memory *memory, uint64_t address);

#endif
