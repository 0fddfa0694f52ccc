/* Questions about graph nodes; removes, enables and disables nodes. */
#include "cuda/cuda_code.h"
#include "cuda/graph_api.h"

/*
 * Enters a call about a node. Returns the node; NULL with *error set if there is no such node or no
 * device.
 */
static struct graph_node *enter(const char *function, void *handle, enum cuda_error *error)
{
    struct runtime *rt = rt_enter(function);
    struct graph_node *node = rt ? graph_node_from(handle) : NULL;
    *error = CUDA_SUCCESS;
    if (!node)
        *error = rt ? CUDA_INVALID_VALUE : rt_refusal();
    return node;
}

enum cuda_error cudaGraphNodeGetType(void *handle, int *type)
{
    enum cuda_error error;
    const struct graph_node *node = enter(__func__, handle, &error);
    if (node && !type)
        error = CUDA_INVALID_VALUE;
    else if (node)
        *type = (int)node->work.kind;
    return rt_leave(error);
}

enum cuda_error cudaGraphDestroyNode(void *handle)
{
    enum cuda_error error;
    struct graph_node *node = enter(__func__, handle, &error);
    if (node)
        graph_remove(node);
    error = rt_leave(error);
    user_objects_bury(); /* a child graph may have held the last reference */
    return error;
}

enum cuda_error cudaGraphNodeFindInClone(void **found, void *origin, void *clone)
{
    struct runtime *rt = rt_enter(__func__);
    const struct graph *graph = rt ? graph_from(clone) : NULL;
    struct graph_node *node = graph ? graph_find(graph, origin) : NULL;
    if (!node || !found)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    *found = node;
    return rt_leave(CUDA_SUCCESS);
}

/*
 * Enters a call about the node of an instantiated graph that was cloned from `origin`. Returns NULL
 * with *error set if the node is not a kernel, copy or fill: only such nodes can be disabled.
 */
static struct graph_node *node_in_exec(const char *function, void *exec, void *origin,
                                       enum cuda_error *error)
{
    struct runtime *rt = rt_enter(function);
    const struct graph *graph = rt ? graph_from(exec) : NULL;
    struct graph_node *node = graph ? graph_find(graph, origin) : NULL;
    if (node && node->work.kind > WORK_FILL)
        node = NULL;
    *error = CUDA_SUCCESS;
    if (!node)
        *error = rt ? CUDA_INVALID_VALUE : rt_refusal();
    return node;
}

enum cuda_error cudaGraphNodeSetEnabled(void *exec, void *origin, unsigned enabled)
{
    enum cuda_error error;
    struct graph_node *node = node_in_exec(__func__, exec, origin, &error);
    if (node)
        node->disabled = !enabled;
    return rt_leave(error);
}

enum cuda_error cudaGraphNodeGetEnabled(void *exec, void *origin, unsigned *enabled)
{
    enum cuda_error error;
    const struct graph_node *node = node_in_exec(__func__, exec, origin, &error);
    if (node && !enabled)
        error = CUDA_INVALID_VALUE;
    else if (node)
        *enabled = !node->disabled;
    return rt_leave(error);
}

enum cuda_error cudaGraphChildGraphNodeGetGraph(void *handle, void **graph)
{
    enum cuda_error error;
    const struct graph_node *node = enter(__func__, handle, &error);
    if (node && (node->work.kind != WORK_GRAPH || !graph))
        error = CUDA_INVALID_VALUE;
    else if (node)
        *graph = node->work.as.graph;
    return rt_leave(error);
}

enum cuda_error cudaGraphHostNodeGetParams(void *handle, struct cuda_host_node *params)
{
    enum cuda_error error;
    const struct graph_node *node = enter(__func__, handle, &error);
    if (node && (node->work.kind != WORK_HOST || !params))
        error = CUDA_INVALID_VALUE;
    else if (node)
        *params = (struct cuda_host_node){node->work.as.host.function, node->work.as.host.data};
    return rt_leave(error);
}

enum cuda_error cudaGraphMemsetNodeGetParams(void *handle, struct cuda_fill_node *params)
{
    enum cuda_error error;
    const struct graph_node *node = enter(__func__, handle, &error);
    if (node && (node->work.kind != WORK_FILL || !params)) {
        error = CUDA_INVALID_VALUE;
    } else if (node) {
        const struct fill *fill = &node->work.as.fill;
        *params = (struct cuda_fill_node){fill->dst,     fill->pitch, fill->value,
                                          fill->element, fill->width, fill->height};
    }
    return rt_leave(error);
}

static enum cuda_error get_event(const char *function, void *handle, enum work_kind kind,
                                 void **event)
{
    enum cuda_error error;
    const struct graph_node *node = enter(function, handle, &error);
    if (node && (node->work.kind != kind || !event))
        error = CUDA_INVALID_VALUE;
    else if (node)
        *event = node->work.as.event;
    return rt_leave(error);
}

enum cuda_error cudaGraphEventRecordNodeGetEvent(void *handle, void **event)
{
    return get_event(__func__, handle, WORK_RECORD, event);
}

enum cuda_error cudaGraphEventWaitNodeGetEvent(void *handle, void **event)
{
    return get_event(__func__, handle, WORK_WAIT, event);
}
