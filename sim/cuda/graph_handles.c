/*
 * The graphs that the program holds. Every handle from the program is looked up in this list before
 * use.
 */
#include <stdlib.h>

#include "cuda/graph_api.h"

static struct graph **graphs;
static size_t count, room;

bool graph_handle_add(struct graph *graph)
{
    if (!graph)
        return false;
    if (count == room) {
        size_t more = room ? 2 * room : 16;
        void *list = realloc((void *)graphs, more * sizeof(struct graph *));
        if (!list)
            return false;
        graphs = list;
        room = more;
    }
    graphs[count++] = graph;
    return true;
}

void graph_handle_remove(const struct graph *graph)
{
    for (size_t i = 0; i < count; i++) {
        if (graphs[i] == graph)
            graphs[i--] = graphs[--count];
    }
}

struct graph *graph_from(void *handle)
{
    for (size_t i = 0; i < count; i++) {
        if (graphs[i] == handle)
            return graphs[i];
    }
    return NULL;
}

struct graph_node *graph_node_from(void *handle)
{
    for (size_t i = 0; i < count; i++) {
        if (graph_has(graphs[i], handle))
            return handle;
    }
    return NULL;
}
