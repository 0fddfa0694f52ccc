/* Streams: create, destroy, query, wait; host functions in streams; stream attributes. */
#include <string.h>

#include "cuda/capture_rules.h"
#include "cuda/checking.h"
#include "cuda/cuda_graph.h"
#include "cuda/cuda_launch.h"
#include "cuda/cuda_stream.h"
#include "cuda/work.h"

enum { STREAM_FLAGS = 1, LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5 };

static enum cuda_error create(struct runtime *rt, void **handle, unsigned flags, int priority)
{
    if (!rt)
        return rt_refusal();
    if (!handle || flags & ~(unsigned)STREAM_FLAGS)
        return CUDA_INVALID_VALUE;
    priority = priority < GREATEST_PRIORITY ? GREATEST_PRIORITY : priority;
    priority = priority > LEAST_PRIORITY ? LEAST_PRIORITY : priority;
    *handle = stream_create(flags, priority);
    return *handle ? CUDA_SUCCESS : CUDA_MEMORY_ALLOCATION;
}

enum cuda_error cudaStreamCreate(void **stream)
{
    return rt_leave(create(rt_enter(__func__), stream, 0, 0));
}

enum cuda_error cudaStreamCreateWithFlags(void **stream, unsigned flags)
{
    return rt_leave(create(rt_enter(__func__), stream, flags, 0));
}

enum cuda_error cudaStreamCreateWithPriority(void **stream, unsigned flags, int priority)
{
    return rt_leave(create(rt_enter(__func__), stream, flags, priority));
}

enum cuda_error cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least)
        *least = LEAST_PRIORITY;
    if (greatest)
        *greatest = GREATEST_PRIORITY;
    return CUDA_SUCCESS;
}

/*
 * Enters a call about a stream. Returns the stream; NULL with *error set if there is no such stream
 * or no device.
 */
static struct stream *enter(const char *function, void *handle, enum cuda_error *error)
{
    struct runtime *rt = rt_enter(function);
    struct stream *stream = rt ? stream_find(handle) : NULL;
    *error = CUDA_SUCCESS;
    if (!stream)
        *error = rt ? CUDA_INVALID_RESOURCE_HANDLE : rt_refusal();
    return stream;
}

enum cuda_error cudaStreamDestroy(void *handle)
{
    struct runtime *rt = rt_enter(__func__);
    struct stream *stream = rt ? stream_find(handle) : NULL;
    if (!stream || (uintptr_t)handle <= 2)
        return rt_leave(rt ? CUDA_INVALID_RESOURCE_HANDLE : rt_refusal());
    stream_destroy(rt, stream);
    return rt_leave(CUDA_SUCCESS);
}

/*
 * Waits for a stream, or asks whether its work has ended. A captured stream is an error: its work
 * is not executed before the graph is launched. The capture is void then.
 */
static enum cuda_error wait_for(const char *function, void *handle, bool ask)
{
    struct runtime *rt = rt_enter(function);
    struct stream *stream = rt ? stream_find(handle) : NULL;
    if (!stream)
        return rt_leave(rt ? CUDA_INVALID_RESOURCE_HANDLE : rt_refusal());
    if (stream->capture.graph) {
        capture_void(stream->capture.graph);
        return rt_leave(CUDA_STREAM_CAPTURE_UNSUPPORTED);
    }
    const enum cuda_error error =
        capture_allow(stream_is_legacy(stream) ? CAPTURE_USES_LEGACY : CAPTURE_USES_OTHER);
    if (error != CUDA_SUCCESS)
        return rt_leave(error);
    checking_stream_waited(rt, stream);
    if (!rt->queue)
        return rt_leave(CUDA_SUCCESS);
    if (ask)
        return rt_leave_keep_last(work_stream_ended(rt->queue, stream) ? rt->broken
                                                                       : CUDA_NOT_READY);
    work_finish_stream(rt->queue, stream);
    return rt_leave(rt->broken);
}

enum cuda_error cudaStreamSynchronize(void *handle)
{
    return wait_for(__func__, handle, false);
}

enum cuda_error cudaStreamQuery(void *handle)
{
    return wait_for(__func__, handle, true);
}

enum cuda_error cudaStreamGetFlags(void *handle, unsigned *flags)
{
    enum cuda_error error;
    const struct stream *stream = enter(__func__, handle, &error);
    if (stream && !flags)
        error = CUDA_INVALID_VALUE;
    else if (stream)
        *flags = stream->flags;
    return rt_leave(error);
}

enum cuda_error cudaStreamGetPriority(void *handle, int *priority)
{
    enum cuda_error error;
    const struct stream *stream = enter(__func__, handle, &error);
    if (stream && !priority)
        error = CUDA_INVALID_VALUE;
    else if (stream)
        *priority = stream->priority;
    return rt_leave(error);
}

enum cuda_error cudaStreamGetId(void *handle, unsigned long long *id)
{
    enum cuda_error error;
    const struct stream *stream = enter(__func__, handle, &error);
    if (stream && !id)
        error = CUDA_INVALID_VALUE;
    else if (stream)
        *id = stream->id;
    return rt_leave(error);
}

enum cuda_error cudaStreamGetDevice(void *handle, int *device)
{
    enum cuda_error error;
    const struct stream *stream = enter(__func__, handle, &error);
    if (stream && !device)
        error = CUDA_INVALID_VALUE;
    else if (stream)
        *device = 0;
    return rt_leave(error);
}

/*
 * Makes a stream wait for an event. If the event was captured, the stream joins the capture.
 */
static enum cuda_error wait_event(struct runtime *rt, struct stream *stream, const void *handle)
{
    struct event *event = event_find(handle);
    if (!event)
        return CUDA_INVALID_RESOURCE_HANDLE;
    const enum cuda_error error =
        stream_is_legacy(stream) ? capture_allow(CAPTURE_USES_LEGACY) : CUDA_SUCCESS;
    if (error != CUDA_SUCCESS)
        return error;
    if (!event->captured.graph && stream->capture.graph)
        return event->recorded ? CUDA_STREAM_CAPTURE_ISOLATION : CUDA_SUCCESS;
    if (!event->captured.graph && !stream->capture.graph)
        checking_wait(rt, stream, event);
    if (!event->captured.graph)
        return rt->queue ? work_wait_for(rt->queue, stream, event) : CUDA_SUCCESS;
    bool done;
    if (!stream->capture.graph)
        done = frontier_set(&stream->capture, event->captured.graph, event->captured.node,
                            event->captured.count);
    else if (stream->capture.graph == event->captured.graph)
        done = frontier_merge(&stream->capture, event->captured.node, event->captured.count);
    else
        return CUDA_STREAM_CAPTURE_MERGE;
    return done ? CUDA_SUCCESS : CUDA_MEMORY_ALLOCATION;
}

enum cuda_error cudaStreamWaitEvent(void *handle, void *event, unsigned flags)
{
    (void)flags;
    struct runtime *rt = rt_enter(__func__);
    struct stream *stream = rt ? stream_find(handle) : NULL;
    if (!stream)
        return rt_leave(rt ? CUDA_INVALID_RESOURCE_HANDLE : rt_refusal());
    return rt_leave(wait_event(rt, stream, event));
}

enum cuda_error cudaLaunchHostFunc(void *stream, cuda_host_fn *function, void *data)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    if (!function)
        return rt_leave(CUDA_INVALID_VALUE);
    const struct stream_work work = {.kind = WORK_HOST, .as.host = {function, data}};
    return rt_leave(stream_submit(rt, stream, &work));
}

enum cuda_error cudaStreamAddCallback(void *handle, cuda_stream_callback *function, void *data,
                                      unsigned flags)
{
    enum cuda_error error;
    const struct stream *stream = enter(__func__, handle, &error);
    if (stream && (!function || flags))
        error = CUDA_INVALID_VALUE;
    else if (stream && stream->capture.graph)
        error = CUDA_STREAM_CAPTURE_UNSUPPORTED;
    error = rt_leave(error);
    if (error == CUDA_SUCCESS)
        function(handle, CUDA_SUCCESS, data);
    return error;
}

enum cuda_error cudaStreamAttachMemAsync(void *handle, void *pointer, size_t size, unsigned flags)
{
    (void)pointer;
    (void)size;
    (void)flags;
    enum cuda_error error;
    (void)enter(__func__, handle, &error);
    return rt_leave(error);
}

enum cuda_error cudaStreamCopyAttributes(void *to, void *from)
{
    enum cuda_error error;
    struct stream *target = enter(__func__, to, &error);
    const struct stream *source = target ? stream_find(from) : NULL;
    if (target && !source)
        error = CUDA_INVALID_RESOURCE_HANDLE;
    else if (target)
        memcpy(target->attribute, source->attribute, sizeof target->attribute);
    return rt_leave(error);
}

/*
 * Stores the value of a stream attribute. Attributes are hints about caches and scheduling without
 * effect on the simulation.
 */
enum cuda_error cudaStreamSetAttribute(void *handle, int attribute, const void *value)
{
    enum cuda_error error;
    struct stream *stream = enter(__func__, handle, &error);
    const size_t bytes = launch_attribute_bytes(attribute);
    if (stream && (!value || bytes == 0))
        error = CUDA_INVALID_VALUE;
    else if (stream)
        memcpy(&stream->attribute[attribute], value, bytes);
    return rt_leave(error);
}

enum cuda_error cudaStreamGetAttribute(void *handle, int attribute, void *value)
{
    enum cuda_error error;
    const struct stream *stream = enter(__func__, handle, &error);
    const size_t bytes = launch_attribute_bytes(attribute);
    if (stream && (!value || bytes == 0))
        error = CUDA_INVALID_VALUE;
    else if (stream)
        memcpy(value, &stream->attribute[attribute], bytes);
    return rt_leave(error);
}

enum cuda_error cudaStreamSynchronize_ptsz(void *handle)
{
    return cudaStreamSynchronize(stream_per_thread(handle));
}

enum cuda_error cudaStreamQuery_ptsz(void *handle)
{
    return cudaStreamQuery(stream_per_thread(handle));
}

CUDA_ALIAS(cudaStreamGetFlags_ptsz, cudaStreamGetFlags);
CUDA_ALIAS(cudaStreamGetPriority_ptsz, cudaStreamGetPriority);
CUDA_ALIAS(cudaStreamGetId_ptsz, cudaStreamGetId);
CUDA_ALIAS(cudaStreamGetDevice_ptsz, cudaStreamGetDevice);
enum cuda_error cudaStreamWaitEvent_ptsz(void *handle, void *event, unsigned flags)
{
    return cudaStreamWaitEvent(stream_per_thread(handle), event, flags);
}

enum cuda_error cudaLaunchHostFunc_ptsz(void *stream, cuda_host_fn *function, void *data)
{
    return cudaLaunchHostFunc(stream_per_thread(stream), function, data);
}

CUDA_ALIAS(cudaStreamAddCallback_ptsz, cudaStreamAddCallback);
CUDA_ALIAS(cudaStreamAttachMemAsync_ptsz, cudaStreamAttachMemAsync);
CUDA_ALIAS(cudaStreamCopyAttributes_ptsz, cudaStreamCopyAttributes);
CUDA_ALIAS(cudaStreamSetAttribute_ptsz, cudaStreamSetAttribute);
CUDA_ALIAS(cudaStreamGetAttribute_ptsz, cudaStreamGetAttribute);
