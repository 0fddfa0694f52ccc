/* A queue of replies ordered by cycle (replies.h). */
#include "mem/replies.h"

#include <string.h>

#include "base/check.h"

enum { FIRST_PLACES = 64 };
enum { AHEAD = 16 }; /* places; the next reply of a list mostly lies within so many */

static void set_used(struct replies *replies, uint32_t id, bool used)
{
    uint64_t bit = UINT64_C(1) << id % 64, *word = &replies->used[id / 64];
    *word = used ? *word | bit : *word & ~bit;
}

bool replies_init(struct replies *replies, struct arena *arena, uint32_t most)
{
    memset(replies, 0, sizeof *replies);
    memset(replies->near, 0xFF, sizeof replies->near);
    memset(replies->far, 0xFF, sizeof replies->far);
    replies->next = REPLIES_NEVER;
    replies->places = replies->room = FIRST_PLACES;
    replies->most = most;
    while (replies->room < most)
        replies->room *= 2;
    replies->reply = arena_take(arena, replies->room, sizeof *replies->reply);
    replies->used = arena_take(arena, replies->room / 64, sizeof *replies->used);
    if (replies->used != NULL && replies->room > REPLIES_NONE)
        set_used(replies, REPLIES_NONE, true); /* REPLIES_NONE is no place */
    return replies->reply != NULL && replies->used != NULL;
}

static void append(struct replies *replies, struct replies_list *list, uint32_t id)
{
    replies->reply[id].next = REPLIES_NONE;
    if (list->first == REPLIES_NONE)
        list->first = (uint16_t)id;
    else
        replies->reply[list->last].next = (uint16_t)id;
    list->last = (uint16_t)id;
}

static void add_near(struct replies *replies, uint32_t id)
{
    uint64_t cycle = replies->reply[id].cycle;
    uint32_t index = (uint32_t)(cycle % REPLIES_BLOCK);
    append(replies, &replies->near[index], id);
    replies->busy[index / 64] |= UINT64_C(1) << index % 64;
    if (cycle < replies->next)
        replies->next = cycle;
}

static void add_far(struct replies *replies, uint32_t id)
{
    uint64_t block = replies->reply[id].cycle / REPLIES_BLOCK;
    uint32_t index = (uint32_t)(block % REPLIES_BLOCKS);
    if ((replies->busy_blocks >> index & 1) == 0 || block < replies->far_block[index])
        replies->far_block[index] = block;
    append(replies, &replies->far[index], id);
    replies->busy_blocks |= UINT64_C(1) << index;
}

/* Returns the first cycle of the block, from `index` on, that has replies; REPLIES_BLOCK if none
 * has. */
static uint32_t first_busy(const struct replies *replies, uint32_t index)
{
    for (uint32_t word = index / 64; word < REPLIES_BLOCK / 64; word++) {
        uint64_t bits = replies->busy[word];
        if (word == index / 64)
            bits &= UINT64_MAX << index % 64;
        if (bits != 0)
            return word * 64 + (uint32_t)__builtin_ctzll(bits);
    }
    return REPLIES_BLOCK;
}

/* Puts the replies of the spread-out block back into the block's list. */
static void gather(struct replies *replies)
{
    for (uint32_t i = first_busy(replies, 0); i != REPLIES_BLOCK; i = first_busy(replies, i)) {
        struct replies_list *list = &replies->near[i];
        for (uint32_t id = list->first, next; id != REPLIES_NONE; id = next) {
            next = replies->reply[id].next;
            add_far(replies, id);
        }
        list->first = REPLIES_NONE;
        replies->busy[i / 64] &= ~(UINT64_C(1) << i % 64);
    }
    replies->next = REPLIES_NEVER;
}

/* Returns the number of the earliest block in the lists of blocks; there must be one, and none
 * before `from`. */
static uint64_t earliest_block(const struct replies *replies, uint64_t from)
{
    uint64_t earliest = UINT64_MAX;
    uint32_t start = (uint32_t)(from % REPLIES_BLOCKS);
    uint64_t busy = replies->busy_blocks;
    busy = start != 0 ? busy >> start | busy << (REPLIES_BLOCKS - start) : busy;
    for (; busy != 0; busy &= busy - 1) {
        uint64_t block =
            replies->far_block[(start + (uint32_t)__builtin_ctzll(busy)) % REPLIES_BLOCKS];
        if (block < from + REPLIES_BLOCKS)
            return block;
        earliest = block < earliest ? block : earliest;
    }
    return earliest;
}

/* Spreads the earliest block out over the lists of its cycles. */
static void spread_out(struct replies *replies)
{
    replies->block = earliest_block(replies, replies->block);
    uint32_t index = (uint32_t)(replies->block % REPLIES_BLOCKS);
    uint32_t id = replies->far[index].first;
    replies->far[index].first = REPLIES_NONE;
    replies->busy_blocks &= ~(UINT64_C(1) << index);
    for (uint32_t next; id != REPLIES_NONE; id = next) {
        next = replies->reply[id].next;
        __builtin_prefetch(&replies->reply[(next + AHEAD) & (replies->places - 1)]);
        if (replies->reply[id].cycle / REPLIES_BLOCK == replies->block)
            add_near(replies, id);
        else
            add_far(replies, id); /* REPLIES_BLOCKS blocks later */
    }
}

void replies_add(struct replies *replies, struct reply reply)
{
    uint32_t id = replies->last;
    uint64_t block = reply.cycle / REPLIES_BLOCK;
    SIMSM_CHECK(replies->count < replies->most, "%u replies of at most %u", replies->count,
                replies->most);
    if (2 * replies->count >= replies->places && replies->places < replies->room)
        replies->places *= 2;
    do
        id = (id + 1) & (replies->places - 1);
    while (replies->used[id / 64] >> id % 64 & 1);
    replies->last = id;
    set_used(replies, id, true);
    replies->reply[id] = reply;
    if (replies->count++ == 0)
        replies->block = block;
    if (block < replies->block) {
        gather(replies);
        replies->block = block;
    }
    if (block == replies->block)
        add_near(replies, id);
    else
        add_far(replies, id);
}

struct reply replies_take(struct replies *replies)
{
    uint32_t index = (uint32_t)(replies->next % REPLIES_BLOCK);
    struct replies_list *list = &replies->near[index];
    uint32_t id = list->first;
    SIMSM_CHECK(id != REPLIES_NONE, "%u replies, none of them at cycle %llu", replies->count,
                (unsigned long long)replies->next);
    struct reply reply = replies->reply[id];
    set_used(replies, id, false);
    replies->count--;
    list->first = reply.next;
    if (list->first != REPLIES_NONE)
        return reply;
    replies->busy[index / 64] &= ~(UINT64_C(1) << index % 64);
    index = first_busy(replies, index);
    replies->next = index != REPLIES_BLOCK ? replies->block * REPLIES_BLOCK + index : REPLIES_NEVER;
    if (replies->next == REPLIES_NEVER && replies->count != 0)
        spread_out(replies);
    return reply;
}

uint64_t replies_nth(const struct replies *replies, uint32_t n)
{
    if (n > replies->count)
        return REPLIES_NEVER;
    for (uint32_t i = first_busy(replies, 0); i != REPLIES_BLOCK; i = first_busy(replies, i + 1)) {
        uint32_t id = replies->near[i].first;
        for (; id != REPLIES_NONE; id = replies->reply[id].next) {
            if (--n == 0)
                return replies->reply[id].cycle;
        }
    }
    return (replies->block + 1) * REPLIES_BLOCK;
}
