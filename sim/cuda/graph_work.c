/* Work of graph nodes, made of the structs that programs pass. */
#include "cuda/graph_work.h"

#include "cuda/cuda_launch.h"
#include "cuda/cuda_stream.h"
#include "cuda/graph_api.h"
#include "cuda/transfer_times.h"

enum cuda_error graph_work_kernel(struct runtime *rt, const struct cuda_kernel_node *params,
                                  struct stream_work *work)
{
    const struct launch_request request = {.stub = params->function,
                                           .grid = params->grid,
                                           .block = params->block,
                                           .arguments = params->arguments,
                                           .extra = params->extra,
                                           .shared = params->shared,
                                           .carveout_percent = -1};
    return launch_prepare(rt, &request, work);
}

enum cuda_error graph_work_copy(struct runtime *rt, const struct cuda_copy_3d *params,
                                struct stream_work *work)
{
    *work = (struct stream_work){.kind = WORK_COPY};
    const enum cuda_error error = copy_from_3d(rt, params, &work->as.copy);
    struct transfer transfer;
    return error == CUDA_SUCCESS ? stream_work_check(rt, work, &transfer) : error;
}

enum cuda_error graph_work_copy_1d(struct runtime *rt, void *dst, const void *src, size_t bytes,
                                   int kind, struct stream_work *work)
{
    *work = (struct stream_work){.kind = WORK_COPY,
                                 .as.copy = {.dst = dst,
                                             .src = src,
                                             .width = bytes,
                                             .height = 1,
                                             .depth = 1,
                                             .kind = (enum cuda_copy_kind)kind}};
    struct transfer transfer;
    return stream_work_check(rt, work, &transfer);
}

enum cuda_error graph_work_fill(const struct cuda_fill_node *params, struct stream_work *work)
{
    *work = (struct stream_work){.kind = WORK_FILL,
                                 .as.fill = {.dst = params->dst,
                                             .pitch = params->pitch,
                                             .value = params->value,
                                             .element = params->element,
                                             .width = params->width,
                                             .height = params->height,
                                             .depth = 1}};
    return CUDA_SUCCESS;
}

enum cuda_error graph_work_host(const struct cuda_host_node *params, struct stream_work *work)
{
    *work = (struct stream_work){.kind = WORK_HOST, .as.host = {params->function, params->data}};
    return params->function ? CUDA_SUCCESS : CUDA_INVALID_VALUE;
}

enum cuda_error graph_work_child(void *handle, struct stream_work *work)
{
    const struct graph *graph = graph_from(handle);
    *work = (struct stream_work){.kind = WORK_GRAPH, .as.graph = graph ? graph_clone(graph) : NULL};
    if (!graph)
        return CUDA_INVALID_VALUE;
    return work->as.graph ? CUDA_SUCCESS : CUDA_MEMORY_ALLOCATION;
}

enum cuda_error graph_work_event(void *handle, enum work_kind kind, struct stream_work *work)
{
    *work = (struct stream_work){.kind = kind, .as.event = event_find(handle)};
    return work->as.event ? CUDA_SUCCESS : CUDA_INVALID_RESOURCE_HANDLE;
}

enum cuda_error graph_work_any(struct runtime *rt, const struct cuda_node_params *params,
                               struct stream_work *work)
{
    *work = (struct stream_work){.kind = WORK_NOTHING};
    switch (params->type) {
    case WORK_KERNEL:
        return graph_work_kernel(rt, &params->as.kernel, work);
    case WORK_COPY:
        return graph_work_copy(rt, &params->as.copy.copy, work);
    case WORK_FILL:
        return graph_work_fill(&params->as.fill, work);
    case WORK_HOST:
        return graph_work_host(&params->as.host, work);
    case WORK_GRAPH:
        return graph_work_child(params->as.child.graph, work);
    case WORK_WAIT:
    case WORK_RECORD:
        return graph_work_event(params->as.event.event, (enum work_kind)params->type, work);
    case WORK_NOTHING:
        return CUDA_SUCCESS;
    default:
        return rt_report(CUDA_NOT_SUPPORTED, "nodes of type %d are not supported", params->type);
    }
}
