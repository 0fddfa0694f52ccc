/* Streams and events: their lists, submission of work, and the nodes of a capture. */
#include "cuda/cuda_stream.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "cuda/capture_rules.h"
#include "cuda/checking.h"
#include "cuda/cuda_graph.h"
#include "cuda/transfer_times.h"
#include "cuda/work.h"

static struct stream *streams;
static struct event *events;
static struct stream legacy = {.id = 1};
static struct stream first_of_thread = {.id = 2}; /* if no stream can be made for a thread */
static _Thread_local struct stream *of_thread;    /* in the list of streams */
static uint64_t last_id = 2;

/* Returns the default stream of this thread, which blocks as created streams do. */
static struct stream *thread_stream(void)
{
    if (!of_thread)
        of_thread = stream_create(0, 0);
    return of_thread ? of_thread : &first_of_thread;
}

/* Handles 0 and 1 are the legacy default stream, handle 2 is the per-thread default stream. */
struct stream *stream_find(void *handle)
{
    if ((uintptr_t)handle <= 2)
        return (uintptr_t)handle == 2 ? thread_stream() : &legacy;
    struct stream *stream = streams;
    while (stream && stream != handle)
        stream = stream->next;
    return stream;
}

bool stream_is_legacy(const struct stream *stream)
{
    return stream == &legacy;
}

struct stream *stream_first(void)
{
    return streams;
}

struct stream *stream_create(unsigned flags, int priority)
{
    struct stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return NULL;
    *stream =
        (struct stream){.next = streams, .id = ++last_id, .flags = flags, .priority = priority};
    streams = stream;
    return stream;
}

void stream_destroy(struct runtime *rt, struct stream *stream)
{
    checking_stream_ends(rt, stream);
    if (rt->stream == stream)
        rt->stream = NULL;
    struct stream **link = &streams;
    while (*link && *link != stream)
        link = &(*link)->next;
    SIMSM_CHECK(*link, "stream %llu is not in the list of streams", (unsigned long long)stream->id);
    *link = stream->next;
    frontier_clear(&stream->capture);
    work_release(stream->last);
    free(stream);
}

/* Adds the work to the captured graph, after the nodes that the stream captured last. */
static enum cuda_error capture(struct stream *stream, const struct stream_work *work)
{
    struct graph_node *node =
        graph_add(stream->capture.graph, work, stream->capture.node, stream->capture.count);
    if (!node || !frontier_set(&stream->capture, stream->capture.graph, &node, 1))
        return CUDA_MEMORY_ALLOCATION;
    return CUDA_SUCCESS;
}

enum cuda_error stream_submit(struct runtime *rt, void *handle, const struct stream_work *work)
{
    struct stream *stream = stream_find(handle);
    if (!stream)
        return rt_report(CUDA_INVALID_RESOURCE_HANDLE, "%p is no stream", handle);
    enum cuda_error error =
        stream_is_legacy(stream) ? capture_allow(CAPTURE_USES_LEGACY) : CUDA_SUCCESS;
    if (error != CUDA_SUCCESS)
        return error;
    if (stream->capture_is_void)
        return CUDA_STREAM_CAPTURE_INVALIDATED;
    rt->stream = stream;
    if (!stream->capture.graph)
        return rt->queue ? work_submit(rt->queue, stream, work) : stream_work_run(rt, work);
    struct transfer transfer;
    error = stream_work_check(rt, work, &transfer);
    return error == CUDA_SUCCESS ? capture(stream, work) : error;
}

enum cuda_error stream_submit_and_free(struct runtime *rt, void *handle, struct stream_work *work)
{
    enum cuda_error error = stream_submit(rt, handle, work);
    stream_work_free(work);
    return error;
}

struct event *event_find(const void *handle)
{
    struct event *event = events;
    while (event && event != handle)
        event = event->next;
    return event;
}

struct event *event_create(unsigned flags)
{
    struct event *event = calloc(1, sizeof *event);
    if (!event)
        return NULL;
    event->flags = flags;
    event->next = events;
    events = event;
    return event;
}

void event_destroy(struct event *event)
{
    struct event **link = &events;
    while (*link && *link != event)
        link = &(*link)->next;
    SIMSM_CHECK(*link, "event %p is not in the list of events", (void *)event);
    *link = event->next;
    frontier_clear(&event->captured);
    work_release(event->work);
    free(event);
}

void event_record(struct runtime *rt, struct event *event)
{
    frontier_clear(&event->captured);
    rt->now += rt->config.streams_gap_ns + rt->config.streams_event_ns;
    event->time = rt->now;
    event->recorded = true;
    if (rt->stream)
        checking_record(rt, rt->stream, event);
}

bool frontier_set(struct frontier *frontier, struct graph *graph, struct graph_node *const *node,
                  size_t count)
{
    struct graph_node **copy = calloc(count ? count : 1, sizeof *copy);
    if (!copy)
        return false;
    if (count)
        memcpy((void *)copy, (const void *)node, count * sizeof(struct graph_node *));
    free((void *)frontier->node);
    *frontier = (struct frontier){graph, copy, count};
    return true;
}

bool frontier_merge(struct frontier *frontier, struct graph_node *const *node, size_t count)
{
    void *list = realloc((void *)frontier->node,
                         (frontier->count + count + 1) * sizeof(struct graph_node *));
    if (!list)
        return false;
    frontier->node = list;
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;
        while (at < frontier->count && frontier->node[at] != node[i])
            at++;
        if (at == frontier->count)
            frontier->node[frontier->count++] = node[i];
    }
    return true;
}

void frontier_clear(struct frontier *frontier)
{
    free((void *)frontier->node);
    *frontier = (struct frontier){0};
}
