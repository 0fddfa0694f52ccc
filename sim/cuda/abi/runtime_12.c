/* libcudart.so.12: the functions with the parameters of toolkit 12. */
#include "cuda/abi/toolkits_11_12.h"

const int rt_abi_version = 12090;

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
