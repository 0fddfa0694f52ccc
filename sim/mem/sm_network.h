/*
 * The network between the SMs of a cluster. Accesses are served at exchanges, in the order of
 * (cycle, SM, sequence), before any of them can have been answered: the order in which SMs are
 * simulated does not matter. How far others are behind, an SM knows from the last exchange; the
 * cycles between exchanges follow from the configuration and the kernel alone.
 */
#ifndef SIM_MEM_SM_NETWORK_H
#define SIM_MEM_SM_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "mem/mem.h"
#include "mem/memop.h"
#include "mem/port.h"
#include "mem/requests.h"
#include "mem/timing.h"

/* What an access sends to one SM: pieces there, and pieces of the answer. */
struct network_part {
    uint16_t to, sent, answers;
};

struct network_access {
    uint32_t parts;
    bool loads; /* it sends no data */
    struct network_part part[SIMSM_WARP_LANES];
};

/* A part that no exchange has served. */
struct network_packet {
    uint64_t leaves;
    uint32_t latency; /* of the access, if nothing is in its way */
    uint32_t request;
    struct network_part part;
};

/* From which cycle an SM can receive and send further pieces, as of the last exchange. */
struct network_seen {
    uint64_t in_free, out_free;
};

/* The end of one SM. */
struct network_end {
    /* Loads pass the data that leave the SM, and take bytes of their way. `in` belongs to the
     * exchange. */
    struct port ask, out, in;
    const struct network_seen *seen; /* [SMs] */
    struct network_packet *packet;   /* [packets] in the order in which they leave */
    uint32_t packets, served, room;
    uint64_t next; /* no packet of the list completes a request before; MEM_NEVER: there is none */
    struct requests *requests;
};

struct network {
    uint32_t sms, window;
    struct network_seen *seen; /* [sms]; NULL: no SM has joined */
    struct network_end **end;  /* [sms]; NULL: has not joined */
    uint16_t *sender;          /* [sms] room for network_exchange */
};

/* Returns the end of SM `sm`, which is part of the network from now on; NULL if memory runs out.
 * `requests` must outlive it. */
struct network_end *network_join(struct network *network, struct arena *arena,
                                 const struct mem_timing *timing, uint32_t sm,
                                 struct requests *requests);

/* Serves the packets that leave before cycle `now`. */
void network_exchange(struct network *network, uint64_t now);

/* Fills *access with what the lanes of `request` that reach other SMs send. */
void network_find(struct network_access *access, const struct mem_timing *timing,
                  const struct mem_request *request, const struct memop *op);

/* Returns at most `now` if the ways have room for an access; otherwise the cycle in which, for all
 * that is known, they will have it. */
uint64_t network_room(const struct network_end *end, const struct network_access *access);

/* Sends an access of at least one part, of open request `request`, at `now`; it has `latency` if
 * nothing is in its way. */
void network_send(struct network_end *end, uint64_t now, const struct network_access *access,
                  uint32_t request, uint32_t latency);

#endif
