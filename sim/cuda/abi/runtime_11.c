/* libcudart.so.11.0: the functions with the parameters of toolkit 11. */
#include "cuda/abi/toolkits_11_12.h"

const int rt_abi_version = 11080;

enum cuda_error cudaGraphInstantiate(void **exec, void *graph, void **error_node, char *log,
                                     size_t log_size)
{
    if (error_node)
        *error_node = NULL;
    if (log && log_size)
        log[0] = '\0';
    return graph_api_instantiate(__func__, exec, graph);
}

enum cuda_error cudaGraphExecUpdate(void *exec, void *graph, void **error_node, int *result)
{
    return graph_api_update(__func__, exec, graph, result, error_node);
}
