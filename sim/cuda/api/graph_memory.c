/*
 * Graph nodes that allocate and free memory. A node allocates its memory as soon as it is created,
 * so that other nodes can use the address. When the graph runs again after the memory was freed,
 * the same address becomes valid again.
 */
#include <stdio.h>

#include "cuda/cuda_pool.h"
#include "cuda/graph_api.h"

enum { GRAPH_MEMORY_ATTRIBUTES = 4 };

static enum cuda_error add(struct runtime *rt, void **node, void *handle, void *const *from,
                           size_t count, const struct stream_work *work)
{
    struct graph *graph = graph_from(handle);
    if (!rt)
        return rt_refusal();
    if (!graph || !node || (count && !from))
        return CUDA_INVALID_VALUE;
    *node = graph_add(graph, work, (struct graph_node *const *)from, count);
    return *node ? CUDA_SUCCESS : CUDA_INVALID_VALUE;
}

static enum cuda_error allocate(struct runtime *rt, struct cuda_alloc_node *params)
{
    static uint64_t count;
    char name[64];
    if (!params || !params->size)
        return CUDA_INVALID_VALUE;
    (void)snprintf(name, sizeof name, "memory node #%llu", (unsigned long long)++count);
    params->pointer = (void *)(uintptr_t)device_alloc(rt->memory, params->size, name);
    return params->pointer ? CUDA_SUCCESS : CUDA_MEMORY_ALLOCATION;
}

enum cuda_error cudaGraphAddMemAllocNode(void **node, void *graph, void *const *from, size_t count,
                                         struct cuda_alloc_node *params)
{
    struct runtime *rt = rt_enter(__func__);
    enum cuda_error error = rt ? allocate(rt, params) : rt_refusal();
    if (error != CUDA_SUCCESS)
        return rt_leave(error);
    const uint64_t address = (uintptr_t)params->pointer;
    const struct stream_work work = {.kind = WORK_ALLOC, .as.memory = {address, params->size}};
    error = add(rt, node, graph, from, count, &work);
    if (error != CUDA_SUCCESS)
        (void)device_free(rt->memory, address);
    return rt_leave(error);
}

enum cuda_error cudaGraphAddMemFreeNode(void **node, void *graph, void *const *from, size_t count,
                                        void *pointer)
{
    struct runtime *rt = rt_enter(__func__);
    const struct stream_work work = {.kind = WORK_FREE, .as.memory = {(uintptr_t)pointer, 0}};
    const bool known = rt && device_pointer(rt->memory, (uintptr_t)pointer, 1);
    if (rt && !known)
        return rt_leave(rt_report(CUDA_INVALID_VALUE, "%p is no device memory", pointer));
    return rt_leave(add(rt, node, graph, from, count, &work));
}

enum cuda_error cudaGraphMemAllocNodeGetParams(void *handle, struct cuda_alloc_node *params)
{
    struct runtime *rt = rt_enter(__func__);
    const struct graph_node *node = graph_node_from(handle);
    if (!rt)
        return rt_leave(rt_refusal());
    if (!node || !params || node->work.kind != WORK_ALLOC)
        return rt_leave(CUDA_INVALID_VALUE);
    *params = (struct cuda_alloc_node){.size = node->work.as.memory.size,
                                       .pointer = (void *)(uintptr_t)node->work.as.memory.address};
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error cudaGraphMemFreeNodeGetParams(void *handle, void **pointer)
{
    struct runtime *rt = rt_enter(__func__);
    const struct graph_node *node = graph_node_from(handle);
    if (!rt)
        return rt_leave(rt_refusal());
    if (!node || !pointer || node->work.kind != WORK_FREE)
        return rt_leave(CUDA_INVALID_VALUE);
    *pointer = (void *)(uintptr_t)node->work.as.memory.address;
    return rt_leave(CUDA_SUCCESS);
}

/* Does nothing: graphs hold no memory beside the allocations of nodes. */
enum cuda_error cudaDeviceGraphMemTrim(int device)
{
    struct runtime *rt = rt_enter(__func__);
    return rt_leave(!rt ? rt_refusal() : device ? CUDA_INVALID_DEVICE : CUDA_SUCCESS);
}

enum cuda_error cudaDeviceGetGraphMemAttribute(int device, int attribute, uint64_t *value)
{
    struct runtime *rt = rt_enter(__func__);
    uint64_t total;
    if (!rt || device || !value || (unsigned)attribute >= GRAPH_MEMORY_ATTRIBUTES)
        return rt_leave(!rt ? rt_refusal() : device ? CUDA_INVALID_DEVICE : CUDA_INVALID_VALUE);
    device_memory_info(rt->memory, value, &total);
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error cudaDeviceSetGraphMemAttribute(int device, int attribute, const uint64_t *value)
{
    uint64_t now;
    return value ? cudaDeviceGetGraphMemAttribute(device, attribute, &now)
                 : rt_set_last_error(CUDA_INVALID_VALUE);
}
