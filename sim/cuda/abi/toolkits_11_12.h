/*
 * Functions whose parameters are the same in toolkits 11 and 12. Only runtime_11.c and runtime_12.c
 * include this file, once each, because it holds definitions.
 */
#ifndef SIM_CUDA_ABI_TOOLKITS_11_12_H
#define SIM_CUDA_ABI_TOOLKITS_11_12_H

#include "cuda/abi/abi_functions.h"

enum cuda_error cudaGetDeviceProperties(struct cuda_properties_11 *properties, int device)
{
    return rt_get_properties_11(properties, device);
}

enum cuda_error cudaMemAdvise(const void *pointer, size_t size, int advice, int device)
{
    (void)advice;
    return managed_advise(__func__, pointer, size, device);
}

enum cuda_error cudaMemPrefetchAsync(const void *pointer, size_t size, int device, void *stream)
{
    return managed_prefetch(__func__, pointer, size, device, stream);
}

enum cuda_error cudaGraphAddNode(void **node, void *graph, void *const *from, size_t count,
                                 struct cuda_node_params *params)
{
    return graph_api_add_node(__func__, node, graph, from, NULL, count, params);
}

enum cuda_error cudaGraphAddDependencies(void *graph, void *const *from, void *const *to,
                                         size_t count)
{
    return graph_api_add_edges(__func__, graph, from, to, NULL, count);
}

enum cuda_error cudaGraphRemoveDependencies(void *graph, void *const *from, void *const *to,
                                            size_t count)
{
    return graph_api_remove_edges(__func__, graph, from, to, count);
}

enum cuda_error cudaGraphGetEdges(void *graph, void **from, void **to, size_t *count)
{
    return graph_api_edges(__func__, graph, from, to, NULL, count);
}

enum cuda_error cudaGraphNodeGetDependencies(void *node, void **list, size_t *count)
{
    return graph_api_dependencies(__func__, node, list, NULL, count);
}

enum cuda_error cudaGraphNodeGetDependentNodes(void *node, void **list, size_t *count)
{
    return graph_api_dependents(__func__, node, list, NULL, count);
}

enum cuda_error cudaStreamGetCaptureInfo(void *stream, int *status, unsigned long long *id)
{
    return graph_api_capture_info(__func__, stream, status, id, NULL, NULL, NULL, NULL);
}

enum cuda_error cudaStreamUpdateCaptureDependencies(void *stream, void *const *from, size_t count,
                                                    unsigned flags)
{
    return graph_api_set_dependencies(__func__, stream, from, count, flags);
}

CUDA_ALIAS(cudaMemPrefetchAsync_ptsz, cudaMemPrefetchAsync);
CUDA_ALIAS(cudaStreamGetCaptureInfo_ptsz, cudaStreamGetCaptureInfo);
CUDA_ALIAS(cudaStreamUpdateCaptureDependencies_ptsz, cudaStreamUpdateCaptureDependencies);

#endif
