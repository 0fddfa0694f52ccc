/* Completions of the grades ideal and fixed, in which nothing has a rate. Each of the two latencies
 * has a queue, in the order of arrival. */
#ifndef SIM_MEM_FLAT_H
#define SIM_MEM_FLAT_H

#include "base/arena.h"
#include "mem/mem.h"

struct flat_entry {
    uint64_t cycle;
    uint32_t tag, order; /* order of acceptance, modulo 2^32 */
};

struct flat_queue {
    struct flat_entry *ring;
    uint32_t first, count, room;
    uint32_t latency;
    uint8_t level;
};

enum { FLAT_GLOBAL, FLAT_SHARED, FLAT_QUEUES };

struct flat {
    struct flat_queue queue[FLAT_QUEUES];
    uint32_t accepted;
};

/* Initialises the queues with room for `per_cycle` requests in each cycle of their latencies. An SM
 * that collects what is due can then always add a request. Returns false if memory runs out. */
bool flat_init(struct flat *flat, struct arena *arena, uint32_t per_cycle, uint32_t global_latency,
               uint32_t shared_latency);

/* Adds a request. Returns false if there is no room. */
bool flat_add(struct flat *flat, unsigned queue, uint64_t now, uint32_t tag);

/* As mem_sm_next and mem_sm_collect. */
uint64_t flat_next(const struct flat *flat);
unsigned flat_collect(struct flat *flat, uint64_t now, struct mem_done *done, unsigned max);

#endif
