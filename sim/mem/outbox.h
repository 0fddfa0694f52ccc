/*
 * The way out of an SM: packets for L2, in the order and at the cycles in which they leave. They
 * stay here until the shared half serves them.
 */
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

/* Cycles of packets that may wait at the port; beyond that the stage holds back. */
enum { OUTBOX_BACKLOG = 64 };

enum packet_kind { PACKET_READ, PACKET_WRITE, PACKET_ATOMIC, PACKET_REDUCTION };

struct packet {
    uint64_t leaves;     /* cycle */
    uint64_t line;       /* of L2 */
    uint64_t words;      /* of 4 bytes of the line that a store writes */
    struct l2_places at; /* for the shared half, which finds them */
    uint16_t owner;      /* register of a read or atomic, request of a write or reduction */
    uint8_t mask;        /* sectors of the L2 line; of the L1 line they are mask >> down << up */
    uint8_t down, up;
    uint8_t kind;
    uint8_t atomic;  /* enum inst_atomic */
    uint8_t repeat;  /* atomics: most lanes on one address */
    uint8_t turns;   /* atomics: the same of each sector, added up */
    bool alone;      /* a read that joins none of another SM */
    uint8_t tail;    /* cycles from its first byte to its last */
    bool partial;    /* a store that does not fill its sectors */
    uint16_t joined; /* stores that go with it: the last one, of struct stores; 0: none */
    uint16_t unused; /* no gap: any new field makes it longer */
};

struct outbox {
    struct port port;
    struct packet *ring; /* [room], a power of two */
    uint32_t room, head, tail;
    uint32_t most; /* packets of one instruction */
};

/* Most packets that can leave in `cycles` cycles. */
static inline uint64_t outbox_most(uint32_t rate, uint64_t cycles)
{
    return cycles * (rate / 32 + 1) + 1;
}

/* Room for what one window and the backlog can hold. `most`: packets of one instruction. False: out
 * of memory. */
bool outbox_init(struct outbox *outbox, struct arena *arena, const struct simsm_config *config,
                 uint64_t window, uint32_t most);

/* What a packet takes of the way to L2; lanes of an atomic on one word go one by one. */
static inline uint32_t packet_bytes(const struct mem_timing *timing, const struct packet *packet)
{
    if (packet->kind == PACKET_READ)
        return SECTOR_BYTES;
    if (packet->kind == PACKET_WRITE)
        return sector_count(packet->mask) * SECTOR_BYTES +
               (packet->partial ? timing->mask_bytes : 0);
    uint32_t others = (uint32_t)packet->turns - packet->repeat; /* beside the busiest sector */
    uint32_t headers = others < packet->repeat ? others : packet->repeat;
    uint32_t bytes = packet->turns * SECTOR_BYTES + headers * timing->atomic_bytes;
    /* A compare-and-swap has two operands; both fit where there is one sector. */
    return packet->atomic == ATOMIC_CAS && headers != 0 ? 2 * bytes : bytes;
}

/* Packet `number`, from head to below tail. */
static inline struct packet *outbox_at(const struct outbox *outbox, uint32_t number)
{
    return &outbox->ring[number & (outbox->room - 1)];
}

/* Sends `packet` when the port is free, not before `now`; there must be room. Returns the cycle at
 * which it leaves. */
static inline uint64_t outbox_send(struct outbox *outbox, uint64_t now, uint32_t bytes,
                                   const struct packet *packet)
{
    SIMSM_CHECK(outbox->tail - outbox->head < outbox->room, "%u packets wait, room for %u",
                outbox->tail - outbox->head, outbox->room);
    struct packet *sent = outbox_at(outbox, outbox->tail++);
    uint64_t leaves = port_send(&outbox->port, now, bytes);
    /* Field by field: what has just been written in parts is slow to read as a whole. */
    _Static_assert(sizeof *packet == 3 * 8 + sizeof packet->at + 3 * 2 + 10 * 1,
                   "a new field of struct packet is to be copied here, too");
    sent->leaves = leaves;
    sent->line = packet->line;
    sent->words = packet->words;
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

/* First cycle from which the stage may send again; not above `now` if it may. */
static inline uint64_t outbox_free_at(const struct outbox *outbox, uint64_t now)
{
    if (outbox->port.cycle > now + OUTBOX_BACKLOG)
        return outbox->port.cycle - OUTBOX_BACKLOG;
    bool room = outbox->room - (outbox->tail - outbox->head) >= outbox->most;
    return room ? now : now + 1; /* without room only if a window is longer than allowed */
}

/* The packet that leaves next, or NULL. */
static inline struct packet *outbox_head(const struct outbox *outbox)
{
    return outbox->head != outbox->tail ? outbox_at(outbox, outbox->head) : NULL;
}

/* An empty ring starts over, which keeps to memory that is near. */
static inline void outbox_drop_head(struct outbox *outbox)
{
    SIMSM_CHECK(outbox->head != outbox->tail, "no packet waits after %u", outbox->head);
    if (++outbox->head == outbox->tail)
        outbox->head = outbox->tail = 0;
}

#endif
