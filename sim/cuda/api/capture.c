/* Stream capture: begins, ends and describes the capture of a graph from streams. */
#include "cuda/capture_rules.h"
#include "cuda/cuda_stream.h"
#include "cuda/graph_api.h"
#include "cuda/rt_thread.h"

static enum cuda_error begin(struct stream *stream, void *handle, struct graph *graph,
                             struct graph_node *const *from, size_t count, int mode)
{
    if ((uintptr_t)handle <= 1)
        return CUDA_STREAM_CAPTURE_UNSUPPORTED;
    if (!stream)
        return CUDA_INVALID_RESOURCE_HANDLE;
    if (stream->capture.graph)
        return CUDA_ILLEGAL_STATE;
    if (!graph || !frontier_set(&stream->capture, graph, from, count))
        return CUDA_MEMORY_ALLOCATION;
    stream->origin = true;
    stream->capture_is_void = false;
    stream->capture_mode = mode;
    stream->capture_thread = &rt_thread;
    return CUDA_SUCCESS;
}

enum cuda_error cudaStreamBeginCapture(void *handle, int mode)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    if (mode < CAPTURE_GLOBAL || mode > CAPTURE_RELAXED)
        return rt_leave(CUDA_INVALID_VALUE);
    struct graph *graph = graph_create();
    enum cuda_error error = begin(stream_find(handle), handle, graph, NULL, 0, mode);
    if (error != CUDA_SUCCESS)
        graph_destroy(graph);
    return rt_leave(error);
}

enum cuda_error cudaStreamBeginCaptureToGraph(void *handle, void *own, void *const *from,
                                              const struct cuda_edge *edges, size_t count, int mode)
{
    (void)edges;
    struct runtime *rt = rt_enter(__func__);
    struct graph *graph = rt ? graph_from(own) : NULL;
    if (!graph)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    for (size_t i = 0; i < count; i++) {
        if (!graph_has(graph, from[i]))
            return rt_leave(CUDA_INVALID_VALUE);
    }
    return rt_leave(
        begin(stream_find(handle), handle, graph, (struct graph_node *const *)from, count, mode));
}

/*
 * Ends the capture in every stream that joined it. Returns false if a stream captured nodes on
 * which none of the nodes in `last` depends.
 */
static bool leave_all(const struct graph *graph, const struct frontier *last)
{
    bool joined = true;
    for (struct stream *s = stream_first(); s; s = s->next) {
        if (s->capture.graph != graph)
            continue;
        for (size_t i = 0; !s->origin && i < s->capture.count && joined; i++)
            joined = graph_reaches(last->node, last->count, s->capture.node[i]);
        frontier_clear(&s->capture);
        s->origin = s->capture_is_void = false;
    }
    return joined;
}

static enum cuda_error end(struct stream *stream, void **result)
{
    if (!stream->capture.graph)
        return CUDA_ILLEGAL_STATE;
    if (!result)
        return CUDA_INVALID_VALUE;
    *result = NULL;
    if (!stream->origin)
        return CUDA_STREAM_CAPTURE_UNMATCHED;
    struct frontier last = stream->capture;
    struct graph *graph = last.graph;
    stream->capture = (struct frontier){0};
    const bool is_void = stream->capture_is_void;
    stream->origin = stream->capture_is_void = false;
    enum cuda_error error = leave_all(graph, &last) ? CUDA_SUCCESS : CUDA_STREAM_CAPTURE_UNJOINED;
    error = is_void ? CUDA_STREAM_CAPTURE_INVALIDATED : error;
    frontier_clear(&last);
    if (graph_from(graph) &&
        !is_void) { /* a graph of the program (cudaStreamBeginCaptureToGraph) */
        *result = graph;
        return error;
    }
    if (error == CUDA_SUCCESS && graph_handle_add(graph)) {
        *result = graph;
        return CUDA_SUCCESS;
    }
    if (!graph_from(graph))
        graph_destroy(graph);
    return error == CUDA_SUCCESS ? CUDA_MEMORY_ALLOCATION : error;
}

enum cuda_error cudaStreamEndCapture(void *handle, void **graph)
{
    struct runtime *rt = rt_enter(__func__);
    struct stream *stream = rt ? stream_find(handle) : NULL;
    if (!stream)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    return rt_leave(end(stream, graph));
}

static int status_of(const struct stream *stream)
{
    return !stream->capture.graph    ? CAPTURE_NONE
           : stream->capture_is_void ? CAPTURE_INVALIDATED
                                     : CAPTURE_ACTIVE;
}

enum cuda_error cudaStreamIsCapturing(void *handle, int *status)
{
    struct runtime *rt = rt_enter(__func__);
    const struct stream *stream = rt ? stream_find(handle) : NULL;
    if (!stream || !status)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    *status = status_of(stream);
    return rt_leave(stream_is_legacy(stream) ? capture_ask(CAPTURE_USES_LEGACY) : CUDA_SUCCESS);
}

enum cuda_error cudaThreadExchangeStreamCaptureMode(int *mode)
{
    if (!mode)
        return rt_set_last_error(CUDA_INVALID_VALUE);
    capture_exchange_mode(mode);
    return CUDA_SUCCESS;
}

enum cuda_error graph_api_capture_info(const char *function, void *handle, int *status,
                                       unsigned long long *id, void **graph, void *const **from,
                                       const struct cuda_edge **edges, size_t *count)
{
    struct runtime *rt = rt_enter(function);
    const struct stream *stream = rt ? stream_find(handle) : NULL;
    if (!stream || !status)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    const bool active = stream->capture.graph != NULL;
    *status = status_of(stream);
    if (active && id)
        *id = (uintptr_t)stream->capture.graph;
    if (active && graph)
        *graph = stream->capture.graph;
    if (active && from)
        *from = (void *const *)stream->capture.node;
    if (active && edges)
        *edges = NULL;
    if (active && count)
        *count = stream->capture.count;
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error graph_api_set_dependencies(const char *function, void *handle, void *const *from,
                                           size_t count, unsigned flags)
{
    enum { SET = 1 };
    struct runtime *rt = rt_enter(function);
    struct stream *stream = rt ? stream_find(handle) : NULL;
    if (!stream || (count && !from))
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    if (!stream->capture.graph)
        return rt_leave(CUDA_ILLEGAL_STATE);
    for (size_t i = 0; i < count; i++) {
        if (!graph_has(stream->capture.graph, from[i]))
            return rt_leave(CUDA_INVALID_VALUE);
    }
    struct graph_node *const *nodes = (struct graph_node *const *)from;
    bool done = flags == SET ? frontier_set(&stream->capture, stream->capture.graph, nodes, count)
                             : frontier_merge(&stream->capture, nodes, count);
    return rt_leave(done ? CUDA_SUCCESS : CUDA_MEMORY_ALLOCATION);
}

enum cuda_error cudaStreamGetCaptureInfo_v2(void *stream, int *status, unsigned long long *id,
                                            void **graph, void *const **from, size_t *count)
{
    return graph_api_capture_info(__func__, stream, status, id, graph, from, NULL, count);
}

enum cuda_error cudaStreamGetCaptureInfo_v3(void *stream, int *status, unsigned long long *id,
                                            void **graph, void *const **from,
                                            const struct cuda_edge **edges, size_t *count)
{
    return graph_api_capture_info(__func__, stream, status, id, graph, from, edges, count);
}

enum cuda_error cudaStreamUpdateCaptureDependencies_v2(void *stream, void *const *from,
                                                       const struct cuda_edge *edges, size_t count,
                                                       unsigned flags)
{
    (void)edges;
    return graph_api_set_dependencies(__func__, stream, from, count, flags);
}

CUDA_ALIAS(cudaStreamBeginCapture_ptsz, cudaStreamBeginCapture);
CUDA_ALIAS(cudaStreamBeginCaptureToGraph_ptsz, cudaStreamBeginCaptureToGraph);
CUDA_ALIAS(cudaStreamEndCapture_ptsz, cudaStreamEndCapture);
CUDA_ALIAS(cudaStreamIsCapturing_ptsz, cudaStreamIsCapturing);
CUDA_ALIAS(cudaStreamGetCaptureInfo_v2_ptsz, cudaStreamGetCaptureInfo_v2);
CUDA_ALIAS(cudaStreamGetCaptureInfo_v3_ptsz, cudaStreamGetCaptureInfo_v3);
CUDA_ALIAS(cudaStreamUpdateCaptureDependencies_v2_ptsz, cudaStreamUpdateCaptureDependencies_v2);
