/* Hints about managed memory: cudaMemAdvise, cudaMemPrefetchAsync and their versions. */
#include "cuda/cuda_managed.h"

#include <string.h>

#include "cuda/cuda_stream.h"
#include "cuda/host_memory.h"

enum { HOST_DEVICE = -1, NO_DEVICE = -2, LOCATION_DEVICE = 1 };

int managed_device(const struct cuda_mem_location *location)
{
    if (location->type == LOCATION_DEVICE)
        return location->id;
    return location->type > LOCATION_DEVICE ? HOST_DEVICE : NO_DEVICE;
}

/*
 * Checks that `size` bytes at `pointer` are in one block of host memory or in a managed variable.
 */
static enum cuda_error check(const struct runtime *rt, const void *pointer, size_t size, int device)
{
    if (!rt)
        return rt_refusal();
    if (device != 0 && device != HOST_DEVICE)
        return CUDA_INVALID_DEVICE;
    const struct host_block *block = host_memory_find(rt->host, pointer);
    const uint64_t offset = block ? (uintptr_t)pointer - (uintptr_t)block->address : 0;
    const bool variable = device_pointer(rt->memory, (uintptr_t)pointer, size) == pointer;
    return (block && size <= block->size - offset) || (pointer && variable) ? CUDA_SUCCESS
                                                                            : CUDA_INVALID_VALUE;
}

enum cuda_error managed_advise(const char *function, const void *pointer, size_t size, int device)
{
    return rt_leave(check(rt_enter(function), pointer, size, device));
}

enum cuda_error managed_prefetch(const char *function, const void *pointer, size_t size, int device,
                                 void *stream)
{
    enum cuda_error error = check(rt_enter(function), pointer, size, device);
    if (error == CUDA_SUCCESS && !stream_find(stream))
        error = CUDA_INVALID_RESOURCE_HANDLE;
    return rt_leave(error);
}

enum cuda_error cudaMemAdvise_v2(const void *pointer, size_t size, int advice,
                                 struct cuda_mem_location location)
{
    (void)advice;
    return managed_advise("cudaMemAdvise", pointer, size, managed_device(&location));
}

enum cuda_error cudaMemPrefetchAsync_v2(const void *pointer, size_t size,
                                        struct cuda_mem_location location, unsigned flags,
                                        void *stream)
{
    (void)flags;
    return managed_prefetch("cudaMemPrefetchAsync", pointer, size, managed_device(&location),
                            stream);
}

enum { RANGE_READ_MOSTLY = 1, RANGE_PREFERRED = 2, RANGE_ACCESSED_BY = 3, RANGE_LAST_PREFETCH = 4 };

/* Advice is not stored, so every attribute has the value that it has without advice. */
enum cuda_error cudaMemRangeGetAttribute(void *data, size_t data_size, int attribute,
                                         const void *pointer, size_t size)
{
    const struct runtime *rt = rt_enter(__func__);
    enum cuda_error error = check(rt, pointer, size, 0);
    if (error != CUDA_SUCCESS)
        return rt_leave(error);
    if (!data || data_size % sizeof(int) || attribute < RANGE_READ_MOSTLY ||
        attribute > RANGE_LAST_PREFETCH)
        return rt_leave(CUDA_INVALID_VALUE);
    const int value = attribute == RANGE_READ_MOSTLY ? 0 : NO_DEVICE;
    for (size_t i = 0; i < data_size / sizeof value; i++)
        memcpy((char *)data + i * sizeof value, &value, sizeof value);
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error cudaMemRangeGetAttributes(void *const *data, const size_t *data_size,
                                          const int *attribute, size_t count, const void *pointer,
                                          size_t size)
{
    enum cuda_error error = CUDA_SUCCESS;
    if (!data || !data_size || !attribute || !count)
        return rt_set_last_error(CUDA_INVALID_VALUE);
    for (size_t i = 0; i < count && error == CUDA_SUCCESS; i++)
        error = cudaMemRangeGetAttribute(data[i], data_size[i], attribute[i], pointer, size);
    return error;
}

CUDA_ALIAS(cudaMemPrefetchAsync_v2_ptsz, cudaMemPrefetchAsync_v2);
