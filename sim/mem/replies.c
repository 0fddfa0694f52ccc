#include "mem/replies.h"

#include <stdlib.h>
#include <string.h>

bool replies_init(struct replies *replies, uint32_t most)
{
    memset(replies, 0, sizeof *replies);
    replies->next = REPLIES_NEVER;
    replies->freed = REPLIES_NONE;
    replies->reply = calloc(most, sizeof *replies->reply);
    return replies->reply != NULL;
}

void replies_free(struct replies *replies)
{
    free(replies->reply);
    replies->reply = NULL;
}

static uint64_t earliest_in(const struct replies *replies, uint32_t index)
{
    uint64_t earliest = REPLIES_NEVER;
    for (uint32_t id = replies->list[index].first; id != REPLIES_NONE;
         id = replies->reply[id].next) {
        if (replies->reply[id].cycle < earliest)
            earliest = replies->reply[id].cycle;
    }
    return earliest;
}

/* The earliest cycle of all; none is before `from`. */
static uint64_t earliest(const struct replies *replies, uint64_t from)
{
    uint64_t found = REPLIES_NEVER;
    uint32_t start = (uint32_t)(from % REPLIES_LISTS);
    uint32_t word = start / 64;
    uint64_t bits = replies->busy[word] & UINT64_MAX << start % 64;
    if (replies->count == 0)
        return found;
    for (uint32_t i = 0; i <= REPLIES_LISTS / 64; i++) {
        for (; bits != 0; bits &= bits - 1) {
            uint64_t cycle = earliest_in(replies, word * 64 + (uint32_t)__builtin_ctzll(bits));
            if (cycle < from + REPLIES_LISTS)
                return cycle;
            found = cycle < found ? cycle : found;
        }
        word = (word + 1) % (REPLIES_LISTS / 64);
        bits = replies->busy[word];
    }
    return found;
}

struct reply replies_take(struct replies *replies)
{
    uint64_t cycle = replies->next;
    uint32_t index = (uint32_t)(cycle % REPLIES_LISTS);
    struct replies_list *list = &replies->list[index];
    uint32_t before = REPLIES_NONE, id = list->first;
    while (replies->reply[id].cycle != cycle) {
        before = id;
        id = replies->reply[id].next;
    }
    struct reply reply = replies->reply[id];
    if (before == REPLIES_NONE)
        list->first = reply.next;
    else
        replies->reply[before].next = reply.next;
    if (reply.next == REPLIES_NONE)
        list->last = (uint16_t)before;
    if (list->first == REPLIES_NONE)
        replies->busy[index / 64] &= ~(UINT64_C(1) << index % 64);
    replies->reply[id].next = replies->freed;
    replies->freed = (uint16_t)id;
    replies->count--;
    replies->next = earliest(replies, cycle);
    return reply;
}

uint64_t replies_nth(const struct replies *replies, uint32_t n)
{
    uint64_t from = replies->next;
    if (n > replies->count)
        return REPLIES_NEVER;
    for (uint64_t cycle = from; cycle < from + REPLIES_LISTS;) {
        uint32_t index = (uint32_t)(cycle % REPLIES_LISTS);
        uint64_t bits = replies->busy[index / 64] >> index % 64;
        if (bits == 0) {
            cycle += 64 - index % 64;
            continue;
        }
        cycle += (uint32_t)__builtin_ctzll(bits);
        uint32_t id = replies->list[cycle % REPLIES_LISTS].first;
        for (; id != REPLIES_NONE; id = replies->reply[id].next) {
            if (replies->reply[id].cycle == cycle && --n == 0)
                return cycle;
        }
        cycle++;
    }
    return from + REPLIES_LISTS;
}
