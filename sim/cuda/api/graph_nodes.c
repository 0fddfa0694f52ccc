/* Adds nodes to graphs, and changes the work of nodes. */
#include "cuda/cuda_symbol.h"
#include "cuda/graph_api.h"
#include "cuda/graph_work.h"

/*
 * Adds a node with a copy of `work` to a graph, then frees `work`. Does nothing and returns `made`
 * if `made`, the result of making `work`, is an error.
 */
static enum cuda_error add(enum cuda_error made, struct stream_work *work, void **node,
                           void *handle, void *const *from, size_t count)
{
    if (made != CUDA_SUCCESS)
        return made;
    struct graph *graph = graph_from(handle);
    struct graph_node *added = NULL;
    if (graph && node && (from || !count))
        added = graph_add(graph, work, (struct graph_node *const *)from, count);
    stream_work_free(work);
    if (!added)
        return CUDA_INVALID_VALUE;
    *node = added;
    return CUDA_SUCCESS;
}

enum cuda_error cudaGraphAddKernelNode(void **node, void *graph, void *const *from, size_t count,
                                       const struct cuda_kernel_node *params)
{
    struct runtime *rt = rt_enter(__func__);
    struct stream_work work;
    enum cuda_error error = rt ? CUDA_INVALID_VALUE : rt_refusal();
    if (rt && params)
        error = graph_work_kernel(rt, params, &work);
    return rt_leave(add(error, &work, node, graph, from, count));
}

enum cuda_error cudaGraphAddMemcpyNode(void **node, void *graph, void *const *from, size_t count,
                                       const struct cuda_copy_3d *params)
{
    struct runtime *rt = rt_enter(__func__);
    struct stream_work work;
    enum cuda_error error = rt ? graph_work_copy(rt, params, &work) : rt_refusal();
    return rt_leave(add(error, &work, node, graph, from, count));
}

enum cuda_error cudaGraphAddMemcpyNode1D(void **node, void *graph, void *const *from, size_t count,
                                         void *dst, const void *src, size_t bytes, int kind)
{
    struct runtime *rt = rt_enter(__func__);
    struct stream_work work;
    enum cuda_error error =
        rt ? graph_work_copy_1d(rt, dst, src, bytes, kind, &work) : rt_refusal();
    return rt_leave(add(error, &work, node, graph, from, count));
}

enum cuda_error cudaGraphAddMemcpyNodeToSymbol(void **node, void *graph, void *const *from,
                                               size_t count, const void *symbol, const void *src,
                                               size_t bytes, size_t offset, int kind)
{
    struct runtime *rt = rt_enter(__func__);
    struct stream_work work;
    enum cuda_error error =
        rt ? symbol_copy_to(rt, symbol, src, bytes, offset, kind, &work) : rt_refusal();
    return rt_leave(add(error, &work, node, graph, from, count));
}

enum cuda_error cudaGraphAddMemcpyNodeFromSymbol(void **node, void *graph, void *const *from,
                                                 size_t count, void *dst, const void *symbol,
                                                 size_t bytes, size_t offset, int kind)
{
    struct runtime *rt = rt_enter(__func__);
    struct stream_work work;
    enum cuda_error error =
        rt ? symbol_copy_from(rt, dst, symbol, bytes, offset, kind, &work) : rt_refusal();
    return rt_leave(add(error, &work, node, graph, from, count));
}

enum cuda_error cudaGraphAddMemsetNode(void **node, void *graph, void *const *from, size_t count,
                                       const struct cuda_fill_node *params)
{
    struct runtime *rt = rt_enter(__func__);
    struct stream_work work;
    enum cuda_error error = rt ? CUDA_INVALID_VALUE : rt_refusal();
    if (rt && params)
        error = graph_work_fill(params, &work);
    return rt_leave(add(error, &work, node, graph, from, count));
}

enum cuda_error cudaGraphAddHostNode(void **node, void *graph, void *const *from, size_t count,
                                     const struct cuda_host_node *params)
{
    struct runtime *rt = rt_enter(__func__);
    struct stream_work work;
    enum cuda_error error = rt ? CUDA_INVALID_VALUE : rt_refusal();
    if (rt && params)
        error = graph_work_host(params, &work);
    return rt_leave(add(error, &work, node, graph, from, count));
}

enum cuda_error cudaGraphAddEmptyNode(void **node, void *graph, void *const *from, size_t count)
{
    struct runtime *rt = rt_enter(__func__);
    struct stream_work work = {.kind = WORK_NOTHING};
    return rt_leave(add(rt ? CUDA_SUCCESS : rt_refusal(), &work, node, graph, from, count));
}

enum cuda_error cudaGraphAddChildGraphNode(void **node, void *graph, void *const *from,
                                           size_t count, void *child)
{
    struct runtime *rt = rt_enter(__func__);
    struct stream_work work;
    enum cuda_error error = rt ? graph_work_child(child, &work) : rt_refusal();
    return rt_leave(add(error, &work, node, graph, from, count));
}

enum cuda_error cudaGraphAddEventRecordNode(void **node, void *graph, void *const *from,
                                            size_t count, void *event)
{
    struct runtime *rt = rt_enter(__func__);
    struct stream_work work;
    enum cuda_error error = rt ? graph_work_event(event, WORK_RECORD, &work) : rt_refusal();
    return rt_leave(add(error, &work, node, graph, from, count));
}

enum cuda_error cudaGraphAddEventWaitNode(void **node, void *graph, void *const *from, size_t count,
                                          void *event)
{
    struct runtime *rt = rt_enter(__func__);
    struct stream_work work;
    enum cuda_error error = rt ? graph_work_event(event, WORK_WAIT, &work) : rt_refusal();
    return rt_leave(add(error, &work, node, graph, from, count));
}

enum cuda_error graph_api_add_node(const char *function, void **node, void *graph,
                                   void *const *from, const struct cuda_edge *edges, size_t count,
                                   struct cuda_node_params *params)
{
    struct runtime *rt = rt_enter(function);
    struct stream_work work;
    enum cuda_error error = rt ? CUDA_INVALID_VALUE : rt_refusal();
    for (size_t i = 0; edges && i < count; i++) {
        if (edges[i].type)
            return rt_leave(CUDA_NOT_SUPPORTED);
    }
    if (rt && params)
        error = graph_work_any(rt, params, &work);
    return rt_leave(add(error, &work, node, graph, from, count));
}

enum cuda_error cudaGraphAddNode_v2(void **node, void *graph, void *const *from,
                                    const struct cuda_edge *edges, size_t count,
                                    struct cuda_node_params *params)
{
    return graph_api_add_node(__func__, node, graph, from, edges, count, params);
}

/*
 * Moves `work` into a node, if it has the kind of the node's work; otherwise frees `work`. `exec`
 * NULL: the node itself, else the node of the instantiated graph `exec` that was cloned from it.
 * Does nothing and returns `made` if `made` is an error.
 */
static enum cuda_error replace(enum cuda_error made, struct stream_work *work, void *exec,
                               void *handle)
{
    if (made != CUDA_SUCCESS)
        return made;
    const struct graph *graph = exec ? graph_from(exec) : NULL;
    struct graph_node *node = exec ? NULL : graph_node_from(handle);
    if (graph)
        node = graph_find(graph, handle);
    if (!node || node->work.kind != work->kind) {
        stream_work_free(work);
        return CUDA_INVALID_VALUE;
    }
    stream_work_free(&node->work);
    node->work = *work;
    return CUDA_SUCCESS;
}

static enum cuda_error set_kernel(const char *function, void *exec, void *node,
                                  const struct cuda_kernel_node *params)
{
    struct runtime *rt = rt_enter(function);
    struct stream_work work;
    enum cuda_error error = rt ? CUDA_INVALID_VALUE : rt_refusal();
    if (rt && params)
        error = graph_work_kernel(rt, params, &work);
    return rt_leave(replace(error, &work, exec, node));
}

enum cuda_error cudaGraphKernelNodeSetParams(void *node, const struct cuda_kernel_node *params)
{
    return set_kernel(__func__, NULL, node, params);
}

enum cuda_error cudaGraphExecKernelNodeSetParams(void *exec, void *node,
                                                 const struct cuda_kernel_node *params)
{
    return exec ? set_kernel(__func__, exec, node, params) : rt_set_last_error(CUDA_INVALID_VALUE);
}

static enum cuda_error set_copy_1d(const char *function, void *exec, void *node, void *dst,
                                   const void *src, size_t bytes, int kind)
{
    struct runtime *rt = rt_enter(function);
    struct stream_work work;
    enum cuda_error error =
        rt ? graph_work_copy_1d(rt, dst, src, bytes, kind, &work) : rt_refusal();
    return rt_leave(replace(error, &work, exec, node));
}

enum cuda_error cudaGraphMemcpyNodeSetParams1D(void *node, void *dst, const void *src, size_t bytes,
                                               int kind)
{
    return set_copy_1d(__func__, NULL, node, dst, src, bytes, kind);
}

enum cuda_error cudaGraphExecMemcpyNodeSetParams1D(void *exec, void *node, void *dst,
                                                   const void *src, size_t bytes, int kind)
{
    return exec ? set_copy_1d(__func__, exec, node, dst, src, bytes, kind)
                : rt_set_last_error(CUDA_INVALID_VALUE);
}

static enum cuda_error set_copy(const char *function, void *exec, void *node,
                                const struct cuda_copy_3d *params)
{
    struct runtime *rt = rt_enter(function);
    struct stream_work work;
    enum cuda_error error = rt ? graph_work_copy(rt, params, &work) : rt_refusal();
    return rt_leave(replace(error, &work, exec, node));
}

enum cuda_error cudaGraphMemcpyNodeSetParams(void *node, const struct cuda_copy_3d *params)
{
    return set_copy(__func__, NULL, node, params);
}

enum cuda_error cudaGraphExecMemcpyNodeSetParams(void *exec, void *node,
                                                 const struct cuda_copy_3d *params)
{
    return exec ? set_copy(__func__, exec, node, params) : rt_set_last_error(CUDA_INVALID_VALUE);
}

static enum cuda_error set_fill(const char *function, void *exec, void *node,
                                const struct cuda_fill_node *params)
{
    struct runtime *rt = rt_enter(function);
    struct stream_work work;
    enum cuda_error error = rt ? CUDA_INVALID_VALUE : rt_refusal();
    if (rt && params)
        error = graph_work_fill(params, &work);
    return rt_leave(replace(error, &work, exec, node));
}

enum cuda_error cudaGraphMemsetNodeSetParams(void *node, const struct cuda_fill_node *params)
{
    return set_fill(__func__, NULL, node, params);
}

enum cuda_error cudaGraphExecMemsetNodeSetParams(void *exec, void *node,
                                                 const struct cuda_fill_node *params)
{
    return exec ? set_fill(__func__, exec, node, params) : rt_set_last_error(CUDA_INVALID_VALUE);
}

static enum cuda_error set_host(const char *function, void *exec, void *node,
                                const struct cuda_host_node *params)
{
    struct runtime *rt = rt_enter(function);
    struct stream_work work;
    enum cuda_error error = rt ? CUDA_INVALID_VALUE : rt_refusal();
    if (rt && params)
        error = graph_work_host(params, &work);
    return rt_leave(replace(error, &work, exec, node));
}

enum cuda_error cudaGraphHostNodeSetParams(void *node, const struct cuda_host_node *params)
{
    return set_host(__func__, NULL, node, params);
}

enum cuda_error cudaGraphExecHostNodeSetParams(void *exec, void *node,
                                               const struct cuda_host_node *params)
{
    return exec ? set_host(__func__, exec, node, params) : rt_set_last_error(CUDA_INVALID_VALUE);
}

static enum cuda_error set_event(const char *function, void *exec, void *node, enum work_kind kind,
                                 void *event)
{
    struct runtime *rt = rt_enter(function);
    struct stream_work work;
    enum cuda_error error = rt ? graph_work_event(event, kind, &work) : rt_refusal();
    return rt_leave(replace(error, &work, exec, node));
}

enum cuda_error cudaGraphEventRecordNodeSetEvent(void *node, void *event)
{
    return set_event(__func__, NULL, node, WORK_RECORD, event);
}

enum cuda_error cudaGraphEventWaitNodeSetEvent(void *node, void *event)
{
    return set_event(__func__, NULL, node, WORK_WAIT, event);
}

enum cuda_error cudaGraphExecEventRecordNodeSetEvent(void *exec, void *node, void *event)
{
    return exec ? set_event(__func__, exec, node, WORK_RECORD, event)
                : rt_set_last_error(CUDA_INVALID_VALUE);
}

enum cuda_error cudaGraphExecEventWaitNodeSetEvent(void *exec, void *node, void *event)
{
    return exec ? set_event(__func__, exec, node, WORK_WAIT, event)
                : rt_set_last_error(CUDA_INVALID_VALUE);
}

/* Returns whether a graph can take the place of the child graph of a node: they have the same
 * nodes, in the order in which they were added. */
static bool fits_child(const struct graph_node *node, const struct graph *child)
{
    const struct graph *present =
        node && node->work.kind == WORK_GRAPH ? node->work.as.graph : NULL;
    if (!present || !child || present->count != child->count)
        return false;
    for (size_t i = 0; i < child->count; i++)
        if (present->node[i]->work.kind != child->node[i]->work.kind ||
            present->node[i]->deps != child->node[i]->deps)
            return false;
    return true;
}

enum cuda_error cudaGraphExecChildGraphNodeSetParams(void *exec, void *node, void *child)
{
    struct runtime *rt = rt_enter(__func__);
    const struct graph *graph = rt ? graph_from(exec) : NULL;
    struct stream_work work;
    enum cuda_error error = rt ? CUDA_INVALID_VALUE : rt_refusal();
    if (graph && fits_child(graph_find(graph, node), graph_from(child)))
        error = graph_work_child(child, &work);
    return rt_leave(replace(error, &work, exec, node));
}

enum cuda_error graph_api_set_node(const char *function, void *exec, void *node,
                                   const struct cuda_node_params *params)
{
    struct runtime *rt = rt_enter(function);
    struct stream_work work;
    enum cuda_error error = rt ? CUDA_INVALID_VALUE : rt_refusal();
    if (rt && params)
        error = graph_work_any(rt, params, &work);
    return rt_leave(replace(error, &work, exec, node));
}

enum cuda_error cudaGraphNodeSetParams(void *node, const struct cuda_node_params *params)
{
    return graph_api_set_node(__func__, NULL, node, params);
}

enum cuda_error cudaGraphExecNodeSetParams(void *exec, void *node,
                                           const struct cuda_node_params *params)
{
    return exec ? graph_api_set_node(__func__, exec, node, params)
                : rt_set_last_error(CUDA_INVALID_VALUE);
}
