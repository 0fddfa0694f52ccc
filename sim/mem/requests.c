/* The open requests of an SM (requests.h). */
#include "mem/requests.h"

bool requests_init(struct requests *requests, struct arena *arena, uint32_t capacity)
{
    *requests = (struct requests){0};
    requests->open = arena_take_pool(arena, capacity, sizeof *requests->open);
    return requests->open != NULL && calendar_init(&requests->calendar, arena, capacity) &&
           calendar_init(&requests->waits, arena, capacity) &&
           ids_init(&requests->ids, arena, capacity);
}

unsigned requests_collect(struct requests *requests, uint64_t now, struct mem_done *done,
                          unsigned max)
{
    unsigned count = 0;
    requests_settle(requests, now);
    while (count < max && requests->calendar.next <= now) {
        uint32_t id = calendar_take(&requests->calendar);
        const struct open_request *open = &requests->open[id];
        done[count++] = (struct mem_done){open->done, open->tag, open->level};
        requests->store_sectors -= open->store_sectors;
        requests->waiting -= open->waiting;
        ids_give(&requests->ids, id);
    }
    return count;
}
