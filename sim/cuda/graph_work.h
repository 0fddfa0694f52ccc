/*
 * Makes the work of graph nodes from the structs of the API. Each function fills *work, which must
 * be freed with stream_work_free. After an error there is nothing to free.
 */
#ifndef SIM_CUDA_GRAPH_WORK_H
#define SIM_CUDA_GRAPH_WORK_H

#include "cuda/graph_abi.h"
#include "cuda/stream_work.h"

/* Makes a kernel launch, checked as by launch_prepare. */
enum cuda_error graph_work_kernel(struct runtime *rt, const struct cuda_kernel_node *params,
                                  struct stream_work *work);
/* Makes a copy in three dimensions; checks the addresses. */
enum cuda_error graph_work_copy(struct runtime *rt, const struct cuda_copy_3d *params,
                                struct stream_work *work);
/* Makes a copy of `bytes` bytes; checks the addresses. `kind`: enum cuda_copy_kind. */
enum cuda_error graph_work_copy_1d(struct runtime *rt, void *dst, const void *src, size_t bytes,
                                   int kind, struct stream_work *work);
/* Makes a fill of rows of elements; checked when it runs. */
enum cuda_error graph_work_fill(const struct cuda_fill_node *params, struct stream_work *work);
/* Makes a call of a host function. */
enum cuda_error graph_work_host(const struct cuda_host_node *params, struct stream_work *work);
/* Makes a run of a clone of the graph with this handle. */
enum cuda_error graph_work_child(void *graph, struct stream_work *work);
/* Makes a record of the event with this handle (WORK_RECORD), or a wait for it (WORK_WAIT). */
enum cuda_error graph_work_event(void *event, enum work_kind kind, struct stream_work *work);
/* Makes work of the kind params->type. Unsupported kinds print a message. */
enum cuda_error graph_work_any(struct runtime *rt, const struct cuda_node_params *params,
                               struct stream_work *work);

#endif
