/* The event queue: a binary heap. */
#include "export/event_queue.h"

#include <stdlib.h>

static bool before(const struct queued_event *a, const struct queued_event *b)
{
    return a->cycle != b->cycle ? a->cycle < b->cycle : a->order < b->order;
}

bool event_queue_put(struct event_queue *later, uint64_t cycle, uint8_t what, uint64_t id)
{
    if (later->count == later->room) {
        uint32_t room = later->room ? 2 * later->room : 256;
        struct queued_event *grown = realloc(later->heap, room * sizeof *grown);
        if (!grown)
            return false;
        later->heap = grown;
        later->room = room;
    }
    struct queued_event entry = {.cycle = cycle, .order = later->order++, .id = id, .what = what};
    uint32_t i = later->count++;
    for (; i && before(&entry, &later->heap[(i - 1) / 2]); i = (i - 1) / 2)
        later->heap[i] = later->heap[(i - 1) / 2];
    later->heap[i] = entry;
    return true;
}

bool event_queue_take(struct event_queue *later, uint64_t cycle, struct queued_event *entry)
{
    if (!later->count || later->heap[0].cycle > cycle)
        return false;
    *entry = later->heap[0];
    struct queued_event last = later->heap[--later->count];
    uint32_t i = 0;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child + 1 < later->count && before(&later->heap[child + 1], &later->heap[child]))
            child++;
        if (child >= later->count || !before(&later->heap[child], &last))
            break;
        later->heap[i] = later->heap[child];
        i = child;
    }
    later->heap[i] = last;
    return true;
}

void event_queue_free(struct event_queue *later)
{
    free(later->heap);
    *later = (struct event_queue){0};
}
