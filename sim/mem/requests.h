/*
 * The open requests of one SM: accepted and not yet collected. A request has parts: one for itself
 * and one for each line on its way. When the last part has finished, the request is due at the
 * latest cycle of its parts.
 */
#ifndef SIM_MEM_REQUESTS_H
#define SIM_MEM_REQUESTS_H

#include "mem/calendar.h"
#include "mem/ids.h"
#include "mem/mem.h"

struct open_request {
    uint64_t done;
    uint32_t tag;
    uint32_t order;         /* order of acceptance */
    uint16_t parts;         /* parts that have not finished */
    uint16_t store_sectors; /* sectors that count as in flight until the request is collected */
    uint16_t waiting;       /* parts that wait in L2 for their turn */
    uint8_t level;
};

struct requests {
    struct calendar calendar; /* requests whose parts have all finished */
    struct calendar
        waits; /* requests with parts that wait in L2, until their last part has come there */
    struct open_request *open;
    struct ids ids;
    uint32_t accepted;
    uint32_t store_sectors; /* sum of all open requests */
    uint32_t waiting;       /* sum of the requests that have left `waits` */
};

/* Initialises room for `capacity` requests, at most 65535. Returns false if memory runs out. */
bool requests_init(struct requests *requests, struct arena *arena, uint32_t capacity);

/* Opens a request of one part and returns its id. At least one id must be left. */
static inline uint32_t requests_open(struct requests *requests, uint32_t tag)
{
    uint32_t id = ids_take(&requests->ids);
    requests->open[id] =
        (struct open_request){.tag = tag, .order = requests->accepted++, .parts = 1};
    return id;
}

/* Prefetches a request into the host's cache. Has no effect on results. */
static inline __attribute__((always_inline)) void requests_prefetch(const struct requests *requests,
                                                                    uint32_t id)
{
    __builtin_prefetch(&requests->open[id]);
}

static inline void requests_add_parts(struct requests *requests, uint32_t id, uint32_t n)
{
    requests->open[id].parts += (uint16_t)n;
}

/*
 * Notes that a part of request `id`, which has not finished, comes to L2 at `cycle`. `waits`: the
 * part waits there for its turn. Waiting parts count from the cycle at which the request's last
 * part comes to L2. That cycle is after the window in which the part leaves; counting at the end of
 * the window itself would make results depend on the window's length.
 */
static inline void requests_reach_l2(struct requests *requests, uint32_t id, uint64_t cycle,
                                     bool waits)
{
    struct open_request *open = &requests->open[id];
    open->waiting += waits;
    if (open->parts == 1 && open->waiting != 0)
        calendar_add(&requests->waits, id, cycle, open->order);
}

/* Adds to `waiting` the parts of requests whose last part has come to L2 by `now`. */
static inline void requests_settle(struct requests *requests, uint64_t now)
{
    while (requests->waits.next <= now)
        requests->waiting += requests->open[calendar_take(&requests->waits)].waiting;
}

/* Notes that data of request `id` have come at `cycle` from `level`. */
static inline void requests_arrived(struct requests *requests, uint32_t id, uint64_t cycle,
                                    uint8_t level)
{
    struct open_request *open = &requests->open[id];
    if (open->done < cycle)
        open->done = cycle;
    if (open->level < level)
        open->level = level;
}

/* Notes that a part of request `id` has finished. */
static inline void requests_finish_part(struct requests *requests, uint32_t id)
{
    struct open_request *open = &requests->open[id];
    SIMSM_CHECK(open->parts != 0, "request %u has no part left", id);
    if (--open->parts == 0)
        calendar_add(&requests->calendar, id, open->done, open->order);
}

/* As mem_sm_collect. */
unsigned requests_collect(struct requests *requests, uint64_t now, struct mem_done *done,
                          unsigned max);

#endif
