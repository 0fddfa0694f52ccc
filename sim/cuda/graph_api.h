/* Parts of the graph API whose functions have other parameters in other toolkits (abi/). */
#ifndef SIM_CUDA_GRAPH_API_H
#define SIM_CUDA_GRAPH_API_H

#include "cuda/cuda_graph.h"
#include "cuda/graph_abi.h"

/* Handles of the program, checked; NULL: not one of them. */
struct graph *graph_from(void *handle);
struct graph_node *graph_node_from(void *handle);

/* `edges` may be NULL, and where it is not, must ask for ordinary dependencies. */
enum cuda_error graph_api_add_edges(const char *function, void *graph, void *const *from,
                                    void *const *to, const struct cuda_edge *edges, size_t count);
enum cuda_error graph_api_remove_edges(const char *function, void *graph, void *const *from,
                                       void *const *to, size_t count);
/* Each gives the number, and as many as `count` has room for; `edges` may be NULL. */
enum cuda_error graph_api_edges(const char *function, void *graph, void **from, void **to,
                                struct cuda_edge *edges, size_t *count);
enum cuda_error graph_api_dependencies(const char *function, void *node, void **list,
                                       struct cuda_edge *edges, size_t *count);
enum cuda_error graph_api_dependents(const char *function, void *node, void **list,
                                     struct cuda_edge *edges, size_t *count);
enum cuda_error graph_api_add_node(const char *function, void **node, void *graph,
                                   void *const *from, const struct cuda_edge *edges, size_t count,
                                   struct cuda_node_params *params);

enum cuda_error graph_api_instantiate(const char *function, void **exec, void *graph);
/* What has changed; *node is the node of `graph` at fault. */
enum cuda_error graph_api_update(const char *function, void *exec, void *graph, int *result,
                                 void **node);

enum cuda_error graph_api_capture_info(const char *function, void *stream, int *status,
                                       unsigned long long *id, void **graph, void *const **from,
                                       const struct cuda_edge **edges, size_t *count);
enum cuda_error graph_api_set_dependencies(const char *function, void *stream, void *const *from,
                                           size_t count, unsigned flags);

/* Registers a graph that was made elsewhere (captured) as a handle; false: out of memory. */
bool graph_handle_add(struct graph *graph);
void graph_handle_remove(const struct graph *graph);

#endif
