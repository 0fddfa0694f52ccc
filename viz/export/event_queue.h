/*
 * A queue of future events, the earliest first. Events of the same cycle keep their order. Private
 * to this folder.
 */
#ifndef VIZ_EXPORT_EVENT_QUEUE_H
#define VIZ_EXPORT_EVENT_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

struct queued_event {
    uint64_t cycle, order;
    uint64_t id;
    uint8_t what;
};

struct event_queue {
    struct queued_event *heap;
    uint32_t count, room;
    uint64_t order;
};

/* Adds an event. Returns false if memory runs out. */
bool event_queue_put(struct event_queue *queue, uint64_t cycle, uint8_t what, uint64_t id);
/* Takes the first event at or before `cycle`. Returns false if there is none. */
bool event_queue_take(struct event_queue *queue, uint64_t cycle, struct queued_event *entry);
/* Frees the queue and sets it to zero. */
void event_queue_free(struct event_queue *queue);

#endif
