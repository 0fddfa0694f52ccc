/* Work that waits: what it waits for, and the order of streams. */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/err.h"
#include "cuda/cuda_stream.h"
#include "cuda/host_memory.h"
#include "cuda/work_inner.h"

static enum simsm_status open_gpu(struct work_queue *queue, struct simsm_error *error)
{
    const struct settings *settings = &queue->rt->settings;
    const struct simsm_options options = {.check = setting_flag(settings, SETTING_ID_check),
                                          .threads = (uint32_t)settings->threads,
                                          .no_skip = setting_flag(settings, SETTING_ID_no_skip)};
    return shared_gpu_open(&queue->gpu, &queue->rt->config, &options, error);
}

enum simsm_status work_open(struct work_queue **queue, struct runtime *rt,
                            struct simsm_error *error)
{
    struct work_queue *made = calloc(1, sizeof *made);
    *queue = made;
    if (!made)
        return err_no_memory(error);
    made->rt = rt;
    return open_gpu(made, error);
}

void work_close(struct work_queue *queue)
{
    if (!queue)
        return;
    work_drop_all(queue);
    shared_gpu_close(queue->gpu);
    activity_free(&queue->log);
    free(queue);
}

const struct stream_work work_nothing = {.kind = WORK_NOTHING};

uint64_t work_cycles(const struct work_queue *queue, double ns)
{
    return (uint64_t)(ns * queue->rt->config.gpu_clock_mhz / 1e3 + 0.5);
}

double work_ns(const struct work_queue *queue, uint64_t cycles)
{
    return (double)cycles * 1e3 / queue->rt->config.gpu_clock_mhz;
}

struct work *work_hold(struct work *work)
{
    work->holders++;
    return work;
}

void work_release(struct work *work)
{
    if (!work || --work->holders)
        return;
    SIMSM_CHECK(work->state == WORK_ENDED, "work %llu is let go of before its end",
                (unsigned long long)work->number);
    work_family_free(work);
    free(work->link);
    free(work);
}

/* Returns whether the work takes time by itself. */
static bool takes_time(const struct stream_work *what)
{
    if (what->kind == WORK_RECORD)
        return !(what->as.event->flags & EVENT_DISABLE_TIMING);
    return what->kind == WORK_KERNEL || what->kind == WORK_COPY || what->kind == WORK_FILL ||
           what->kind == WORK_HOST;
}

struct work *work_new(struct work_queue *queue, const struct stream_work *what, uint64_t stream,
                      int priority)
{
    struct work *work = calloc(1, sizeof *work);
    if (!work || !stream_work_copy(&work->what, what)) {
        free(work);
        return NULL;
    }
    work->queue = queue;
    work->number = queue->submitted++;
    work->stream = stream;
    work->priority = priority;
    work->timed = takes_time(what);
    work->holders = 2; /* the queue and the caller */
    work->ended = work->last_block = WORK_NEVER;
    work->begins = queue->host + work_cycles(queue, queue->rt->config.host_submit_ns);
    work->before = queue->last;
    *(queue->last ? &queue->last->after : &queue->first) = work;
    queue->last = work;
    queue->open++;
    return work;
}

void work_end(struct work_queue *queue, struct work *work)
{
    *(work->before ? &work->before->after : &queue->first) = work->after;
    *(work->after ? &work->after->before : &queue->last) = work->before;
    for (size_t i = 0; i < work->links; i++)
        work_release(work->link[i].work);
    work->links = 0;
    stream_work_free(&work->what);
    if (work->run)
        device_launch_free(&work->run->device);
    free(work->run);
    work->run = NULL;
    queue->rt->device_pending -= work->by_device;
    work->state = WORK_ENDED;
    queue->open--;
    work_release(work);
}

void work_drop_all(struct work_queue *queue)
{
    struct simsm_error error;
    const uint64_t now = shared_gpu_now(queue->gpu);
    shared_gpu_close(queue->gpu);
    queue->ready = queue->running = NULL;
    queue->kernels = 0;
    for (struct work *work = queue->first; work; work = queue->first) {
        SIMSM_CHECK(!work->before, "work %llu is not the first", (unsigned long long)work->number);
        work->ended = now;
        work_end(queue, work);
    }
    if (open_gpu(queue, &error) == SIMSM_OK)
        (void)shared_gpu_run(queue->gpu, now, false, &error);
}

static bool are_kernels(const struct work *one, const struct work *other)
{
    return one->what.kind == WORK_KERNEL && other->what.kind == WORK_KERNEL;
}

bool work_push_link(struct work *before, struct work *work, bool ahead)
{
    if (before->links == before->room) {
        const size_t room = before->room ? 2 * before->room : 2;
        struct work_link *grown = realloc(before->link, room * sizeof *grown);
        if (!grown)
            return false;
        before->link = grown;
        before->room = room;
    }
    before->link[before->links++] = (struct work_link){work, ahead};
    return true;
}

bool work_add_link(struct work *before, struct work *work, bool ahead)
{
    if (!work_push_link(before, work, ahead))
        return false;
    (void)work_hold(work);
    work->waits++;
    return true;
}

bool work_link(struct work *before, struct work *work)
{
    before = before ? work_last_of(before) : NULL;
    if (!before || before->state == WORK_ENDED)
        return true;
    const bool ahead = are_kernels(before, work) &&
                       ((before->in_graph && work->in_graph) || work->what.as.launch.dependent);
    return work_add_link(before, work, ahead);
}

void work_settle(struct work_queue *queue, struct work *work)
{
    struct work **at = &queue->ready;
    const uint64_t now = shared_gpu_now(queue->gpu);
    if (work->waits || work->state != WORK_WAITING)
        return;
    work->begins += work->delay;
    work->begins = work->begins > now ? work->begins : now;
    while (*at && ((*at)->begins < work->begins ||
                   ((*at)->begins == work->begins && (*at)->number < work->number)))
        at = &(*at)->next;
    work->next = *at;
    work->state = WORK_READY;
    *at = work;
}

static void raise(uint64_t *cycle, uint64_t least)
{
    *cycle = *cycle < least ? least : *cycle;
}

void work_let_go(struct work_queue *queue, struct work *work, bool ahead)
{
    const struct simsm_config *config = &queue->rt->config;
    for (size_t i = 0; i < work->links; i++) {
        struct work *waiting = work->link[i].work;
        if (work->link[i].ahead != ahead)
            continue;
        if (ahead) {
            double gap =
                waiting->in_graph ? config->streams_graph_gap_ns : config->streams_dependent_gap_ns;
            raise(&waiting->begins, work->last_block);
            raise(&waiting->first_at, work->last_block + work_cycles(queue, gap));
        } else {
            raise(&waiting->begins,
                  work->ended + (waiting->timed ? work_cycles(queue, config->streams_gap_ns) : 0));
        }
        waiting->waits--;
        work_settle(queue, waiting);
    }
}

/* Returns whether the kernel may read or write memory of the host. Managed memory may be reached
 * without a parameter. */
static bool may_touch_host(const struct runtime *rt, const struct launch *launch)
{
    const uint32_t bytes = launch->kernel->sass->param_bytes;
    bool may = host_memory_has(rt->host, HOST_MANAGED);
    for (uint32_t i = 0; !may && i + 8 <= bytes; i += 8) {
        void *pointer;
        memcpy(&pointer, launch->params + i, sizeof pointer);
        may = host_memory_find(rt->host, pointer) != NULL;
    }
    return may;
}

void work_begin_run(struct work_queue *queue, struct work *work, unsigned depth)
{
    launch_begin(queue->rt, &work->what.as.launch, depth, work->run);
    work->run->device.launched = work_launched;
    work->run->device.context = work;
}

enum cuda_error work_add(struct work_queue *queue, const struct stream_work *what,
                         const struct stream *stream, struct work **work)
{
    struct transfer transfer;
    const bool of_event = what->kind == WORK_RECORD || what->kind == WORK_WAIT;
    if (of_event && !event_find(what->as.event)) /* of a graph: the event has been destroyed */
        what = &work_nothing;
    enum cuda_error error = stream_work_check(queue->rt, what, &transfer);
    if (error == CUDA_SUCCESS && what->kind == WORK_KERNEL)
        error = launch_check_loaded(&what->as.launch);
    if (error != CUDA_SUCCESS)
        return error;
    *work = work_new(queue, what, stream->id, stream->priority);
    if (!*work)
        return CUDA_MEMORY_ALLOCATION;
    (*work)->transfer = transfer;
    (*work)->range = transfer.bytes ? journal_range(queue->rt->journal) : 0;
    if (what->kind == WORK_RECORD) {
        what->as.event->recorded = true;
        frontier_clear(&what->as.event->captured);
        work_release(what->as.event->work);
        what->as.event->work = work_hold(*work);
    }
    if (what->kind == WORK_WAIT && !work_link(what->as.event->work, *work))
        return CUDA_MEMORY_ALLOCATION;
    if (what->kind != WORK_KERNEL)
        return CUDA_SUCCESS;
    (*work)->run = malloc(sizeof *(*work)->run);
    if (!(*work)->run)
        return CUDA_MEMORY_ALLOCATION;
    work_begin_run(queue, *work, 0);
    return CUDA_SUCCESS;
}

/* The default stream waits for all streams that block, and these wait for the default stream. */
static bool link_default(const struct stream *stream, struct work *work)
{
    struct stream *legacy = stream_find(NULL);
    bool done = true;
    if (stream->flags & STREAM_NON_BLOCKING)
        return true;
    if (stream != legacy)
        return work_link(legacy->last, work);
    for (struct stream *other = stream_first(); other; other = other->next)
        if (!(other->flags & STREAM_NON_BLOCKING))
            done = done && work_link(other->last, work);
    return done;
}

enum cuda_error work_submit(struct work_queue *queue, struct stream *stream,
                            const struct stream_work *what)
{
    enum { MOST_OPEN = 1024 };
    struct work *before = NULL, *work = NULL;
    enum cuda_error error = CUDA_SUCCESS;
    if (what->kind == WORK_GRAPH) {
        /* Its nodes wait for `before`, which waits as other work does. */
        before = work_new(queue, &work_nothing, stream->id, stream->priority);
        error = before ? work_add_graph(queue, what->as.graph, stream, before, &work)
                       : CUDA_MEMORY_ALLOCATION;
    } else {
        error = work_add(queue, what, stream, &work);
    }
    struct work *first = before ? before : work;
    if (error == CUDA_SUCCESS && (!work_link(stream->last, first) || !link_default(stream, first)))
        error = CUDA_MEMORY_ALLOCATION;
    if (first)
        work_settle(queue, first);
    if (work) {
        work_release(stream->last);
        stream->last = work;
    }
    work_release(before);
    if (error != CUDA_SUCCESS)
        return error;
    (void)work_hold(work); /* host functions let other threads submit to the stream */
    while (queue->open > MOST_OPEN && work_step(queue, WORK_NEVER)) /* so does a GPU's queue */
        queue->host =
            shared_gpu_now(queue->gpu) > queue->host ? shared_gpu_now(queue->gpu) : queue->host;
    if (what->kind == WORK_KERNEL && may_touch_host(queue->rt, &what->as.launch))
        work_do(queue, work);
    else if (work_call_waits() || work->transfer.pageable)
        work_finish(queue, work);
    work_release(work);
    return CUDA_SUCCESS;
}

enum cuda_error work_wait_for(struct work_queue *queue, struct stream *stream, struct event *event)
{
    const struct stream_work what = {.kind = WORK_WAIT, .as.event = event};
    return event->work ? work_submit(queue, stream, &what) : CUDA_SUCCESS;
}

/* Calls `visit` for the work that is last in the stream; for the default stream also for that of
 * all streams that block. Stops when it returns false. */
static bool visit_last(struct work_queue *queue, const struct stream *stream,
                       bool (*visit)(struct work_queue *queue, struct work *work))
{
    bool goes_on = visit(queue, stream->last);
    if (stream != stream_find(NULL))
        return goes_on;
    for (const struct stream *other = stream_first(); goes_on && other; other = other->next)
        if (!(other->flags & STREAM_NON_BLOCKING))
            goes_on = visit(queue, other->last);
    return goes_on;
}

static bool finish(struct work_queue *queue, struct work *work)
{
    work_finish(queue, work);
    return true;
}

void work_finish_stream(struct work_queue *queue, struct stream *stream)
{
    (void)visit_last(queue, stream, finish);
}

bool work_stream_ended(struct work_queue *queue, struct stream *stream)
{
    return visit_last(queue, stream, work_has_ended);
}

bool work_frees(const struct work_queue *queue, uint64_t address)
{
    for (const struct work *work = queue->first; work; work = work->after)
        if (work->what.kind == WORK_RELEASE && work->what.as.memory.address == address)
            return true;
    return false;
}
