/* The store buffer of an SM: lines that stores have written and that have not left for L2. Until a
 * line leaves, a further store to it joins it. */
#ifndef SIM_MEM_STORES_H
#define SIM_MEM_STORES_H

#include "mem/ids.h"
#include "mem/outbox.h"

enum {
    STORES_PLACES = 64, /* entries of the table that finds a line by its hash */
    STORES_JOINS = 31,  /* stores that can join a line; the next store begins another line (assumed,
                           not seen) */
    STORES_PACKETS = 16, /* most packets that can wait at the port */
    STORES_CREDIT = 4    /* cycles from a packet's departure until its place is free (assumed) */
};

struct stores_line {
    struct packet packet;
    uint64_t ready; /* cycle from which the line may leave */
    uint32_t joins;
    uint32_t before; /* number of the line put before it with the same hash */
};

/* A store that has joined a line: its request, and the store that joined before it. */
struct stores_join {
    uint16_t request, next;
};

struct stores {
    struct stores_line *line; /* [room], a power of two; lines head to tail - 1 are in use */
    uint32_t room, head, tail;
    uint32_t limit;                /* a new line waits while so many lines are in use */
    uint32_t packets;              /* packets that can wait at the port */
    uint64_t from;                 /* no line leaves before this cycle */
    uint64_t free[STORES_PACKETS]; /* cycles at which the places of the last packets are free */
    uint32_t last[STORES_PLACES];  /* number of the last line with each hash */
    struct stores_join *join;
    struct ids joins; /* handle 0 means none */
};

struct mem_sm;

/* Initialises the buffer. `most`: lines of one instruction. Returns false if memory runs out. */
bool stores_init(struct stores *stores, struct arena *arena, const struct simsm_config *config,
                 uint32_t most);

/* Lets all lines leave whose cycle is at most `now`, while L2 takes them. */
void stores_advance(struct mem_sm *sm, uint64_t now);

/* Lets lines leave at `now` that have waited for an answer of L2. */
void stores_answered(struct mem_sm *sm, uint64_t now);

/* Puts a store's packet into the buffer at `now`; L1 has processed it at `ready`. The packet joins
 * a line or becomes a new one. */
void stores_put(struct mem_sm *sm, uint64_t now, uint64_t ready, struct packet packet);

/* Keeps later stores from joining `line`, because another access has gone to the line (H200,
 * cuda/calib/hot share). */
void stores_seal(struct stores *stores, uint64_t line);

/* Returns whether a store to `line` has room: the buffer is below its limit, or the store joins a
 * line. */
bool stores_have_room(const struct stores *stores, uint64_t line);

/*
 * Returns the cycle at which the next line leaves if L2 takes it; MEM_NEVER if the buffer is empty.
 */
uint64_t stores_departure(const struct stores *stores);

/* Returns whether L2 takes the next line; there must be one. */
bool stores_can_leave(const struct mem_sm *sm);

#endif
