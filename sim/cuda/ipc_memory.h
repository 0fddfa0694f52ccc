/*
 * Device memory that processes of one machine share (cudaIpcGetMemHandle). Memory of a process is
 * private to it; its first handle moves the allocation into a file in memory, at the same address
 * of the host, which other processes map. Every function is called with the runtime's lock held.
 */
#ifndef SIM_CUDA_IPC_MEMORY_H
#define SIM_CUDA_IPC_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda/abi.h"
#include "exec/memory/device_memory.h"

/*
 * Writes the handle of the allocation that has `address`, always the same one. Fails if it is not
 * memory of cudaMalloc or cudaMallocPitch of this process.
 */
enum cuda_error ipc_export(struct device_memory *memory, uint64_t address,
                           struct cuda_ipc_handle *handle);
/* Returns whether ipc_export would give a handle. */
bool ipc_can_export(const struct device_memory *memory, uint64_t address);
/* Makes the handle of the allocation at `address` invalid, before the allocation is freed. */
void ipc_withdraw(struct device_memory *memory, uint64_t address);

/*
 * Maps the memory of another process's handle; *address: where. If it is mapped already, the same
 * address counts once more.
 */
enum cuda_error ipc_open(struct device_memory *memory, const struct cuda_ipc_handle *handle,
                         uint64_t *address);
/* Counts `address` once less, and unmaps it with the last. Returns false if nothing is mapped
 * there. */
bool ipc_close(struct device_memory *memory, uint64_t address);

/* Unmaps the memory of other processes and makes all handles invalid. */
void ipc_destroy(void);

#endif
