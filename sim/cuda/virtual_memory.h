/*
 * Memory that a program maps itself: ranges of addresses, memory without addresses, and which of it
 * lies where. Each page of a range is reachable once it is mapped and has been given access;
 * neighbours that are reachable are one allocation for everyone else, so that a tensor or an array
 * may lie across them. Every function is called with the runtime's lock held.
 */
#ifndef SIM_CUDA_VIRTUAL_MEMORY_H
#define SIM_CUDA_VIRTUAL_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/memory/device_memory.h"

/* Sizes and addresses are multiples of this many bytes, as on an H200. */
#define VIRTUAL_GRANULE (UINT64_C(2) << 20)

/* What kernels, copies and fills may do with a mapping, as in CUmemAccess_flags. */
enum virtual_access { VIRTUAL_NONE = 0, VIRTUAL_READ = 1, VIRTUAL_READ_WRITE = 3 };

/* Memory without addresses: a file in memory, so that it can lie at several addresses, and in
 * several processes. */
struct physical_memory;

/*
 * Reserves `size` bytes of addresses at a multiple of `alignment` (0: VIRTUAL_GRANULE), at `hint`
 * if that is free. Returns 0 if there is no room.
 */
uint64_t virtual_reserve(uint64_t size, uint64_t alignment, uint64_t hint);
/* Returns false unless exactly this range was reserved and nothing is mapped in it. */
bool virtual_release(uint64_t address, uint64_t size);

/* Takes addresses that the program can neither map nor release; 0: there are none. */
uint64_t virtual_take(uint64_t size);
/* Returns false unless virtual_take gave the address. */
bool virtual_give_back(uint64_t address);

/* Creates memory; the caller releases it with physical_release. Returns NULL if there is no room.*/
struct physical_memory *physical_create(struct device_memory *memory, uint64_t size,
                                        uint32_t handle_types);
/* Memory of another process, by the file that it has sent. `file` stays the caller's. */
struct physical_memory *physical_import(int file);
/* Returns the memory of this handle; NULL if there is none, or its references were given back. */
struct physical_memory *physical_find(const void *handle);
/* As physical_find, and also finds memory whose references were given back, while it is mapped. */
struct physical_memory *physical_find_mapped(const void *handle);
/* Gives back one reference: of physical_create, physical_import or virtual_retain. The memory stays
 * while it is mapped. */
void physical_release(struct device_memory *memory, struct physical_memory *physical);
uint64_t physical_size(const struct physical_memory *physical);
/* The kinds of handles that the memory was created for. */
uint32_t physical_handle_types(const struct physical_memory *physical);
/* Returns a new descriptor of the file, for another process; -1 on failure. The caller closes it.
 */
int physical_export(const struct physical_memory *physical);

/*
 * Maps `physical` at `address`. Returns false if the addresses are not all in one reserved range,
 * or some are mapped.
 */
bool virtual_map(uint64_t address, struct physical_memory *physical);
/*
 * Unmaps what is mapped in [address, address + size), as far as the reserved range reaches. Returns
 * false if size is 0, if `address` is not reserved, or if the addresses cut a mapping.
 */
bool virtual_unmap(struct device_memory *memory, uint64_t address, uint64_t size);
/*
 * Sets the access to the mappings from `address` on, up to the first hole between them. Returns
 * false if the addresses are not all in one reserved range, if the first or the last of them is not
 * mapped, or if they cut a mapping.
 */
bool virtual_set_access(struct device_memory *memory, uint64_t address, uint64_t size,
                        enum virtual_access access);

/* Frees all ranges, mappings and memory, when the device goes that they belong to. */
void virtual_destroy(void);

/* Returns whether some of the addresses are mapped for reading alone. */
bool virtual_is_read_only(uint64_t address, uint64_t size);

/* A mapping; `physical` NULL: the address is not mapped. */
struct virtual_mapping {
    uint64_t address, size;
    struct physical_memory *physical;
    enum virtual_access access;
};
/* Sets *address and *size to the reserved range that has `at`. Returns false if there is none. */
bool virtual_range_at(uint64_t at, uint64_t *address, uint64_t *size);
struct virtual_mapping virtual_mapping_at(uint64_t address);
/* As virtual_mapping_at, with one more reference to the memory, for physical_release. */
struct physical_memory *virtual_retain(uint64_t address);

#endif
