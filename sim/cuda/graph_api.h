/*
 * Graph functions whose parameters differ between toolkits (abi/), and the program's graph handles.
 * `function` is the name of the API function, for messages. Each graph_api_* function enters and
 * leaves the runtime.
 */
#ifndef SIM_CUDA_GRAPH_API_H
#define SIM_CUDA_GRAPH_API_H

#include "cuda/cuda_graph.h"
#include "cuda/graph_abi.h"

/* Returns the graph that the program holds under `handle`; NULL if there is none. */
struct graph *graph_from(void *handle);
/* Returns the node with this handle in one of the program's graphs; NULL if there is none. */
struct graph_node *graph_node_from(void *handle);

/*
 * Adds `count` dependencies: to[i] on from[i]. `edges` NULL: ordinary dependencies; other kinds
 * return CUDA_NOT_SUPPORTED.
 */
enum cuda_error graph_api_add_edges(const char *function, void *graph, void *const *from,
                                    void *const *to, const struct cuda_edge *edges, size_t count);
/* Removes `count` dependencies: of to[i] on from[i]. */
enum cuda_error graph_api_remove_edges(const char *function, void *graph, void *const *from,
                                       void *const *to, size_t count);
/*
 * Lists the dependencies of a graph. *count: in, the room of the lists; out, the number of
 * elements. `edges`, NULL or a list of *count, is cleared.
 */
enum cuda_error graph_api_edges(const char *function, void *graph, void **from, void **to,
                                struct cuda_edge *edges, size_t *count);
/* Lists the nodes that `node` depends on; parameters as for graph_api_edges. */
enum cuda_error graph_api_dependencies(const char *function, void *node, void **list,
                                       struct cuda_edge *edges, size_t *count);
/* Lists the nodes that depend on `node`; parameters as for graph_api_edges. */
enum cuda_error graph_api_dependents(const char *function, void *node, void **list,
                                     struct cuda_edge *edges, size_t *count);
/* Adds a node of any kind that depends on the `count` nodes in from[]. */
enum cuda_error graph_api_add_node(const char *function, void **node, void *graph,
                                   void *const *from, const struct cuda_edge *edges, size_t count,
                                   struct cuda_node_params *params);

/*
 * Gives a node other parameters of the same kind. `exec` NULL: the node itself, else the node of
 * the instantiated graph `exec` that was cloned from it.
 */
enum cuda_error graph_api_set_node(const char *function, void *exec, void *node,
                                   const struct cuda_node_params *params);

/* Instantiates a graph: *exec is a clone. */
enum cuda_error graph_api_instantiate(const char *function, void **exec, void *graph);
/*
 * Gives the nodes of `exec` the work of the nodes of `graph`. *result: enum cuda_update; *node: the
 * first node of `graph` that does not fit, else NULL. Both may be NULL.
 */
enum cuda_error graph_api_update(const char *function, void *exec, void *graph, int *result,
                                 void **node);

/*
 * Describes the capture of a stream. All pointers but `status` may be NULL; the lists belong to the
 * stream.
 */
enum cuda_error graph_api_capture_info(const char *function, void *stream, int *status,
                                       unsigned long long *id, void **graph, void *const **from,
                                       const struct cuda_edge **edges, size_t *count);
/*
 * Replaces the nodes that the stream captured last by from[], or adds from[] to them, by `flags`.
 */
enum cuda_error graph_api_set_dependencies(const char *function, void *stream, void *const *from,
                                           size_t count, unsigned flags);

/*
 * Registers a graph as a handle of the program. Returns false if out of memory or if `graph` is
 * NULL.
 */
bool graph_handle_add(struct graph *graph);
/* Removes a graph from the handles. The caller frees the graph. */
void graph_handle_remove(const struct graph *graph);

#endif
