/* Events: points in simulated time. */
#include "cuda/capture_rules.h"
#include "cuda/checking.h"
#include "cuda/cuda_stream.h"
#include "cuda/work.h"

enum { EVENT_FLAGS = 7 };

static enum cuda_error create(struct runtime *rt, void **handle, unsigned flags)
{
    if (!rt)
        return rt_refusal();
    const bool timed = !(flags & EVENT_DISABLE_TIMING);
    if (!handle || flags & ~(unsigned)EVENT_FLAGS || (timed && flags & EVENT_INTERPROCESS))
        return CUDA_INVALID_VALUE;
    *handle = event_create(flags);
    return *handle ? CUDA_SUCCESS : CUDA_MEMORY_ALLOCATION;
}

enum cuda_error cudaEventCreate(void **event)
{
    return rt_leave(create(rt_enter(__func__), event, 0));
}

enum cuda_error cudaEventCreateWithFlags(void **event, unsigned flags)
{
    return rt_leave(create(rt_enter(__func__), event, flags));
}

/*
 * Enters a call about an event. Returns the event; NULL with *error set if there is no such event
 * or no device.
 */
static struct event *enter(const char *function, const void *handle, enum cuda_error *error)
{
    struct runtime *rt = rt_enter(function);
    struct event *event = rt ? event_find(handle) : NULL;
    *error = CUDA_SUCCESS;
    if (!event)
        *error = rt ? CUDA_INVALID_RESOURCE_HANDLE : rt_refusal();
    return event;
}

enum cuda_error cudaEventDestroy(void *handle)
{
    enum cuda_error error;
    struct event *event = enter(__func__, handle, &error);
    if (event)
        event_destroy(event);
    return rt_leave(error);
}

/*
 * Records an event. In a captured stream, the event stores the nodes that the stream captured last.
 */
static enum cuda_error record(const char *function, void *handle, void *stream_handle)
{
    struct runtime *rt = rt_enter(function);
    if (!rt)
        return rt_leave(rt_refusal());
    struct event *event = event_find(handle);
    const struct stream *stream = stream_find(stream_handle);
    if (!event || !stream)
        return rt_leave(CUDA_INVALID_RESOURCE_HANDLE);
    if (stream->capture.graph)
        return rt_leave(frontier_set(&event->captured, stream->capture.graph, stream->capture.node,
                                     stream->capture.count)
                            ? CUDA_SUCCESS
                            : CUDA_MEMORY_ALLOCATION);
    const struct stream_work work = {.kind = WORK_RECORD, .as.event = event};
    const enum cuda_error error = stream_submit(rt, stream_handle, &work);
    if (error == CUDA_SUCCESS && rt->queue && event->flags & EVENT_INTERPROCESS)
        work_finish(rt->queue, event->work); /* before the other process is told */
    return rt_leave(error);
}

enum cuda_error cudaEventRecord(void *event, void *stream)
{
    return record(__func__, event, stream);
}

enum cuda_error cudaEventRecordWithFlags(void *event, void *stream, unsigned flags)
{
    (void)flags;
    return record(__func__, event, stream);
}

/* Waits for an event, or asks whether it has come. */
static enum cuda_error wait_for(const char *function, const void *handle, bool ask)
{
    struct runtime *rt = rt_enter(function);
    struct event *event = rt ? event_find(handle) : NULL;
    if (!event)
        return rt_leave(rt ? CUDA_INVALID_RESOURCE_HANDLE : rt_refusal());
    if (event->captured.graph) {
        capture_void(event->captured.graph);
        return rt_leave(CUDA_CAPTURED_EVENT);
    }
    const enum cuda_error error = capture_allow(CAPTURE_USES_OTHER);
    if (error != CUDA_SUCCESS)
        return rt_leave(error);
    checking_event_waited(rt, event);
    if (!rt->queue)
        return rt_leave(CUDA_SUCCESS);
    if (ask)
        return rt_leave_keep_last(work_has_ended(rt->queue, event->work) ? rt->broken
                                                                         : CUDA_NOT_READY);
    work_finish(rt->queue, event->work);
    return rt_leave(rt->broken);
}

enum cuda_error cudaEventSynchronize(void *event)
{
    return wait_for(__func__, event, false);
}

enum cuda_error cudaEventQuery(void *event)
{
    return wait_for(__func__, event, true);
}

/* Settles when an event has come. Returns false if it has not. */
static bool has_come(struct runtime *rt, struct event *event)
{
    if (!event->work)
        return true;
    if (!work_has_ended(rt->queue, event->work))
        return false;
    event->time = work_end_ns(rt->queue, event->work);
    return true;
}

enum cuda_error cudaEventElapsedTime(float *ms, void *from, void *to)
{
    struct runtime *rt = rt_enter(__func__);
    struct event *end = rt ? event_find(to) : NULL, *begin = rt ? event_find(from) : NULL;
    if (!begin || !end)
        return rt_leave(rt ? CUDA_INVALID_RESOURCE_HANDLE : rt_refusal());
    if (!ms)
        return rt_leave(CUDA_INVALID_VALUE);
    if (!begin->recorded || !end->recorded || (begin->flags | end->flags) & EVENT_DISABLE_TIMING)
        return rt_leave(rt_report(CUDA_INVALID_RESOURCE_HANDLE,
                                  "an event was never recorded, or has no timing"));
    if (!has_come(rt, begin) || !has_come(rt, end))
        return rt_leave(CUDA_NOT_READY);
    checking_event_waited(rt, end); /* the program knows that it has come */
    *ms = (float)((end->time - begin->time) * 1e-6);
    return rt_leave(CUDA_SUCCESS);
}

CUDA_ALIAS(cudaEventElapsedTime_v2, cudaEventElapsedTime);
enum cuda_error cudaEventRecord_ptsz(void *event, void *stream)
{
    return cudaEventRecord(event, stream_per_thread(stream));
}

enum cuda_error cudaEventRecordWithFlags_ptsz(void *event, void *stream, unsigned flags)
{
    return cudaEventRecordWithFlags(event, stream_per_thread(stream), flags);
}
