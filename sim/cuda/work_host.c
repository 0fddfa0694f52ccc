/* The host's time: it advances by calls, and by what calls wait for. */
#include <stddef.h>
#include <string.h>

#include "cuda/rt_thread.h"
#include "cuda/work_inner.h"

enum call_wait { NONE, OWN };

struct call_time {
    const char *name;
    size_t key; /* offset in struct simsm_config */
    enum call_wait wait;
};

static const struct call_time calls[] = {
#define CALL(function, time, wait) {#function, offsetof(struct simsm_config, host_##time##_ns), wait},
#include "cuda/call_times.def"
#undef CALL
};

/* Returns the row of a call; NULL: it waits for all work. */
static const struct call_time *find_call(const char *function)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].name, function) == 0)
            return &calls[i];
    return NULL;
}

static void advance(struct work_queue *queue, double ns)
{
    queue->host += work_cycles(queue, ns);
}

void work_call(struct work_queue *queue, const char *function)
{
    const struct simsm_config *config = &queue->rt->config;
    const struct call_time *call = find_call(function);
    if (!call)
        work_finish_all(queue);
    advance(queue, call ? *(const double *)((const char *)config + call->key) : config->host_call_ns);
}

bool work_call_waits(void)
{
    const struct call_time *call = find_call(rt_thread.call ? rt_thread.call : "");
    return call && call->wait == OWN;
}

/* Runs until the work has ended. Another thread may be in a host function that it waits for. */
void work_do(struct work_queue *queue, struct work *work)
{
    (void)work_hold(work);
    while (work->state != WORK_ENDED && (work_step(queue, WORK_NEVER) || queue->calling))
        if (queue->calling)
            rt_yield();
    work_release(work);
}

void work_finish(struct work_queue *queue, struct work *work)
{
    if (!work)
        return;
    const bool waits = work->state != WORK_ENDED || work->ended > queue->host;
    (void)work_hold(work);
    work_do(queue, work);
    if (waits && work->ended > queue->host)
        queue->host = work->ended;
    if (waits)
        advance(queue, queue->rt->config.host_wait_ns);
    work_release(work);
}

void work_finish_all(struct work_queue *queue)
{
    while (queue->last)
        work_finish(queue, queue->last);
}

bool work_has_ended(struct work_queue *queue, struct work *work)
{
    while (work && work->state != WORK_ENDED && shared_gpu_now(queue->gpu) < queue->host &&
           work_step(queue, queue->host))
        ;
    return !work || (work->state == WORK_ENDED && work->ended <= queue->host);
}

double work_end_ns(const struct work_queue *queue, const struct work *work)
{
    return (double)work->ended * 1e3 / queue->rt->config.gpu_clock_mhz;
}
