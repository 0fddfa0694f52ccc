/* Graphs as a whole: create, clone, instantiate, update, launch, destroy. */
#include "cuda/cuda_stream.h"
#include "cuda/graph_api.h"

enum cuda_error cudaGraphCreate(void **handle, unsigned flags)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt || !handle || flags)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    struct graph *graph = graph_create();
    *handle = graph;
    if (graph_handle_add(graph))
        return rt_leave(CUDA_SUCCESS);
    graph_destroy(graph);
    return rt_leave(CUDA_MEMORY_ALLOCATION);
}

/*
 * Destroys a graph or an instantiated graph: both are a struct graph, an instantiated graph is a
 * clone.
 */
static enum cuda_error destroy(const char *function, void *handle)
{
    struct runtime *rt = rt_enter(function);
    struct graph *graph = rt ? graph_from(handle) : NULL;
    if (!graph)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    graph_handle_remove(graph);
    graph_destroy(graph);
    const enum cuda_error result = rt_leave(CUDA_SUCCESS);
    user_objects_bury();
    return result;
}

enum cuda_error cudaGraphDestroy(void *graph)
{
    return destroy(__func__, graph);
}

enum cuda_error cudaGraphExecDestroy(void *exec)
{
    return destroy(__func__, exec);
}

/* Clones a graph and registers the clone as a handle. */
static enum cuda_error clone(void **copy, void *handle)
{
    struct graph *graph = graph_from(handle);
    if (!copy || !graph)
        return CUDA_INVALID_VALUE;
    if (!graph_is_acyclic(graph))
        return rt_report(CUDA_INVALID_VALUE, "the dependencies of the graph form a cycle");
    struct graph *made = graph_clone(graph);
    *copy = made;
    if (graph_handle_add(made))
        return CUDA_SUCCESS;
    graph_destroy(made);
    return CUDA_MEMORY_ALLOCATION;
}

enum cuda_error cudaGraphClone(void **copy, void *graph)
{
    struct runtime *rt = rt_enter(__func__);
    return rt_leave(rt ? clone(copy, graph) : rt_refusal());
}

enum cuda_error graph_api_instantiate(const char *function, void **exec, void *graph)
{
    struct runtime *rt = rt_enter(function);
    return rt_leave(rt ? clone(exec, graph) : rt_refusal());
}

enum cuda_error cudaGraphInstantiateWithFlags(void **exec, void *graph, unsigned long long flags)
{
    (void)flags;
    return graph_api_instantiate(__func__, exec, graph);
}

enum cuda_error cudaGraphInstantiateWithParams(void **exec, void *graph,
                                               struct cuda_instantiate_params *params)
{
    enum cuda_error error = graph_api_instantiate(__func__, exec, graph);
    if (params) {
        params->error_node = NULL;
        params->result = error != CUDA_SUCCESS;
    }
    return error;
}

enum cuda_error cudaGraphLaunch(void *handle, void *stream)
{
    struct runtime *rt = rt_enter(__func__);
    struct graph *graph = rt ? graph_from(handle) : NULL;
    if (!graph)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    const struct stream_work work = {.kind = WORK_GRAPH, .as.graph = graph};
    return rt_leave(stream_submit(rt, stream, &work));
}

enum cuda_error cudaGraphUpload(void *handle, void *stream)
{
    (void)stream;
    struct runtime *rt = rt_enter(__func__);
    return rt_leave(!rt ? rt_refusal() : graph_from(handle) ? CUDA_SUCCESS : CUDA_INVALID_VALUE);
}

enum cuda_error cudaGraphExecGetFlags(void *exec, unsigned long long *flags)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt || !flags || !graph_from(exec))
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    *flags = 0;
    return rt_leave(CUDA_SUCCESS);
}

/* Returns why the work of `from` cannot replace the work of `to`; UPDATE_SUCCESS if it can. */
static enum cuda_update compare(const struct graph_node *to, const struct graph_node *from)
{
    if (to->work.kind != from->work.kind)
        return UPDATE_TYPE_CHANGED;
    return to->deps == from->deps ? UPDATE_SUCCESS : UPDATE_TOPOLOGY_CHANGED;
}

/*
 * Gives every node of `exec` the work of the node of `graph` with the same index. *at: the first
 * node of `graph` that does not fit; NULL if all fit.
 */
static enum cuda_update update(struct graph *exec, struct graph *graph, void **at)
{
    *at = NULL;
    if (exec->count != graph->count)
        return UPDATE_TOPOLOGY_CHANGED;
    for (size_t i = 0; i < graph->count; i++) {
        enum cuda_update result = compare(exec->node[i], graph->node[i]);
        *at = graph->node[i];
        if (result != UPDATE_SUCCESS)
            return result;
    }
    for (size_t i = 0; i < graph->count; i++) {
        struct stream_work copy;
        if (!stream_work_copy(&copy, &graph->node[i]->work))
            return UPDATE_ERROR;
        stream_work_free(&exec->node[i]->work);
        exec->node[i]->work = copy;
        exec->node[i]->origin = graph->node[i];
    }
    *at = NULL;
    return UPDATE_SUCCESS;
}

enum cuda_error graph_api_update(const char *function, void *exec_handle, void *handle, int *result,
                                 void **node)
{
    struct runtime *rt = rt_enter(function);
    struct graph *exec = rt ? graph_from(exec_handle) : NULL, *graph = graph_from(handle);
    if (!exec || !graph)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    void *at;
    enum cuda_update done = update(exec, graph, &at);
    if (result)
        *result = (int)done;
    if (node)
        *node = at;
    return rt_leave(done == UPDATE_SUCCESS ? CUDA_SUCCESS : CUDA_GRAPH_EXEC_UPDATE_FAILURE);
}

CUDA_ALIAS(cudaGraphInstantiateWithParams_ptsz, cudaGraphInstantiateWithParams);
enum cuda_error cudaGraphLaunch_ptsz(void *handle, void *stream)
{
    return cudaGraphLaunch(handle, stream_per_thread(stream));
}

CUDA_ALIAS(cudaGraphUpload_ptsz, cudaGraphUpload);
