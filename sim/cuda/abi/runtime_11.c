/* The functions with the parameters of toolkit 11. runtime_12.c has those that 12 shares. */
#include "cuda/abi/abi_functions.h"
#include "cuda/abi/runtime_table.h"

static enum cuda_error cudaRuntimeGetVersion(int *version)
{
    return rt_get_version(version, 11080);
}

static enum cuda_error cudaFuncGetAttributes(struct cuda_func_attributes *attributes,
                                             const void *stub)
{
    return rt_get_function_attributes(__func__, attributes, stub,
                                      offsetof(struct cuda_func_attributes, cluster_must_be_set));
}

static enum cuda_error cudaGraphInstantiate(void **exec, void *graph, void **error_node, char *log,
                                            size_t log_size)
{
    if (error_node)
        *error_node = NULL;
    if (log && log_size)
        log[0] = '\0';
    return graph_api_instantiate(__func__, exec, graph);
}

static enum cuda_error cudaGraphExecUpdate(void *exec, void *graph, void **error_node, int *result)
{
    return graph_api_update(__func__, exec, graph, result, error_node);
}

const struct runtime_exception runtime_11[] = {EXCEPTION(cudaRuntimeGetVersion),
                                               EXCEPTION(cudaFuncGetAttributes),
                                               EXCEPTION(cudaGraphInstantiate),
                                               EXCEPTION(cudaGraphExecUpdate),
                                               {RUNTIME_FUNCTIONS, NULL}};
