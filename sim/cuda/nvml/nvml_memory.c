/*
 * Memory and processes. A simulated GPU has memory for each process of its own: what is in use is
 * what this process has allocated, and no other process computes on it.
 */
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "cuda/abi/runtime_table.h"
#include "cuda/nvml/nvml_gpu.h"

int nvmlDeviceGetMemoryInfo(void *device, struct nvml_memory *memory);
int nvmlDeviceGetComputeRunningProcesses(void *device, unsigned *count,
                                         struct nvml_process_1 *process);
int nvmlDeviceGetComputeRunningProcesses_v2(void *device, unsigned *count,
                                            struct nvml_process *process);
int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count,
                                            struct nvml_process *process);

/*
 * Asks the driver, if the process has loaded it, how many bytes are in use. Returns false if the
 * process does not use the device.
 */
static bool used_here(uint64_t *used)
{
    int (*tables)(const void **table, const void *id) = NULL;
    const void *found = NULL;
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    void *symbol = driver ? dlsym(driver, "cuGetExportTable") : NULL;
    memcpy(&tables, &symbol, sizeof tables);
    *used = 0;
    if (tables && tables(&found, RUNTIME_TABLE_ID) != 0)
        found = NULL;
    const struct runtime_table *table = found;
    const bool uses = table && table->size == sizeof *table && table->memory_used(used);
    if (driver)
        (void)dlclose(driver);
    return uses;
}

int nvmlDeviceGetMemoryInfo(void *device, struct nvml_memory *memory)
{
    const struct nvml_gpu *gpu;
    uint64_t used;
    const int result = nvml_enter(device, memory, &gpu);
    if (result || !memory)
        return result ? result : NVML_INVALID_ARGUMENT;
    (void)used_here(&used);
    const uint64_t total = gpu->properties.totalGlobalMem;
    *memory = (struct nvml_memory){.total = total, .free = total - used, .used = used};
    return NVML_SUCCESS;
}

int nvmlDeviceGetMemoryInfo_v2(void *device, struct nvml_memory_2 *memory)
{
    struct nvml_memory found;
    if (memory && memory->version != (sizeof *memory | 2U << 24))
        return NVML_ARGUMENT_VERSION_MISMATCH;
    const int result = nvmlDeviceGetMemoryInfo(device, memory ? &found : NULL);
    if (result)
        return result;
    memory->total = found.total;
    memory->reserved = 0;
    memory->free = found.free;
    memory->used = found.used;
    return NVML_SUCCESS;
}

/*
 * Begins an answer with a list of processes of the device: *count is the room, and becomes the
 * number of processes. NVML_SUCCESS: the caller writes that many.
 */
static int count_processes(const void *device, unsigned *count, const void *list, uint64_t *used)
{
    const struct nvml_gpu *gpu;
    const int result = nvml_enter(device, count, &gpu);
    if (result)
        return result;
    const unsigned room = list ? *count : 0;
    *count = used_here(used) ? 1 : 0;
    return *count > room ? NVML_INSUFFICIENT_SIZE : NVML_SUCCESS;
}

int nvmlDeviceGetComputeRunningProcesses(void *device, unsigned *count,
                                         struct nvml_process_1 *process)
{
    uint64_t used;
    const int result = count_processes(device, count, process, &used);
    if (!result && *count)
        *process = (struct nvml_process_1){.pid = (unsigned)getpid(), .memory = used};
    return result;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count,
                                            struct nvml_process *process)
{
    uint64_t used;
    const int result = count_processes(device, count, process, &used);
    if (!result && *count)
        *process = (struct nvml_process){.pid = (unsigned)getpid(),
                                         .memory = used,
                                         .gpu_instance = UINT32_MAX,
                                         .compute_instance = UINT32_MAX};
    return result;
}

int nvmlDeviceGetComputeRunningProcesses_v2(void *device, unsigned *count,
                                            struct nvml_process *process)
{
    return nvmlDeviceGetComputeRunningProcesses_v3(device, count, process);
}

/* Processes that draw, and clients of MPS: none. */
#define NO_PROCESSES(function)                                                                     \
    int function(void *device, unsigned *count, void *process);                                    \
    int function(void *device, unsigned *count, void *process)                                     \
    {                                                                                              \
        const struct nvml_gpu *gpu;                                                                \
        const int result = nvml_enter(device, count, &gpu);                                        \
        (void)process;                                                                             \
        if (!result)                                                                               \
            *count = 0;                                                                            \
        return result;                                                                             \
    }
NO_PROCESSES(nvmlDeviceGetGraphicsRunningProcesses)
NO_PROCESSES(nvmlDeviceGetGraphicsRunningProcesses_v2)
NO_PROCESSES(nvmlDeviceGetGraphicsRunningProcesses_v3)
NO_PROCESSES(nvmlDeviceGetMPSComputeRunningProcesses)
NO_PROCESSES(nvmlDeviceGetMPSComputeRunningProcesses_v2)
NO_PROCESSES(nvmlDeviceGetMPSComputeRunningProcesses_v3)
