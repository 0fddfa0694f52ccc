/* Virtual memory: addresses, memory and what lies where, each with functions of its own. */
#include <stdlib.h>

#include "cuda/driver/driver.h"
#include "cuda/runtime.h"
#include "cuda/virtual_memory.h"

enum { HANDLE_POSIX_FILE = 1 }; /* CUmemAllocationHandleType */
enum { ALLOCATION_PINNED = 1 }; /* CUmemAllocationType */
enum { LOCATION_DEVICE = 1 };   /* CUmemLocationType */
enum { GRANULARITY_LAST = 1 };  /* CU_MEM_ALLOC_GRANULARITY_RECOMMENDED */

/* CUmemLocation. */
struct location {
    int type, id;
};

/* CUmemAllocationProp. */
struct properties {
    int type;
    uint32_t handle_types;
    struct location location;
    void *windows;
    struct {
        unsigned char compression, gpu_direct;
        unsigned short usage;
        unsigned char reserved[4];
    } flags;
};

/* CUmemAccessDesc. */
struct access {
    struct location location;
    int flags;
};

int cuMemAddressReserve(uint64_t *address, size_t size, size_t alignment, uint64_t hint,
                        unsigned long long flags);
int cuMemAddressFree(uint64_t address, size_t size);
int cuMemCreate(void **handle, size_t size, const struct properties *properties,
                unsigned long long flags);
int cuMemRelease(void *handle);
int cuMemMap(uint64_t address, size_t size, size_t offset, void *handle, unsigned long long flags);
int cuMemUnmap(uint64_t address, size_t size);
int cuMemSetAccess(uint64_t address, size_t size, const struct access *access, size_t count);
int cuMemGetAccess(unsigned long long *flags, const struct location *location, uint64_t address);
int cuMemRetainAllocationHandle(void **handle, void *address);
int cuMemExportToShareableHandle(void *shareable, void *handle, int type, unsigned long long flags);
int cuMemImportFromShareableHandle(void **handle, void *shareable, int type);
int cuMemGetAllocationGranularity(size_t *granularity, const struct properties *properties,
                                  int option);
int cuMemGetAllocationPropertiesFromHandle(struct properties *properties, void *handle);

/* Leaves a call that rt_enter() has begun: it returned `rt`. Returns the result of the call. */
static int leave(const struct runtime *rt, bool good)
{
    const enum cuda_error error = good ? CUDA_SUCCESS : CUDA_INVALID_VALUE;
    return driver_result(rt_leave_keep_last(rt ? error : rt_refusal()));
}

static bool whole_granules(uint64_t address, size_t size)
{
    return size && address % VIRTUAL_GRANULE == 0 && size % VIRTUAL_GRANULE == 0;
}

int cuMemAddressReserve(uint64_t *address, size_t size, size_t alignment, uint64_t hint,
                        unsigned long long flags)
{
    const bool power_of_two = (alignment & (alignment - 1)) == 0;
    if (!address || !whole_granules(0, size) || !power_of_two || flags)
        return DRIVER_INVALID_VALUE;
    const struct runtime *rt = rt_enter(__func__);
    *address = rt ? virtual_reserve(size, alignment, hint) : 0;
    const int result = leave(rt, true);
    return result || *address ? result : DRIVER_OUT_OF_MEMORY;
}

int cuMemAddressFree(uint64_t address, size_t size)
{
    const struct runtime *rt = rt_enter(__func__);
    return leave(rt, rt && virtual_release(address, size));
}

/* Memory of the device that processes may share by files; none that the host or a fabric has. */
static int check_properties(const struct properties *properties)
{
    if (!properties || properties->type != ALLOCATION_PINNED)
        return DRIVER_INVALID_VALUE;
    if (properties->location.type != LOCATION_DEVICE ||
        (properties->handle_types & ~(uint32_t)HANDLE_POSIX_FILE))
        return DRIVER_NOT_SUPPORTED;
    return properties->location.id == 0 ? DRIVER_SUCCESS : DRIVER_INVALID_DEVICE;
}

int cuMemCreate(void **handle, size_t size, const struct properties *properties,
                unsigned long long flags)
{
    if (!handle || !whole_granules(0, size) || flags)
        return DRIVER_INVALID_VALUE;
    int result = check_properties(properties);
    if (result)
        return result;
    const struct runtime *rt = rt_enter(__func__);
    *handle = rt ? physical_create(rt->memory, size, properties->handle_types) : NULL;
    result = leave(rt, true);
    return result || *handle ? result : DRIVER_OUT_OF_MEMORY;
}

int cuMemRelease(void *handle)
{
    const struct runtime *rt = rt_enter(__func__);
    struct physical_memory *physical = rt ? physical_find(handle) : NULL;
    if (physical)
        physical_release(rt->memory, physical);
    return leave(rt, physical);
}

int cuMemMap(uint64_t address, size_t size, size_t offset, void *handle, unsigned long long flags)
{
    const struct runtime *rt = rt_enter(__func__);
    struct physical_memory *physical = rt ? physical_find_mapped(handle) : NULL;
    if (physical && (offset || size != physical_size(physical))) {
        (void)leave(rt, true);
        return DRIVER_NOT_SUPPORTED;
    }
    const bool fits = physical && whole_granules(address, size) && flags == 0;
    return leave(rt, fits && virtual_map(address, physical));
}

int cuMemUnmap(uint64_t address, size_t size)
{
    const struct runtime *rt = rt_enter(__func__);
    if (rt)
        rt_finish_work(); /* that may use the memory */
    return leave(rt, rt && virtual_unmap(rt->memory, address, size));
}

int cuMemSetAccess(uint64_t address, size_t size, const struct access *access, size_t count)
{
    if (!access || count != 1 || access->location.type != LOCATION_DEVICE || access->location.id ||
        (access->flags != VIRTUAL_NONE && access->flags != VIRTUAL_READ &&
         access->flags != VIRTUAL_READ_WRITE))
        return DRIVER_INVALID_VALUE;
    const struct runtime *rt = rt_enter(__func__);
    return leave(rt, rt && virtual_set_access(rt->memory, address, size,
                                              (enum virtual_access)access->flags));
}

int cuMemGetAccess(unsigned long long *flags, const struct location *location, uint64_t address)
{
    if (!flags || !location || location->type != LOCATION_DEVICE || location->id)
        return DRIVER_INVALID_VALUE;
    const struct runtime *rt = rt_enter(__func__);
    struct virtual_mapping mapping = {0};
    if (rt)
        mapping = virtual_mapping_at(address);
    *flags = mapping.access;
    return leave(rt, mapping.physical);
}

int cuMemRetainAllocationHandle(void **handle, void *address)
{
    if (!handle)
        return DRIVER_INVALID_VALUE;
    const struct runtime *rt = rt_enter(__func__);
    *handle = rt ? virtual_retain((uintptr_t)address) : NULL;
    return leave(rt, *handle);
}

int cuMemExportToShareableHandle(void *shareable, void *handle, int type, unsigned long long flags)
{
    const struct runtime *rt = rt_enter(__func__);
    const struct physical_memory *physical = rt ? physical_find(handle) : NULL;
    int file = -1;
    if (physical && shareable && type == HANDLE_POSIX_FILE && flags == 0 &&
        (physical_handle_types(physical) & HANDLE_POSIX_FILE))
        file = physical_export(physical);
    if (file >= 0)
        *(int *)shareable = file;
    return leave(rt, file >= 0);
}

/* A file is passed as its number, in the place of a pointer. */
int cuMemImportFromShareableHandle(void **handle, void *shareable, int type)
{
    if (!handle || type != HANDLE_POSIX_FILE)
        return handle ? DRIVER_NOT_SUPPORTED : DRIVER_INVALID_VALUE;
    const struct runtime *rt = rt_enter(__func__);
    *handle = rt ? physical_import((int)(intptr_t)shareable) : NULL;
    return leave(rt, *handle);
}

int cuMemGetAllocationGranularity(size_t *granularity, const struct properties *properties,
                                  int option)
{
    if (!granularity || option < 0 || option > GRANULARITY_LAST)
        return DRIVER_INVALID_VALUE;
    const int result = check_properties(properties);
    if (result == DRIVER_SUCCESS)
        *granularity = VIRTUAL_GRANULE;
    return result;
}

int cuMemGetAllocationPropertiesFromHandle(struct properties *properties, void *handle)
{
    const struct runtime *rt = rt_enter(__func__);
    const struct physical_memory *physical = rt ? physical_find(handle) : NULL;
    if (physical && properties)
        *properties = (struct properties){.type = ALLOCATION_PINNED,
                                          .handle_types = physical_handle_types(physical),
                                          .location = {LOCATION_DEVICE, 0}};
    return leave(rt, physical && properties);
}
