/* Replies ordered by (cycle, order): a ring in which a new one is moved forward to its place. */
#ifndef SIM_MEM_REPLIES_H
#define SIM_MEM_REPLIES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct reply {
    uint64_t cycle;
    uint32_t order; /* modulo 2^32 */
    uint16_t mshr;
    uint8_t mask, level;
};

struct replies {
    struct reply *ring; /* [room], a power of two */
    uint32_t room, head, tail;
};

static inline bool replies_init(struct replies *replies, uint32_t most)
{
    *replies = (struct replies){.room = 1};
    while (replies->room < most)
        replies->room *= 2;
    replies->ring = calloc(replies->room, sizeof *replies->ring);
    return replies->ring != NULL;
}

static inline void replies_free(struct replies *replies)
{
    free(replies->ring);
    replies->ring = NULL;
}

static inline uint32_t replies_count(const struct replies *replies)
{
    return replies->tail - replies->head;
}

/* The i-th; there must be as many. */
static inline struct reply *replies_at(const struct replies *replies, uint32_t i)
{
    return &replies->ring[(replies->head + i) & (replies->room - 1)];
}

/* Cycle of the first, UINT64_MAX if there is none. */
static inline uint64_t replies_next(const struct replies *replies)
{
    return replies->head != replies->tail ? replies_at(replies, 0)->cycle : UINT64_MAX;
}

static inline bool reply_before(const struct reply *a, const struct reply *b)
{
    return a->cycle != b->cycle ? a->cycle < b->cycle : (int32_t)(a->order - b->order) < 0;
}

static inline void replies_add(struct replies *replies, struct reply reply)
{
    uint32_t mask = replies->room - 1;
    uint32_t at = replies->tail++;
    while (at != replies->head && reply_before(&reply, &replies->ring[(at - 1) & mask])) {
        replies->ring[at & mask] = replies->ring[(at - 1) & mask];
        at--;
    }
    replies->ring[at & mask] = reply;
}

/* An empty ring starts over, which keeps to memory that is near. */
static inline void replies_drop_first(struct replies *replies)
{
    if (++replies->head == replies->tail)
        replies->head = replies->tail = 0;
}

#endif
