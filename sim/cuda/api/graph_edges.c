/* Nodes of a graph and the dependencies between nodes: list, add, remove. */
#include "cuda/graph_api.h"

/*
 * A list for the program. The program calls twice: with list NULL to get the count, then with room
 * for the list.
 */
struct listing {
    void **list;
    size_t room, count;
};

static void list_add(struct listing *listing, void *what)
{
    if (listing->list && listing->count < listing->room)
        listing->list[listing->count] = what;
    listing->count++;
}

/*
 * Sets *count to the number of elements (list NULL), or to the number of elements filled in. Clears
 * the unused elements.
 */
static void list_end(const struct listing *listing, size_t *count)
{
    if (!listing->list) {
        *count = listing->count;
        return;
    }
    for (size_t i = listing->count; i < listing->room; i++)
        listing->list[i] = NULL;
    *count = listing->count < listing->room ? listing->count : listing->room;
}

static enum cuda_error list_nodes(const char *function, void *handle, void **list, size_t *count,
                                  bool roots)
{
    struct runtime *rt = rt_enter(function);
    const struct graph *graph = rt ? graph_from(handle) : NULL;
    if (!graph || !count)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    struct listing listing = {list, *count, 0};
    for (size_t i = 0; i < graph->count; i++) {
        if (!roots || graph->node[i]->deps == 0)
            list_add(&listing, graph->node[i]);
    }
    list_end(&listing, count);
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error cudaGraphGetNodes(void *graph, void **list, size_t *count)
{
    return list_nodes(__func__, graph, list, count, false);
}

enum cuda_error cudaGraphGetRootNodes(void *graph, void **list, size_t *count)
{
    return list_nodes(__func__, graph, list, count, true);
}

/* Returns whether all edges are ordinary dependencies: no ports, type 0. */
static bool are_ordinary(const struct cuda_edge *edges, size_t count)
{
    for (size_t i = 0; edges && i < count; i++) {
        if (edges[i].from_port || edges[i].to_port || edges[i].type)
            return false;
    }
    return true;
}

static enum cuda_error change_edges(const char *function, void *handle, void *const *from,
                                    void *const *to, size_t count, bool add)
{
    struct runtime *rt = rt_enter(function);
    const struct graph *graph = rt ? graph_from(handle) : NULL;
    if (!graph || (count && (!from || !to)))
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    for (size_t i = 0; i < count; i++) {
        if (!graph_has(graph, from[i]) || !graph_has(graph, to[i]) || from[i] == to[i])
            return rt_leave(CUDA_INVALID_VALUE);
        if (add ? !graph_add_dependency(to[i], from[i]) : !graph_remove_dependency(to[i], from[i]))
            return rt_leave(add ? CUDA_MEMORY_ALLOCATION : CUDA_INVALID_VALUE);
    }
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error graph_api_add_edges(const char *function, void *graph, void *const *from,
                                    void *const *to, const struct cuda_edge *edges, size_t count)
{
    if (!are_ordinary(edges, count))
        return CUDA_NOT_SUPPORTED;
    return change_edges(function, graph, from, to, count, true);
}

enum cuda_error graph_api_remove_edges(const char *function, void *graph, void *const *from,
                                       void *const *to, size_t count)
{
    return change_edges(function, graph, from, to, count, false);
}

static void clear_edges(struct cuda_edge *edges, size_t count)
{
    for (size_t i = 0; edges && i < count; i++)
        edges[i] = (struct cuda_edge){0};
}

enum cuda_error graph_api_edges(const char *function, void *handle, void **from, void **to,
                                struct cuda_edge *edges, size_t *count)
{
    struct runtime *rt = rt_enter(function);
    const struct graph *graph = rt ? graph_from(handle) : NULL;
    if (!graph || !count)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    struct listing froms = {from, *count, 0}, tos = {to, *count, 0};
    clear_edges(edges, *count);
    for (size_t i = 0; i < graph->count; i++) {
        for (size_t d = 0; d < graph->node[i]->deps; d++) {
            list_add(&froms, graph->node[i]->dep[d]);
            list_add(&tos, graph->node[i]);
        }
    }
    size_t same = *count;
    list_end(&tos, &same);
    list_end(&froms, count);
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error graph_api_dependencies(const char *function, void *handle, void **list,
                                       struct cuda_edge *edges, size_t *count)
{
    struct runtime *rt = rt_enter(function);
    const struct graph_node *node = rt ? graph_node_from(handle) : NULL;
    if (!node || !count)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    struct listing listing = {list, *count, 0};
    clear_edges(edges, *count);
    for (size_t d = 0; d < node->deps; d++)
        list_add(&listing, node->dep[d]);
    list_end(&listing, count);
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error graph_api_dependents(const char *function, void *handle, void **list,
                                     struct cuda_edge *edges, size_t *count)
{
    struct runtime *rt = rt_enter(function);
    const struct graph_node *node = rt ? graph_node_from(handle) : NULL;
    if (!node || !count)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    struct listing listing = {list, *count, 0};
    clear_edges(edges, *count);
    for (size_t i = 0; i < node->graph->count; i++) {
        struct graph_node *other = node->graph->node[i];
        for (size_t d = 0; d < other->deps; d++) {
            if (other->dep[d] == node)
                list_add(&listing, other);
        }
    }
    list_end(&listing, count);
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error cudaGraphAddDependencies_v2(void *graph, void *const *from, void *const *to,
                                            const struct cuda_edge *edges, size_t count)
{
    return graph_api_add_edges(__func__, graph, from, to, edges, count);
}

enum cuda_error cudaGraphRemoveDependencies_v2(void *graph, void *const *from, void *const *to,
                                               const struct cuda_edge *edges, size_t count)
{
    (void)edges;
    return graph_api_remove_edges(__func__, graph, from, to, count);
}

enum cuda_error cudaGraphGetEdges_v2(void *graph, void **from, void **to, struct cuda_edge *edges,
                                     size_t *count)
{
    return graph_api_edges(__func__, graph, from, to, edges, count);
}

enum cuda_error cudaGraphNodeGetDependencies_v2(void *node, void **list, struct cuda_edge *edges,
                                                size_t *count)
{
    return graph_api_dependencies(__func__, node, list, edges, count);
}

enum cuda_error cudaGraphNodeGetDependentNodes_v2(void *node, void **list, struct cuda_edge *edges,
                                                  size_t *count)
{
    return graph_api_dependents(__func__, node, list, edges, count);
}
