/*
 * The open requests of one SM: accepted and not yet collected. A request is made of parts (lines
 * that are on their way, and itself); when the last part has finished, it is due at the latest
 * cycle of them all.
 */
#ifndef SIM_MEM_REQUESTS_H
#define SIM_MEM_REQUESTS_H

#include "mem/calendar.h"
#include "mem/ids.h"
#include "mem/mem.h"

struct open_request {
    uint64_t done;
    uint32_t tag;
    uint32_t order;         /* of acceptance */
    uint16_t parts;         /* that have not finished */
    uint16_t store_sectors; /* that count as in flight until it is collected */
    uint16_t waiting;       /* parts that L2 lets wait */
    uint8_t level;
};

struct requests {
    struct calendar calendar; /* of requests whose parts have all finished */
    struct calendar waits;    /* of those of which L2 lets parts wait, until they have come there */
    struct open_request *open;
    struct ids ids;
    uint32_t accepted;
    uint32_t store_sectors; /* of all open requests */
    uint32_t waiting;       /* likewise, as far as settled */
};

/* False: out of memory. `capacity`: at most 65535. */
bool requests_init(struct requests *requests, struct arena *arena, uint32_t capacity);

/* Opens a request of one part; at least one id must be left. Returns its id. */
static inline uint32_t requests_open(struct requests *requests, uint32_t tag)
{
    uint32_t id = ids_take(&requests->ids);
    requests->open[id] =
        (struct open_request){.tag = tag, .order = requests->accepted++, .parts = 1};
    return id;
}

/* Brings near what is kept of a request; changes nothing. */
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
 * A part of request `id`, not yet finished, comes to L2 at `cycle`, and `waits` there or has its
 * turn. What waits counts from when the request's last part has come, which is after the window in
 * which that leaves: counted at the end of the window itself, it would depend on the window's
 * length.
 */
static inline void requests_reach_l2(struct requests *requests, uint32_t id, uint64_t cycle,
                                     bool waits)
{
    struct open_request *open = &requests->open[id];
    open->waiting += waits;
    if (open->parts == 1 && open->waiting != 0)
        calendar_add(&requests->waits, id, cycle, open->order);
}

/* Counts in `waiting` what waits in L2 at `now`. */
static inline void requests_settle(struct requests *requests, uint64_t now)
{
    while (requests->waits.next <= now)
        requests->waiting += requests->open[calendar_take(&requests->waits)].waiting;
}

/* Of request `id`, something has arrived at `cycle` from `level`. */
static inline void requests_arrived(struct requests *requests, uint32_t id, uint64_t cycle,
                                    uint8_t level)
{
    struct open_request *open = &requests->open[id];
    if (open->done < cycle)
        open->done = cycle;
    if (open->level < level)
        open->level = level;
}

/* A part of request `id` has finished. */
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
