/* The event queue: a binary heap. */
#include "export/event_queue.h"

#include <stdlib.h>

static bool before(const struct queued_event *a, const struct queued_event *b)
{
    return a->cycle != b->cycle ? a->cycle < b->cycle : a->order < b->order;
}

bool event_queue_put(struct event_queue *queue, uint64_t cycle, uint8_t what, uint64_t id)
{
    if (queue->count == queue->room) {
        uint32_t room = queue->room ? 2 * queue->room : 256;
        struct queued_event *grown = realloc(queue->heap, room * sizeof *grown);
        if (!grown)
            return false;
        queue->heap = grown;
        queue->room = room;
    }
    struct queued_event entry = {.cycle = cycle, .order = queue->order++, .id = id, .what = what};
    uint32_t i = queue->count++;
    for (; i && before(&entry, &queue->heap[(i - 1) / 2]); i = (i - 1) / 2)
        queue->heap[i] = queue->heap[(i - 1) / 2];
    queue->heap[i] = entry;
    return true;
}

bool event_queue_take(struct event_queue *queue, uint64_t cycle, struct queued_event *entry)
{
    if (!queue->count || queue->heap[0].cycle > cycle)
        return false;
    *entry = queue->heap[0];
    struct queued_event last = queue->heap[--queue->count];
    uint32_t i = 0;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child + 1 < queue->count && before(&queue->heap[child + 1], &queue->heap[child]))
            child++;
        if (child >= queue->count || !before(&queue->heap[child], &last))
            break;
        queue->heap[i] = queue->heap[child];
        i = child;
    }
    queue->heap[i] = last;
    return true;
}

void event_queue_free(struct event_queue *queue)
{
    free(queue->heap);
    *queue = (struct event_queue){0};
}
