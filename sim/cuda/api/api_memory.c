/* Allocates and frees device, managed and pinned memory; answers questions about pointers. */
#include <stdio.h>

#include "cuda/capture_rules.h"
#include "cuda/checking.h"
#include "cuda/ipc_memory.h"
#include "cuda/memory_locate.h"
#include "cuda/runtime.h"

enum {
    PITCH_UNIT = 512,
    ATTACH_GLOBAL = 1,
    ATTACH_HOST = 2,
    HOST_ALLOC_FLAGS = 7,
    REGISTER_FLAGS = 15
};

/* Allocates device memory. Messages about the memory call it `name` with a running number. */
static enum cuda_error allocate(struct runtime *rt, void **pointer, uint64_t size, const char *name)
{
    if (!pointer)
        return CUDA_INVALID_VALUE;
    *pointer = NULL;
    if (size == 0)
        return CUDA_SUCCESS;
    static uint64_t count;
    char numbered[64];
    (void)snprintf(numbered, sizeof numbered, "%s #%llu", name, (unsigned long long)++count);
    *pointer = (void *)(uintptr_t)device_alloc(rt->memory, size, numbered);
    if (*pointer)
        return CUDA_SUCCESS;
    uint64_t used, total;
    device_memory_info(rt->memory, &used, &total);
    return rt_report(
        CUDA_MEMORY_ALLOCATION,
        "%llu bytes of device memory are not free, only %llu of %llu: see --device-memory",
        (unsigned long long)size, (unsigned long long)(total - used), (unsigned long long)total);
}

enum cuda_error cudaMalloc(void **pointer, size_t size)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    const enum cuda_error error = capture_allow(CAPTURE_USES_OTHER);
    return rt_leave(error == CUDA_SUCCESS ? allocate(rt, pointer, size, "cudaMalloc") : error);
}

static enum cuda_error allocate_pitched(struct runtime *rt, struct cuda_pitched_ptr *pitched,
                                        size_t width, size_t rows)
{
    if (rows && width > (SIZE_MAX - PITCH_UNIT) / rows)
        return CUDA_INVALID_VALUE;
    pitched->pitch = (width + PITCH_UNIT - 1) / PITCH_UNIT * PITCH_UNIT;
    return allocate(rt, &pitched->ptr, (uint64_t)pitched->pitch * rows, "cudaMallocPitch");
}

enum cuda_error cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    if (!pointer || !pitch)
        return rt_leave(CUDA_INVALID_VALUE);
    struct cuda_pitched_ptr pitched = {0};
    enum cuda_error error = allocate_pitched(rt, &pitched, width, height);
    *pointer = pitched.ptr;
    *pitch = pitched.pitch;
    return rt_leave(error);
}

enum cuda_error cudaMalloc3D(struct cuda_pitched_ptr *pitched, struct cuda_extent extent)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    if (!pitched || (extent.depth && extent.height > SIZE_MAX / extent.depth))
        return rt_leave(CUDA_INVALID_VALUE);
    *pitched = (struct cuda_pitched_ptr){.xsize = extent.width, .ysize = extent.height};
    return rt_leave(allocate_pitched(rt, pitched, extent.width, extent.height * extent.depth));
}

static enum cuda_error allocate_host(struct runtime *rt, void **pointer, size_t size,
                                     enum host_kind kind, unsigned flags)
{
    if (!pointer)
        return CUDA_INVALID_VALUE;
    *pointer = NULL;
    if (size == 0)
        return kind == HOST_MANAGED ? CUDA_INVALID_VALUE : CUDA_SUCCESS;
    *pointer = host_memory_new(rt->host, size, kind, flags);
    /* It empties the GPU's buffers of translations (H100, cuda/probe/page_walks, after_*). */
    rt->translated &= kind != HOST_PINNED;
    return *pointer ? CUDA_SUCCESS
                    : rt_report(CUDA_MEMORY_ALLOCATION,
                                "%zu bytes of host memory cannot be allocated", size);
}

enum cuda_error cudaMallocManaged(void **pointer, size_t size, unsigned flags)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    if (flags != ATTACH_GLOBAL && flags != ATTACH_HOST)
        return rt_leave(CUDA_INVALID_VALUE);
    return rt_leave(allocate_host(rt, pointer, size, HOST_MANAGED, flags));
}

enum cuda_error cudaMallocHost(void **pointer, size_t size)
{
    struct runtime *rt = rt_enter(__func__);
    return rt_leave(rt ? allocate_host(rt, pointer, size, HOST_PINNED, 0) : rt_refusal());
}

enum cuda_error cudaHostAlloc(void **pointer, size_t size, unsigned flags)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    if (flags & ~(unsigned)HOST_ALLOC_FLAGS)
        return rt_leave(CUDA_INVALID_VALUE);
    return rt_leave(allocate_host(rt, pointer, size, HOST_PINNED, flags));
}

enum cuda_error cudaHostRegister(void *pointer, size_t size, unsigned flags)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    if (!pointer || size == 0 || flags & ~(unsigned)REGISTER_FLAGS)
        return rt_leave(CUDA_INVALID_VALUE);
    return rt_leave(host_memory_register(rt->host, pointer, size, flags)
                        ? CUDA_SUCCESS
                        : CUDA_HOST_MEMORY_ALREADY_REGISTERED);
}

enum cuda_error cudaHostUnregister(void *pointer)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    return rt_leave(host_memory_free(rt->host, pointer, HOST_REGISTERED)
                        ? CUDA_SUCCESS
                        : CUDA_HOST_MEMORY_NOT_REGISTERED);
}

enum cuda_error cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    if (!device || flags || !host_memory_find(rt->host, host))
        return rt_leave(CUDA_INVALID_VALUE);
    *device = host;
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error cudaHostGetFlags(unsigned *flags, void *host)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    const struct host_block *block = host_memory_find(rt->host, host);
    if (!flags || !block)
        return rt_leave(CUDA_INVALID_VALUE);
    *flags = block->flags;
    return rt_leave(CUDA_SUCCESS);
}

static enum cuda_error free_device(struct runtime *rt, void *pointer)
{
    const uint64_t address = (uintptr_t)pointer;
    checking_all_waited(rt); /* cudaFree waits for the device */
    ipc_withdraw(rt->memory, address);
    if (!pointer || device_free(rt->memory, address) ||
        host_memory_free(rt->host, pointer, HOST_MANAGED))
        return CUDA_SUCCESS;
    const struct device_allocation *near = device_nearest(rt->memory, address);
    if (near && address - near->address < near->size)
        checking_names(rt, near);
    if (near && near->freed && near->address == address)
        return rt_report(CUDA_INVALID_VALUE, "%p, %s, has been freed before", pointer, near->name);
    return rt_report(CUDA_INVALID_VALUE, "%p is not the beginning of device or managed memory",
                     pointer);
}

enum cuda_error cudaFree(void *pointer)
{
    struct runtime *rt = rt_enter(__func__);
    return rt_leave(rt ? free_device(rt, pointer) : rt_refusal());
}

enum cuda_error cudaFreeHost(void *pointer)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    if (!pointer || host_memory_free(rt->host, pointer, HOST_PINNED))
        return rt_leave(CUDA_SUCCESS);
    return rt_leave(
        rt_report(CUDA_INVALID_VALUE, "%p is not the beginning of pinned memory", pointer));
}

enum cuda_error cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    uint64_t used, total;
    device_memory_info(rt->memory, &used, &total);
    if (free_bytes)
        *free_bytes = total - used;
    if (total_bytes)
        *total_bytes = total;
    return rt_leave(CUDA_SUCCESS);
}

static enum cuda_error pointer_attributes(const struct runtime *rt,
                                          struct cuda_pointer_attributes *attributes,
                                          const void *pointer)
{
    static const int types[] = {[HOST_MANAGED] = MEMORY_MANAGED,
                                [HOST_PINNED] = MEMORY_HOST,
                                [HOST_REGISTERED] = MEMORY_HOST};
    if (!attributes || !pointer)
        return CUDA_INVALID_VALUE;
    const uint64_t address = (uintptr_t)pointer;
    const struct host_block *block = host_memory_find(rt->host, pointer);
    void *both = (void *)(uintptr_t)pointer;
    const void *host = device_pointer(rt->memory, address, 1);
    attributes->device = 0;
    attributes->type = MEMORY_UNREGISTERED;
    attributes->device_pointer = NULL;
    attributes->host_pointer = both;
    if (block)
        attributes->type = types[block->kind];
    else if (host)
        attributes->type = host == pointer ? MEMORY_MANAGED : MEMORY_DEVICE;
    else
        attributes->device = -2;
    if (attributes->type != MEMORY_UNREGISTERED)
        attributes->device_pointer = both;
    if (attributes->type == MEMORY_DEVICE)
        attributes->host_pointer = NULL;
    return CUDA_SUCCESS;
}

enum cuda_error cudaPointerGetAttributes(struct cuda_pointer_attributes *attributes,
                                         const void *pointer)
{
    struct runtime *rt = rt_enter(__func__);
    return rt_leave(rt ? pointer_attributes(rt, attributes, pointer) : rt_refusal());
}
