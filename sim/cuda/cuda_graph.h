/* Graphs: work with dependencies, captured from streams or built node by node. */
#ifndef SIM_CUDA_CUDA_GRAPH_H
#define SIM_CUDA_CUDA_GRAPH_H

#include <stdbool.h>
#include <stddef.h>

#include "cuda/stream_work.h"

struct graph_node {
    struct graph *graph;
    struct stream_work work; /* owned */
    struct graph_node **dep; /* [deps]: what must be done before */
    size_t deps;
    bool disabled;
    bool done;                       /* while the graph runs */
    const struct graph_node *origin; /* in a clone: the node that it was made from */
    struct graph_node *copy;         /* while the graph is cloned */
    void **arguments;                /* pointers that the program has been given; owned */
};

struct graph {
    struct graph_node **node; /* [count] in the order in which they were added */
    size_t count, room;
};

struct graph *graph_create(void);
/* NULL is allowed. */
void graph_destroy(struct graph *graph);

/* A copy whose nodes have the originals as their origin; NULL: out of memory. */
struct graph *graph_clone(const struct graph *graph);

/* Adds a node with a copy of `work`; NULL: out of memory, or a dependency of another graph. */
struct graph_node *graph_add(struct graph *graph, const struct stream_work *work,
                             struct graph_node *const *dep, size_t deps);

/* Adds the dependency of `to` on `from`; one that is there stays one. False: out of memory. */
bool graph_add_dependency(struct graph_node *to, struct graph_node *from);
/* False: there is no such dependency. */
bool graph_remove_dependency(struct graph_node *to, const struct graph_node *from);

void graph_remove(struct graph_node *node);

/* The node of a clone that was made from `origin`, or NULL. */
struct graph_node *graph_find(const struct graph *graph, const struct graph_node *origin);

/* Whether the node is one of the graph's. */
bool graph_has(const struct graph *graph, const struct graph_node *node);

/* Whether `node` is one of those, or what one of them waits for, at once or through others. */
bool graph_reaches(struct graph_node *const *from, size_t count, const struct graph_node *node);

/* Does the work, each node after those that it depends on. */
enum cuda_error graph_run(struct runtime *rt, struct graph *graph);

/* False: some nodes wait for each other. */
bool graph_is_acyclic(struct graph *graph);

#endif
