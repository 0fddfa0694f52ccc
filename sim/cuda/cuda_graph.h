/* Graphs: nodes of work with dependencies, captured from streams or built node by node. */
#ifndef SIM_CUDA_CUDA_GRAPH_H
#define SIM_CUDA_CUDA_GRAPH_H

#include <stdbool.h>
#include <stddef.h>

#include "cuda/stream_work.h"
#include "cuda/user_object.h"
#include "sanitize/stream_order.h"

/* A run of a node, to the sanitizer: an operation of a stream that a chain of nodes shares. */
struct node_stream {
    uint64_t id;
    bool continued;            /* another node of the chain has gone on with it */
    struct stream_clock clock; /* behind the node */
};

struct graph_node {
    struct graph *graph;
    struct stream_work work; /* owned */
    struct graph_node **dep; /* [deps] the nodes that must be done before this node */
    size_t deps;
    bool disabled;
    size_t index;                    /* scratch: place in the graph */
    bool done;                       /* scratch: visited by a walk over the graph */
    const struct graph_node *origin; /* in a clone: the node that this node was copied from */
    struct graph_node *copy;         /* scratch: the copy, while graph_clone runs */
    struct node_stream ran;          /* simsm check: as which stream it ran */
    void **arguments;                /* pointers to parameters that the program received; owned */
};

struct graph {
    struct graph_node **node; /* [count] in order of creation */
    size_t count, room;
    struct user_references held; /* of objects of the program */
};

/* Returns an empty graph; NULL if out of memory. */
struct graph *graph_create(void);
/* Frees a graph with its nodes. NULL is allowed. */
void graph_destroy(struct graph *graph);

/* Returns a copy whose nodes have the nodes of `graph` as their origin; NULL if out of memory. */
struct graph *graph_clone(const struct graph *graph);

/*
 * Adds a node with a copy of `work`. Returns NULL if out of memory, or if a dependency is in
 * another graph.
 */
struct graph_node *graph_add(struct graph *graph, const struct stream_work *work,
                             struct graph_node *const *dep, size_t deps);

/*
 * Makes `to` depend on `from`; does nothing if it depends on it already. Returns false if out of
 * memory.
 */
bool graph_add_dependency(struct graph_node *to, struct graph_node *from);
/* Removes the dependency of `to` on `from`. Returns false if there is no such dependency. */
bool graph_remove_dependency(struct graph_node *to, const struct graph_node *from);

/* Removes a node and all dependencies on it from its graph, and frees the node. */
void graph_remove(struct graph_node *node);

/* Returns the node of a clone that was copied from `origin`; NULL if there is none. */
struct graph_node *graph_find(const struct graph *graph, const struct graph_node *origin);

/* Returns whether the node is in the graph. `node` may be any pointer. */
bool graph_has(const struct graph *graph, const struct graph_node *node);

/*
 * Returns whether one of the `count` nodes in from[] is `node` or depends on it, directly or
 * through other nodes.
 */
bool graph_reaches(struct graph_node *const *from, size_t count, const struct graph_node *node);

/*
 * Runs the work of the nodes that are not disabled, each node after its dependencies. Stops at the
 * first error.
 */
enum cuda_error graph_run(struct runtime *rt, struct graph *graph);

/* Returns false if dependencies form a cycle. */
bool graph_is_acyclic(struct graph *graph);

#endif
