/* The functions with the parameters of toolkit 12, most of which are those of toolkit 11 too. */
#include "cuda/abi/abi_functions.h"
#include "cuda/abi/runtime_table.h"

/* The second name of a function, for --default-stream per-thread. */
#define EXCEPTION_PTSZ(name)                                                                       \
    {                                                                                              \
        FUNCTION_##name##_ptsz, (runtime_function *)(name)                                         \
    }

static enum cuda_error cudaRuntimeGetVersion(int *version)
{
    return rt_get_version(version, 12090);
}

static enum cuda_error cudaGetDeviceProperties(struct cuda_properties_11 *properties, int device)
{
    return rt_get_properties_11(properties, device);
}

static enum cuda_error cudaMemAdvise(const void *pointer, size_t size, int advice, int device)
{
    (void)advice;
    return managed_advise(__func__, pointer, size, device);
}

static enum cuda_error cudaMemPrefetchAsync(const void *pointer, size_t size, int device,
                                            void *stream)
{
    return managed_prefetch(__func__, pointer, size, device, stream);
}

static enum cuda_error cudaGraphAddNode(void **node, void *graph, void *const *from, size_t count,
                                        struct cuda_node_params *params)
{
    return graph_api_add_node(__func__, node, graph, from, NULL, count, params);
}

static enum cuda_error cudaGraphAddDependencies(void *graph, void *const *from, void *const *to,
                                                size_t count)
{
    return graph_api_add_edges(__func__, graph, from, to, NULL, count);
}

static enum cuda_error cudaGraphRemoveDependencies(void *graph, void *const *from, void *const *to,
                                                   size_t count)
{
    return graph_api_remove_edges(__func__, graph, from, to, count);
}

static enum cuda_error cudaGraphGetEdges(void *graph, void **from, void **to, size_t *count)
{
    return graph_api_edges(__func__, graph, from, to, NULL, count);
}

static enum cuda_error cudaGraphNodeGetDependencies(void *node, void **list, size_t *count)
{
    return graph_api_dependencies(__func__, node, list, NULL, count);
}

static enum cuda_error cudaGraphNodeGetDependentNodes(void *node, void **list, size_t *count)
{
    return graph_api_dependents(__func__, node, list, NULL, count);
}

static enum cuda_error cudaStreamGetCaptureInfo(void *stream, int *status, unsigned long long *id)
{
    return graph_api_capture_info(__func__, stream, status, id, NULL, NULL, NULL, NULL);
}

static enum cuda_error cudaStreamUpdateCaptureDependencies(void *stream, void *const *from,
                                                           size_t count, unsigned flags)
{
    return graph_api_set_dependencies(__func__, stream, from, count, flags);
}

const struct runtime_exception runtime_12[] = {EXCEPTION(cudaRuntimeGetVersion),
                                               EXCEPTION(cudaGetDeviceProperties),
                                               EXCEPTION(cudaMemAdvise),
                                               EXCEPTION(cudaMemPrefetchAsync),
                                               EXCEPTION(cudaGraphAddNode),
                                               EXCEPTION(cudaGraphAddDependencies),
                                               EXCEPTION(cudaGraphRemoveDependencies),
                                               EXCEPTION(cudaGraphGetEdges),
                                               EXCEPTION(cudaGraphNodeGetDependencies),
                                               EXCEPTION(cudaGraphNodeGetDependentNodes),
                                               EXCEPTION(cudaStreamGetCaptureInfo),
                                               EXCEPTION(cudaStreamUpdateCaptureDependencies),
                                               EXCEPTION_PTSZ(cudaMemPrefetchAsync),
                                               EXCEPTION_PTSZ(cudaStreamGetCaptureInfo),
                                               EXCEPTION_PTSZ(cudaStreamUpdateCaptureDependencies),
                                               {RUNTIME_FUNCTIONS, NULL}};
