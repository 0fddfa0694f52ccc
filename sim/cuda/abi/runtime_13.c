/* The functions with the parameters of toolkit 13, which stand for all later toolkits. */
#include "cuda/abi/abi_functions.h"

enum cuda_error cudaRuntimeGetVersion(int *version)
{
    return rt_get_version(version, 13000);
}

enum cuda_error cudaFuncGetAttributes(struct cuda_func_attributes *attributes, const void *stub)
{
    return rt_get_function_attributes(__func__, attributes, stub, sizeof *attributes);
}

enum cuda_error cudaGetDeviceProperties(struct cuda_properties_13 *properties, int device)
{
    return rt_get_properties_13(properties, device);
}

enum cuda_error cudaMemAdvise(const void *pointer, size_t size, int advice,
                              struct cuda_mem_location location)
{
    (void)advice;
    return managed_advise(__func__, pointer, size, managed_device(&location));
}

enum cuda_error cudaMemPrefetchAsync(const void *pointer, size_t size,
                                     struct cuda_mem_location location, unsigned flags,
                                     void *stream)
{
    (void)flags;
    return managed_prefetch(__func__, pointer, size, managed_device(&location), stream);
}

enum cuda_error cudaGraphInstantiate(void **exec, void *graph, unsigned long long flags)
{
    (void)flags;
    return graph_api_instantiate(__func__, exec, graph);
}

enum cuda_error cudaGraphExecUpdate(void *exec, void *graph, struct cuda_update_result *result)
{
    struct cuda_update_result room = {0};
    struct cuda_update_result *to = result ? result : &room;
    to->error_from = NULL;
    return graph_api_update(__func__, exec, graph, &to->result, &to->error_node);
}

enum cuda_error cudaGraphAddNode(void **node, void *graph, void *const *from,
                                 const struct cuda_edge *edges, size_t count,
                                 struct cuda_node_params *params)
{
    return graph_api_add_node(__func__, node, graph, from, edges, count, params);
}

enum cuda_error cudaGraphAddDependencies(void *graph, void *const *from, void *const *to,
                                         const struct cuda_edge *edges, size_t count)
{
    return graph_api_add_edges(__func__, graph, from, to, edges, count);
}

enum cuda_error cudaGraphRemoveDependencies(void *graph, void *const *from, void *const *to,
                                            const struct cuda_edge *edges, size_t count)
{
    (void)edges;
    return graph_api_remove_edges(__func__, graph, from, to, count);
}

enum cuda_error cudaGraphGetEdges(void *graph, void **from, void **to, struct cuda_edge *edges,
                                  size_t *count)
{
    return graph_api_edges(__func__, graph, from, to, edges, count);
}

enum cuda_error cudaGraphNodeGetDependencies(void *node, void **list, struct cuda_edge *edges,
                                             size_t *count)
{
    return graph_api_dependencies(__func__, node, list, edges, count);
}

enum cuda_error cudaGraphNodeGetDependentNodes(void *node, void **list, struct cuda_edge *edges,
                                               size_t *count)
{
    return graph_api_dependents(__func__, node, list, edges, count);
}

enum cuda_error cudaStreamGetCaptureInfo(void *stream, int *status, unsigned long long *id,
                                         void **graph, void *const **from,
                                         const struct cuda_edge **edges, size_t *count)
{
    return graph_api_capture_info(__func__, stream, status, id, graph, from, edges, count);
}

enum cuda_error cudaStreamUpdateCaptureDependencies(void *stream, void *const *from,
                                                    const struct cuda_edge *edges, size_t count,
                                                    unsigned flags)
{
    (void)edges;
    return graph_api_set_dependencies(__func__, stream, from, count, flags);
}

CUDA_ALIAS(cudaMemPrefetchAsync_ptsz, cudaMemPrefetchAsync);
CUDA_ALIAS(cudaStreamGetCaptureInfo_ptsz, cudaStreamGetCaptureInfo);
CUDA_ALIAS(cudaStreamUpdateCaptureDependencies_ptsz, cudaStreamUpdateCaptureDependencies);
