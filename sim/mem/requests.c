#include "mem/requests.h"

#include "base/zeroed.h"

bool requests_init(struct requests *requests, uint32_t capacity)
{
    *requests = (struct requests){0};
    requests->open = zeroed_alloc(capacity, sizeof *requests->open);
    return requests->open != NULL && calendar_init(&requests->calendar, capacity) &&
           calendar_init(&requests->waits, capacity) && ids_init(&requests->ids, capacity);
}

void requests_free(struct requests *requests)
{
    calendar_free(&requests->calendar);
    calendar_free(&requests->waits);
    ids_free(&requests->ids);
    zeroed_free(requests->open);
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
