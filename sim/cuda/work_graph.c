/* The nodes of a graph as work. */
#include <stdlib.h>

#include "cuda/cuda_graph.h"
#include "cuda/cuda_stream.h"
#include "cuda/work_inner.h"

/* What the nodes of a graph have become. */
struct node_work {
    struct work *begin, *end; /* the same, unless the node is a graph */
};

static enum cuda_error add_node(struct work_queue *queue, const struct graph_node *node,
                                struct stream *stream, struct node_work *added)
{
    const struct stream_work *what = node->disabled ? &work_nothing : &node->work;
    if (what->kind != WORK_GRAPH) {
        enum cuda_error error = work_add(queue, what, stream, &added->begin);
        added->end = added->begin ? work_hold(added->begin) : NULL;
        if (added->begin)
            added->begin->in_graph = true;
        return error;
    }
    added->begin = work_new(queue, &work_nothing, stream->id, stream->priority);
    return added->begin ? work_add_graph(queue, what->as.graph, stream, added->begin, &added->end)
                        : CUDA_MEMORY_ALLOCATION;
}

/* The first nodes wait for the graph's begin. */
static void delay_roots(const struct work_queue *queue, const struct graph *graph,
                        const struct node_work *added)
{
    const struct simsm_config *config = &queue->rt->config;
    size_t roots = 0;
    for (size_t i = 0; i < graph->count; i++)
        roots += graph->node[i]->deps == 0;
    const double ns = config->streams_graph_ns + (double)(roots - 1) * config->streams_branch_ns;
    for (size_t i = 0; i < graph->count; i++)
        if (graph->node[i]->deps == 0)
            added[i].begin->delay = work_cycles(queue, ns);
}

static bool link_nodes(const struct graph *graph, const struct node_work *added,
                       struct work *before, struct work *end)
{
    bool done = true;
    for (size_t i = 0; i < graph->count; i++) {
        const struct graph_node *node = graph->node[i];
        if (node->deps == 0)
            done = done && work_link(before, added[i].begin);
        for (size_t d = 0; d < node->deps; d++)
            done = done && work_link(added[node->dep[d]->index].end, added[i].begin);
        done = done && work_link(added[i].end, end);
    }
    return done && (graph->count || work_link(before, end));
}

enum cuda_error work_add_graph(struct work_queue *queue, struct graph *graph, struct stream *stream,
                               struct work *before, struct work **end)
{
    struct node_work *added = calloc(graph->count ? graph->count : 1, sizeof *added);
    enum cuda_error error = added ? CUDA_SUCCESS : CUDA_MEMORY_ALLOCATION;
    for (size_t i = 0; error == CUDA_SUCCESS && i < graph->count; i++) {
        graph->node[i]->index = i;
        error = add_node(queue, graph->node[i], stream, &added[i]);
    }
    *end =
        error == CUDA_SUCCESS ? work_new(queue, &work_nothing, stream->id, stream->priority) : NULL;
    if (error == CUDA_SUCCESS && (!*end || !link_nodes(graph, added, before, *end)))
        error = CUDA_MEMORY_ALLOCATION;
    if (error == CUDA_SUCCESS && graph->count)
        delay_roots(queue, graph, added);
    for (size_t i = 0; added && i < graph->count; i++) {
        if (added[i].begin)
            work_settle(queue, added[i].begin);
        work_release(added[i].begin);
        work_release(added[i].end);
    }
    if (*end)
        work_settle(queue, *end);
    free(added);
    return error;
}
