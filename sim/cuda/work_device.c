/*
 * Grids that kernels launch, as work. What waits for a grid waits for the end of its family: the
 * grids that it has launched, and those that were launched to its tail.
 *
 *     parent ---+--> children's end ---> tail ---> tail ---> family's end ---> what waits for
 * parent child ----+
 */
#include <stdlib.h>

#include "cuda/work_inner.h"

struct work *work_last_of(struct work *work)
{
    while (work->family)
        work = work->family->end;
    return work;
}

/* Moves the links of work that waits for the end of `parent` to the end of its family. */
static bool hand_links_on(struct work *parent, struct work *end)
{
    for (size_t i = 0; i < parent->links; i++)
        if (!work_push_link(end, parent->link[i].work, false))
            return false;
    parent->links = 0;
    return true;
}

static bool begin_family(struct work_queue *queue, struct work *parent)
{
    struct work_family *family = calloc(1, sizeof *family);
    if (!family)
        return false;
    family->launched.size = sizeof(struct work_child);
    family->children = work_new(queue, &work_nothing, parent->stream, parent->priority);
    family->end = work_new(queue, &work_nothing, parent->stream, parent->priority);
    parent->family = family;
    if (!family->children || !family->end)
        return false;
    family->end->by_device = parent->by_device; /* counts until its family has ended */
    parent->by_device = false;
    return hand_links_on(parent, family->end) && work_add_link(parent, family->children, false) &&
           work_add_link(family->children, family->end, false);
}

/* Returns the work that a new child waits for by the order of its stream; NULL: for none. */
static struct work *before_child(const struct work_family *family, const struct device_child *child)
{
    struct work *before = child->stream == DEVICE_STREAM_TAIL ? family->children : NULL;
    const struct work_child *children = family->launched.data;
    for (size_t i = 0; i < family->launched.count; i++) {
        const struct work_child *other = &children[i];
        bool same = other->stream == child->stream &&
                    (child->stream != DEVICE_STREAM_BLOCK || other->block == child->block);
        if (same && child->stream != DEVICE_STREAM_FORGET)
            before = other->work;
    }
    return before;
}

/* Adds the work of a grid that the kernel of `context` has launched. */
void work_launched(void *context, const struct device_child *child)
{
    struct work *parent = context, *work = NULL;
    struct work_queue *queue = parent->queue;
    const struct simsm_config *config = &queue->rt->config;
    const struct stream_work what = {.kind = WORK_KERNEL, .as.launch = child->launch};
    const bool tail = child->stream == DEVICE_STREAM_TAIL;
    bool done = (parent->family || begin_family(queue, parent)) &&
                (work = work_new(queue, &what, parent->stream, parent->priority)) != NULL &&
                (work->run = malloc(sizeof *work->run)) != NULL;
    if (done) {
        struct work *before = before_child(parent->family, child);
        work->by_device = true;
        work->begins = shared_gpu_clock(queue->gpu) + child->cycle;
        if (tail)
            work->delay = work_cycles(queue, config->streams_tail_ns);
        else
            work->first_at = work->begins + work_cycles(queue, config->streams_device_launch_ns);
        work_begin_run(queue, work, parent->run->device.depth + 1);
        work->run->row.range = parent->run->row.range;
        const struct work_child noted = {work, child->stream, child->block};
        done = work_link(before, work) &&
               work_add_link(work, tail ? parent->family->end : parent->family->children, false) &&
               pool_add(&parent->family->launched, &noted);
        if (done)
            (void)work_hold(work);
    }
    if (work && work->run)
        work_settle(queue, work);
    work_release(work);
    if (!done)
        queue->rt->broken = rt_report(CUDA_MEMORY_ALLOCATION, "no memory for launches by kernels");
    shared_gpu_interrupt(queue->gpu); /* the child may begin before the next end of work */
}

void work_family_free(struct work *work)
{
    struct work_family *family = work->family;
    if (!family)
        return;
    const struct work_child *child = family->launched.data;
    for (size_t i = 0; i < family->launched.count; i++)
        work_release(child[i].work);
    work_release(family->children);
    work_release(family->end);
    pool_free(&family->launched);
    free(family);
    work->family = NULL;
}
