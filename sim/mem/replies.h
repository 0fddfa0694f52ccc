/*
 * Replies on their way to one SM, ordered by (cycle, order of adding): a wheel with one list for
 * each cycle modulo its size. Replies further ahead than the wheel goes round share a list with
 * nearer ones and are passed over until it is their turn.
 */
#ifndef SIM_MEM_REPLIES_H
#define SIM_MEM_REPLIES_H

#include <stdbool.h>
#include <stdint.h>

enum { REPLIES_LISTS = 1024, REPLIES_NONE = UINT16_MAX };

#define REPLIES_NEVER UINT64_MAX

struct reply {
    uint64_t cycle;
    uint16_t next; /* in its list; the wheel's own */
    uint16_t mshr;
    uint8_t mask, level;
};

struct replies_list {
    uint16_t first, last; /* valid where the list's bit is set in `busy` */
};

struct replies {
    uint64_t next; /* earliest cycle, REPLIES_NEVER when empty */
    uint32_t count;
    uint32_t fresh; /* replies from here on have never been used */
    uint16_t freed; /* chain of replies that have been taken */
    struct reply *reply;
    uint64_t busy[REPLIES_LISTS / 64];
    struct replies_list list[REPLIES_LISTS];
};

/* `most`: replies at a time, at most 65535. False: out of memory. */
bool replies_init(struct replies *replies, uint32_t most);
void replies_free(struct replies *replies);

static inline void replies_add(struct replies *replies, struct reply reply)
{
    uint32_t index = (uint32_t)(reply.cycle % REPLIES_LISTS);
    uint64_t bit = UINT64_C(1) << index % 64;
    struct replies_list *list = &replies->list[index];
    uint16_t id = replies->freed;
    if (id != REPLIES_NONE)
        replies->freed = replies->reply[id].next;
    else
        id = (uint16_t)replies->fresh++;
    reply.next = REPLIES_NONE;
    replies->reply[id] = reply;
    if (replies->busy[index / 64] & bit)
        replies->reply[list->last].next = id;
    else
        list->first = id;
    list->last = id;
    replies->busy[index / 64] |= bit;
    replies->count++;
    if (reply.cycle < replies->next)
        replies->next = reply.cycle;
}

/* Takes the first; there must be one. */
struct reply replies_take(struct replies *replies);

/*
 * A cycle before which fewer than `n` are due: that of the n-th, if it is less than a turn of the
 * wheel after the first. REPLIES_NEVER if there are fewer.
 */
uint64_t replies_nth(const struct replies *replies, uint32_t n);

#endif
