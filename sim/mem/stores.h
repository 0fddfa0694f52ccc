/*
 * Lines that an SM's stores have written and that are to leave for L2. A line stays for as long as
 * L1 takes with the instruction; until it leaves, another store to the line joins it, and the later
 * one's time counts. Lines leave in order, one a cycle, for a few places in front of the SM's port;
 * with so many sectors in flight that L2 takes no more, they wait. SOURCE: an H200, calib/pending.
 */
#ifndef SIM_MEM_STORES_H
#define SIM_MEM_STORES_H

#include "mem/ids.h"
#include "mem/outbox.h"

enum {
    STORES_PLACES = 64,  /* to find a line by */
    STORES_JOINS = 31,   /* stores that can join one; more begin another: assumed, not seen */
    STORES_PACKETS = 16, /* most that can wait at the port */
    STORES_CREDIT = 4    /* cycles from a packet's way out to its place being free: assumed */
};

struct stores_line {
    struct packet packet;
    uint64_t ready; /* cycle from which it may leave */
    uint32_t joins;
    uint32_t before; /* number of the line put before with the same hash */
};

/* A store that has joined a line: its request, and the one that joined before. */
struct stores_join {
    uint16_t request, next;
};

struct stores {
    struct stores_line *line; /* [room], a power of two; from head to tail */
    uint32_t room, head, tail;
    uint32_t limit;                /* lines, from which on a further one waits */
    uint32_t packets;              /* that can wait at the port */
    uint64_t from;                 /* before which no line leaves */
    uint64_t free[STORES_PACKETS]; /* cycles at which the places of the last ones are free */
    uint32_t last[STORES_PLACES];  /* number of the last line of each hash */
    struct stores_join *join;
    struct ids joins; /* 0 is none of them */
};

struct mem_sm;

/* False: out of memory. `most`: lines of one instruction. */
bool stores_init(struct stores *stores, struct arena *arena, const struct simsm_config *config,
                 uint32_t most);

/* Lets the lines leave that do so up to `now`. */
void stores_advance(struct mem_sm *sm, uint64_t now);

/* Something that was in flight has been answered at `now`. */
void stores_answered(struct mem_sm *sm, uint64_t now);

/* A store's packet, with which L1 has done at `ready`. Joins a line or becomes one, at `now`. */
void stores_put(struct mem_sm *sm, uint64_t now, uint64_t ready, struct packet packet);

/* Something else goes to the line: later stores join none before it (an H200: calib/hot share). */
void stores_seal(struct stores *stores, uint64_t line);

/* Whether a store to the line could be put now. */
bool stores_have_room(const struct stores *stores, uint64_t line);

/* Cycle at which the next line leaves, if L2 takes it; MEM_NEVER if there is none. */
uint64_t stores_departure(const struct stores *stores);

/* Whether L2 takes the next line, if there is one. */
bool stores_can_leave(const struct mem_sm *sm);

#endif
