/* Memory pools and stream-ordered allocation. */
#include <stdio.h>
#include <string.h>

#include "cuda/cuda_pool.h"
#include "cuda/cuda_stream.h"
#include "cuda/host_memory.h"
#include "cuda/work.h"

/*
 * Allocates at once, also in a captured stream: the program gets the address from this call. The
 * memory of a captured allocation stays allocated when the graph has run.
 */
static enum cuda_error allocate(struct runtime *rt, void **pointer, size_t size,
                                struct memory_pool *pool, void *stream)
{
    if (!rt)
        return rt_refusal();
    if (!pointer || !pool || size == 0)
        return CUDA_INVALID_VALUE;
    static uint64_t count;
    char name[64];
    (void)snprintf(name, sizeof name, "cudaMallocAsync #%llu", (unsigned long long)++count);
    uint64_t address = device_alloc(rt->memory, size, name);
    while (!address && rt->queue && work_go_on(rt->queue)) /* work may free memory */
        address = device_alloc(rt->memory, size, name);
    if (!address)
        return CUDA_MEMORY_ALLOCATION;
    pool_count_alloc(pool, size);
    *pointer = (void *)(uintptr_t)address;
    const struct stream_work work = {.kind = WORK_ALLOC, .as.memory = {address, size}};
    return stream_submit(rt, stream, &work);
}

enum cuda_error cudaMallocAsync(void **pointer, size_t size, void *stream)
{
    return rt_leave(allocate(rt_enter(__func__), pointer, size, pool_current(), stream));
}

enum cuda_error cudaMallocFromPoolAsync(void **pointer, size_t size, void *pool, void *stream)
{
    struct runtime *rt = rt_enter(__func__);
    return rt_leave(allocate(rt, pointer, size, pool_find(pool), stream));
}

/* Frees behind the stream's work; in a captured stream adds a node that frees. */
static enum cuda_error release(struct runtime *rt, void *pointer, void *handle)
{
    const uint64_t address = (uintptr_t)pointer;
    const struct stream *stream = stream_find(handle);
    if (!stream)
        return CUDA_INVALID_RESOURCE_HANDLE;
    if (!pointer)
        return CUDA_SUCCESS;
    const struct device_allocation *found = device_nearest(rt->memory, address);
    if (!found || found->address != address || found->freed ||
        (rt->queue && work_frees(rt->queue, address)))
        return rt_report(CUDA_INVALID_VALUE, "%p is not the beginning of device memory", pointer);
    const struct stream_work work = {.kind = stream->capture.graph ? WORK_FREE : WORK_RELEASE,
                                     .as.memory = {address, found->size}};
    if (!stream->capture.graph)
        pool_count_free(pool_current(), found->size);
    return stream_submit(rt, handle, &work);
}

enum cuda_error cudaFreeAsync(void *pointer, void *stream)
{
    struct runtime *rt = rt_enter(__func__);
    return rt_leave(rt ? release(rt, pointer, stream) : rt_refusal());
}

enum cuda_error cudaDeviceGetDefaultMemPool(void **pool, int device)
{
    if (!pool || device != 0)
        return rt_set_last_error(pool ? CUDA_INVALID_DEVICE : CUDA_INVALID_VALUE);
    *pool = pool_default();
    return CUDA_SUCCESS;
}

enum cuda_error cudaDeviceGetMemPool(void **pool, int device)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt || !pool || device != 0)
        return rt_leave(!rt ? rt_refusal() : pool ? CUDA_INVALID_DEVICE : CUDA_INVALID_VALUE);
    *pool = pool_current();
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error cudaDeviceSetMemPool(int device, void *handle)
{
    struct runtime *rt = rt_enter(__func__);
    struct memory_pool *pool = rt ? pool_find(handle) : NULL;
    if (!pool || device != 0)
        return rt_leave(!rt ? rt_refusal() : CUDA_INVALID_VALUE);
    pool_set_current(pool);
    return rt_leave(CUDA_SUCCESS);
}

/* Checks where the memory of a pool is to be: here only memory of the device has pools. */
static enum cuda_error check_location(const struct cuda_mem_location *location, int type)
{
    enum { PINNED = 1, DEVICE = 1, HOST = 2 };
    if (!location || location->id != 0 || type != PINNED || location->type < DEVICE)
        return rt_set_last_error(CUDA_INVALID_VALUE);
    return location->type < HOST ? CUDA_SUCCESS : rt_set_last_error(CUDA_NOT_SUPPORTED);
}

enum cuda_error cudaMemGetDefaultMemPool(void **pool, const struct cuda_mem_location *location,
                                         int type)
{
    const enum cuda_error error = check_location(location, type);
    return error == CUDA_SUCCESS ? cudaDeviceGetDefaultMemPool(pool, 0) : error;
}

enum cuda_error cudaMemGetMemPool(void **pool, const struct cuda_mem_location *location, int type)
{
    const enum cuda_error error = check_location(location, type);
    return error == CUDA_SUCCESS ? cudaDeviceGetMemPool(pool, 0) : error;
}

enum cuda_error cudaMemSetMemPool(const struct cuda_mem_location *location, int type, void *pool)
{
    const enum cuda_error error = check_location(location, type);
    return error == CUDA_SUCCESS ? cudaDeviceSetMemPool(0, pool) : error;
}

enum cuda_error cudaMemPoolCreate(void **pool, const struct cuda_pool_props *props)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt || !pool || !props || props->location.id != 0)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    *pool = pool_create();
    return rt_leave(*pool ? CUDA_SUCCESS : CUDA_MEMORY_ALLOCATION);
}

enum cuda_error cudaMemPoolDestroy(void *handle)
{
    struct runtime *rt = rt_enter(__func__);
    struct memory_pool *pool = rt ? pool_find(handle) : NULL;
    if (!pool || pool == pool_default())
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    pool_destroy(pool);
    return rt_leave(CUDA_SUCCESS);
}

/* Attributes up to POOL_REUSE_LAST are ints, the later ones have 64 bits. */
enum cuda_error cudaMemPoolGetAttribute(void *handle, int attribute, void *value)
{
    struct runtime *rt = rt_enter(__func__);
    const struct memory_pool *pool = rt ? pool_find(handle) : NULL;
    uint64_t number;
    if (!pool || !value || !pool_get(pool, attribute, &number))
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    memcpy(value, &number, attribute <= POOL_REUSE_LAST ? sizeof(int) : sizeof number);
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error cudaMemPoolSetAttribute(void *handle, int attribute, const void *value)
{
    struct runtime *rt = rt_enter(__func__);
    struct memory_pool *pool = rt ? pool_find(handle) : NULL;
    uint64_t number = 0;
    if (!pool || !value)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    memcpy(&number, value, attribute <= POOL_REUSE_LAST ? sizeof(int) : sizeof number);
    return rt_leave(pool_set(pool, attribute, number) ? CUDA_SUCCESS : CUDA_INVALID_VALUE);
}

enum cuda_error cudaMemPoolTrimTo(void *handle, size_t keep)
{
    (void)keep;
    struct runtime *rt = rt_enter(__func__);
    return rt_leave(!rt ? rt_refusal() : pool_find(handle) ? CUDA_SUCCESS : CUDA_INVALID_VALUE);
}

enum cuda_error cudaMemPoolSetAccess(void *handle, const struct cuda_access_desc *desc,
                                     size_t count)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt || !pool_find(handle) || (count && !desc))
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    for (size_t i = 0; i < count; i++) {
        if (desc[i].location.id != 0)
            return rt_leave(CUDA_INVALID_DEVICE);
    }
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error cudaMemPoolGetAccess(int *flags, void *handle,
                                     const struct cuda_mem_location *location)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt || !flags || !location || !pool_find(handle))
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    *flags = 3; /* cudaMemAccessFlagsProtReadWrite */
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error cudaMallocAsync_ptsz(void **pointer, size_t size, void *stream)
{
    return cudaMallocAsync(pointer, size, stream_per_thread(stream));
}

CUDA_ALIAS(cudaMallocFromPoolAsync_ptsz, cudaMallocFromPoolAsync);
enum cuda_error cudaFreeAsync_ptsz(void *pointer, void *stream)
{
    return cudaFreeAsync(pointer, stream_per_thread(stream));
}
