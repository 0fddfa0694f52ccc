/*
 * The caches of instructions and constants that SMs share: one of each GPC, and what of the code L2
 * holds. An SM asks at its port; only the thread that simulates the SM touches the port during a
 * window. supply_exchange serves the requests of all SMs in the order of (cycle, SM, sequence), and
 * tells the SMs. No line comes less than supply_queue.least cycles after it has been asked for, so
 * an SM can run on that long without an answer.
 */
#ifndef SIM_CORE_SUPPLY_H
#define SIM_CORE_SUPPLY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/pool.h"
#include "simsm/config.h"

struct sm;
struct supply;

/* Distance in bytes between the constants of two launches in the address space of the caches. What
 * a launch shares with others of its program lies at the same place behind the beginning. */
enum { SUPPLY_CONSTANTS_UNIT = 1 << 20 };

enum supply_kind { SUPPLY_CODE, SUPPLY_CONSTANTS, SUPPLY_KINDS };

struct supply_request {
    uint64_t at; /* cycle at which the cache of the GPC gets it */
    uint32_t number, id;
};

/* Requests of an SM for one kind of lines, by the cycle; those before `first` have been served. */
struct supply_queue {
    struct pool requests; /* struct supply_request */
    size_t first;
    uint64_t last;  /* cycle of the latest request; there are none for earlier cycles */
    uint32_t least; /* cycles until an answer, at the least */
};

struct supply_port {
    struct supply_queue queue[SUPPLY_KINDS];
    uint64_t park;    /* the SM must not run beyond this cycle without an exchange; UINT64_MAX: it
                         waits for no answer */
    uint64_t reached; /* cycle up to which the SM has run */
    struct sm *sm;
    double l2_free[SUPPLY_KINDS]; /* cycle from which L2 sends the SM the next line */
    uint32_t asked;               /* requests since the beginning */
    bool no_memory;
};

/* Makes the caches of all GPCs. Everything lies in `arena`, except the queues. Returns NULL if
 * memory runs out. */
struct supply *supply_create(struct arena *arena, const struct simsm_config *config);
void supply_free(struct supply *supply); /* NULL is allowed */

/* Returns whether SMs share caches: the configuration knows the GPCs and their cache. */
bool supply_is_shared(const struct simsm_config *config);

/* Makes the port of SM `index`. Returns NULL if memory runs out. */
struct supply_port *supply_join(struct supply *supply, uint32_t index, struct sm *sm);

/* Asks for line `number` in cycle `at`, not before the SM's last request of this kind. Returns a
 * pending cycle (icache.h), which sm_supplied will name. */
uint64_t supply_ask(struct supply_port *port, enum supply_kind kind, uint64_t at, uint32_t number);

/* Brings what a launch brings with it into the caches of all GPCs, as an access in cycle `now`. The
 * code is there from `code_at` on, the constants from `constants_at` on. */
void supply_bring(struct supply *supply, uint64_t now, uint32_t code, uint64_t code_at,
                  uint32_t constants, uint64_t constants_at);

/* All code and all constants are in L2 from the beginning. */
void supply_warm(struct supply *supply);

/* Serves the requests for cycles before `end`, up to which all SMs have run. */
void supply_exchange(struct supply *supply, uint64_t end);

/* Tells an SM (fetch.c) that its `request` for line `number` has been answered: what lies behind
 * its port has the line from `ready_at` on. */
void sm_supplied(struct sm *sm, enum supply_kind kind, uint32_t number, uint32_t request,
                 uint64_t ready_at);

/* Returns the cycle of the first request that has not been served, or UINT64_MAX. */
static inline uint64_t supply_first(const struct supply_port *port)
{
    uint64_t first = UINT64_MAX;
    for (unsigned kind = 0; kind < SUPPLY_KINDS; kind++) {
        const struct supply_queue *queue = &port->queue[kind];
        const struct supply_request *request = queue->requests.data;
        if (queue->first < queue->requests.count && request[queue->first].at < first)
            first = request[queue->first].at;
    }
    return first;
}

#endif
