/* Graphs: nodes with dependencies, clones, and execution in dependency order. */
#include "cuda/cuda_graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "cuda/checking.h"

struct graph *graph_create(void)
{
    return calloc(1, sizeof(struct graph));
}

static void free_node(struct graph_node *node)
{
    stream_work_free(&node->work);
    free((void *)node->dep);
    free((void *)node->arguments);
    free(node);
}

void graph_destroy(struct graph *graph)
{
    if (!graph)
        return;
    for (size_t i = 0; i < graph->count; i++)
        free_node(graph->node[i]);
    free((void *)graph->node);
    user_references_clear(&graph->held);
    free(graph);
}

bool graph_has(const struct graph *graph, const struct graph_node *node)
{
    for (size_t i = 0; i < graph->count; i++) {
        if (graph->node[i] == node)
            return true;
    }
    return false;
}

static bool append(struct graph *graph, struct graph_node *node)
{
    if (graph->count == graph->room) {
        size_t room = graph->room ? 2 * graph->room : 16;
        void *list = realloc((void *)graph->node, room * sizeof(struct graph_node *));
        if (!list)
            return false;
        graph->node = list;
        graph->room = room;
    }
    node->graph = graph;
    graph->node[graph->count++] = node;
    return true;
}

struct graph_node *graph_add(struct graph *graph, const struct stream_work *work,
                             struct graph_node *const *dep, size_t deps)
{
    for (size_t i = 0; i < deps; i++) {
        if (!graph_has(graph, dep[i]))
            return NULL;
    }
    struct graph_node *node = calloc(1, sizeof *node);
    if (!node)
        return NULL;
    if (!stream_work_copy(&node->work, work)) {
        free(node);
        return NULL;
    }
    bool done = true;
    for (size_t i = 0; i < deps && done; i++)
        done = graph_add_dependency(node, dep[i]);
    if (done && append(graph, node))
        return node;
    free_node(node);
    return NULL;
}

bool graph_add_dependency(struct graph_node *to, struct graph_node *from)
{
    for (size_t i = 0; i < to->deps; i++) {
        if (to->dep[i] == from)
            return true;
    }
    void *list = realloc((void *)to->dep, (to->deps + 1) * sizeof(struct graph_node *));
    if (!list)
        return false;
    to->dep = list;
    to->dep[to->deps++] = from;
    return true;
}

bool graph_remove_dependency(struct graph_node *to, const struct graph_node *from)
{
    for (size_t i = 0; i < to->deps; i++) {
        if (to->dep[i] != from)
            continue;
        to->dep[i] = to->dep[--to->deps];
        return true;
    }
    return false;
}

void graph_remove(struct graph_node *node)
{
    struct graph *graph = node->graph;
    size_t kept = 0;
    for (size_t i = 0; i < graph->count; i++) {
        if (graph->node[i] == node)
            continue;
        (void)graph_remove_dependency(graph->node[i], node);
        graph->node[kept++] = graph->node[i];
    }
    SIMSM_CHECK(kept + 1 == graph->count, "a node is %zu times in its graph of %zu nodes",
                graph->count - kept, graph->count);
    graph->count = kept;
    free_node(node);
}

struct graph *graph_clone(const struct graph *graph)
{
    struct graph *clone = graph_create();
    bool done = clone && user_references_copy(&clone->held, &graph->held);
    for (size_t i = 0; i < graph->count && done; i++) {
        struct graph_node *from = graph->node[i];
        from->copy = graph_add(clone, &from->work, NULL, 0);
        done = from->copy != NULL;
        if (!done)
            break;
        from->copy->origin = from;
        from->copy->disabled = from->disabled;
    }
    for (size_t i = 0; i < graph->count && done; i++) {
        const struct graph_node *from = graph->node[i];
        for (size_t d = 0; d < from->deps && done; d++) {
            SIMSM_CHECK(from->dep[d]->graph == graph, "node %zu depends on another graph's node",
                        i);
            done = graph_add_dependency(from->copy, from->dep[d]->copy);
        }
    }
    if (done)
        return clone;
    graph_destroy(clone);
    return NULL;
}

struct graph_node *graph_find(const struct graph *graph, const struct graph_node *origin)
{
    for (size_t i = 0; i < graph->count; i++) {
        if (graph->node[i]->origin == origin)
            return graph->node[i];
    }
    return NULL;
}

/* Returns whether `from` is `node` or depends on it. `done` marks the nodes that were searched. */
static bool reaches(struct graph_node *from, const struct graph_node *node)
{
    if (from == node)
        return true;
    if (from->done)
        return false;
    from->done = true;
    for (size_t i = 0; i < from->deps; i++) {
        if (reaches(from->dep[i], node))
            return true;
    }
    return false;
}

bool graph_reaches(struct graph_node *const *from, size_t count, const struct graph_node *node)
{
    for (size_t i = 0; i < node->graph->count; i++)
        node->graph->node[i]->done = false;
    for (size_t i = 0; i < count; i++) {
        if (reaches(from[i], node))
            return true;
    }
    return false;
}

static bool is_ready(const struct graph_node *node)
{
    if (node->done)
        return false;
    for (size_t i = 0; i < node->deps; i++) {
        if (!node->dep[i]->done)
            return false;
    }
    return true;
}

/*
 * Visits the nodes, each node after its dependencies, and runs their work unless rt is NULL.
 * Returns CUDA_INVALID_VALUE if dependencies form a cycle.
 */
static enum cuda_error run_in_order(struct runtime *rt, struct graph *graph)
{
    enum cuda_error error = CUDA_SUCCESS;
    size_t left = graph->count;
    for (size_t i = 0; i < graph->count; i++)
        graph->node[i]->done = false;
    for (bool moved = true; left && moved;) {
        moved = false;
        for (size_t i = 0; i < graph->count && error == CUDA_SUCCESS; i++) {
            struct graph_node *node = graph->node[i];
            if (!is_ready(node))
                continue;
            if (rt)
                checking_node_begins(rt, node);
            if (rt && !node->disabled)
                error = stream_work_run(rt, &node->work);
            if (rt)
                checking_node_ends(rt, node);
            node->done = true;
            moved = true;
            left--;
        }
    }
    return left && error == CUDA_SUCCESS ? CUDA_INVALID_VALUE : error;
}

enum cuda_error graph_run(struct runtime *rt, struct graph *graph)
{
    const enum cuda_error error = run_in_order(rt, graph);
    checking_graph_ends(rt, graph);
    return error;
}

bool graph_is_acyclic(struct graph *graph)
{
    return run_in_order(NULL, graph) == CUDA_SUCCESS;
}
