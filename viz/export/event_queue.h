/* Things that are going to happen, first the earliest; those of one cycle in their order. Private.
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

/* False if memory runs out. */
bool event_queue_put(struct event_queue *later, uint64_t cycle, uint8_t what, uint64_t id);
/* Takes the first one that happens at or before `cycle`; false if there is none. */
bool event_queue_take(struct event_queue *later, uint64_t cycle, struct queued_event *entry);
void event_queue_free(struct event_queue *later);

#endif
