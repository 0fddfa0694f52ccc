/* What nodes of a graph do, from what programs describe. */
#ifndef SIM_CUDA_GRAPH_WORK_H
#define SIM_CUDA_GRAPH_WORK_H

#include "cuda/graph_abi.h"
#include "cuda/stream_work.h"

/* Each fills *work, to be freed with stream_work_free, or fails and leaves nothing to free. */
enum cuda_error graph_work_kernel(struct runtime *rt, const struct cuda_kernel_node *params,
                                  struct stream_work *work);
enum cuda_error graph_work_copy(struct runtime *rt, const struct cuda_copy_3d *params,
                                struct stream_work *work);
enum cuda_error graph_work_copy_1d(struct runtime *rt, void *dst, const void *src, size_t bytes,
                                   int kind, struct stream_work *work);
enum cuda_error graph_work_fill(const struct cuda_fill_node *params, struct stream_work *work);
enum cuda_error graph_work_host(const struct cuda_host_node *params, struct stream_work *work);
enum cuda_error graph_work_child(void *graph, struct stream_work *work);
enum cuda_error graph_work_event(void *event, enum work_kind kind, struct stream_work *work);
/* By the type in *params. */
enum cuda_error graph_work_any(struct runtime *rt, const struct cuda_node_params *params,
                               struct stream_work *work);

#endif
