/* The way out of an SM: packets for L2, in the order and at the cycles in which they leave. A
 * packet stays here until the shared half serves it. */
#ifndef SIM_MEM_OUTBOX_H
#define SIM_MEM_OUTBOX_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/check.h"
#include "mem/coalesce.h"
#include "mem/l2.h"
#include "mem/mem.h"
#include "mem/port.h"
#include "mem/timing.h"

/* The stage holds back while the port is so many cycles behind. */
enum { OUTBOX_BACKLOG = 64 };

enum packet_kind { PACKET_READ, PACKET_WRITE, PACKET_ATOMIC, PACKET_REDUCTION };

struct packet {
    uint64_t leaves;     /* cycle at which its first byte leaves */
    uint64_t line;       /* L2 line */
    uint64_t words;      /* words of 4 bytes of the line that a store writes */
    struct l2_places at; /* where L2 has the line */
    uint16_t owner;      /* read or atomic: MSHR; write or reduction: open request */
    uint8_t mask;        /* sectors of the L2 line; sectors of the L1 line: mask >> down << up */
    uint8_t down, up;
    uint8_t kind;
    uint8_t atomic;  /* enum inst_atomic */
    uint8_t repeat;  /* atomics: most lanes on one address */
    uint8_t turns;   /* atomics: most lanes on one address of each sector, added up */
    bool alone;      /* a read that must not join a read of another SM */
    uint8_t tail;    /* cycles from its first byte to its last */
    bool partial;    /* a store that does not fill its sectors */
    uint16_t joined; /* last store that has joined (index in struct stores); 0: none */
    uint16_t unused; /* leaves no gap: a new field changes the struct's size */
};

struct outbox {
    struct port port;
    struct packet *ring; /* [room], a power of two */
    uint32_t room, head, tail;
    uint32_t most; /* most packets of one instruction */
};

/* Returns the most packets that can leave in `cycles` cycles. */
static inline uint64_t outbox_most(uint32_t rate, uint64_t cycles)
{
    return cycles * (rate / 32 + 1) + 1;
}

/* Initialises an outbox with room for the packets of one window and the backlog. `window`: cycles;
 * `most`: packets of one instruction. Returns false if memory runs out. */
bool outbox_init(struct outbox *outbox, struct arena *arena, const struct simsm_config *config,
                 uint64_t window, uint32_t most);

/* Returns the bytes that a packet takes on the way to L2. Each lane of an atomic on one word takes
 * bytes of its own. */
static inline uint32_t packet_bytes(const struct mem_timing *timing, const struct packet *packet)
{
    if (packet->kind == PACKET_READ)
        return SECTOR_BYTES;
    if (packet->kind == PACKET_WRITE)
        return sector_count(packet->mask) * SECTOR_BYTES +
               (packet->partial ? timing->mask_bytes : 0);
    uint32_t others =
        (uint32_t)packet->turns - packet->repeat; /* turns outside the busiest sector */
    uint32_t headers = others < packet->repeat ? others : packet->repeat;
    uint32_t bytes = packet->turns * SECTOR_BYTES + headers * timing->atomic_bytes;
    /* A compare-and-swap has two operands. Both fit where there is one sector. */
    return packet->atomic == ATOMIC_CAS && headers != 0 ? 2 * bytes : bytes;
}

/* Returns packet `number`; head <= `number` < tail. */
static inline struct packet *outbox_at(const struct outbox *outbox, uint32_t number)
{
    return &outbox->ring[number & (outbox->room - 1)];
}

/* Sends `packet` when the port is free, not before `now`. There must be room. Returns the cycle at
 * which the packet leaves. */
static inline uint64_t outbox_send(struct outbox *outbox, uint64_t now, uint32_t bytes,
                                   const struct packet *packet)
{
    SIMSM_CHECK(outbox->tail - outbox->head < outbox->room, "%u packets wait, room for %u",
                outbox->tail - outbox->head, outbox->room);
    struct packet *sent = outbox_at(outbox, outbox->tail++);
    uint64_t leaves = port_send(&outbox->port, now, bytes);
    /* Copies field by field: the host reads a struct slowly as a whole if it has just been written
     * in parts. */
    _Static_assert(sizeof *packet == 3 * 8 + sizeof packet->at + 3 * 2 + 10 * 1,
                   "a new field of struct packet is to be copied here, too");
    sent->leaves = leaves;
    sent->line = packet->line;
    sent->words = packet->words;
    sent->at = packet->at;
    sent->owner = packet->owner;
    sent->mask = packet->mask;
    sent->down = packet->down;
    sent->up = packet->up;
    sent->kind = packet->kind;
    sent->atomic = packet->atomic;
    sent->repeat = packet->repeat;
    sent->turns = packet->turns;
    sent->alone = packet->alone;
    sent->tail = (uint8_t)(port_last(&outbox->port) - leaves);
    sent->partial = packet->partial;
    sent->joined = packet->joined;
    return leaves;
}

/* Returns the first cycle from which the stage may send; at most `now` if it may send now. */
static inline uint64_t outbox_free_at(const struct outbox *outbox, uint64_t now)
{
    if (outbox->port.cycle > now + OUTBOX_BACKLOG)
        return outbox->port.cycle - OUTBOX_BACKLOG;
    bool room = outbox->room - (outbox->tail - outbox->head) >= outbox->most;
    return room ? now
                : now + 1; /* no room is only possible if a window is longer than mem_window() */
}

/* Returns the packet that leaves next, or NULL. */
static inline struct packet *outbox_head(const struct outbox *outbox)
{
    return outbox->head != outbox->tail ? outbox_at(outbox, outbox->head) : NULL;
}

/* Drops the packet that leaves next. An empty ring starts over, which keeps to host cache lines in
 * use. */
static inline void outbox_drop_head(struct outbox *outbox)
{
    SIMSM_CHECK(outbox->head != outbox->tail, "no packet waits after %u", outbox->head);
    if (++outbox->head == outbox->tail)
        outbox->head = outbox->tail = 0;
}

#endif
