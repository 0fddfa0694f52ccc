#include "mem/mshr.h"

#include <string.h>

#include "mem/coalesce.h"

enum { MOST_WAITING = 16384 };

static uint32_t hash(const struct mshrs *mshrs, uint64_t line)
{
    return (uint32_t)((line * UINT64_C(0x9E3779B97F4A7C15)) >> mshrs->hash_shift);
}

/* The smallest power of two that is not below `n`, as its exponent. */
static uint32_t exponent(uint32_t n)
{
    uint32_t bits = 0;
    while ((1u << bits) < n)
        bits++;
    return bits;
}

static bool init_replies(struct mshrs *mshrs, uint32_t most)
{
    return replies_init(&mshrs->from_l2, most) && replies_init(&mshrs->from_dram, most) &&
           replies_init(&mshrs->landed, most);
}

bool mshr_init(struct mshrs *mshrs, struct requests *requests, const struct simsm_config *config,
               uint32_t most_lines)
{
    uint32_t registers = config->l1_mshrs > most_lines ? config->l1_mshrs : most_lines;
    uint32_t bits = exponent(2 * registers);
    uint64_t waiting = (uint64_t)registers * config->l1_mshr_merges;
    mshrs->requests = requests;
    mshrs->limit = config->l1_mshrs;
    mshrs->merge_limit = config->l1_mshr_merges;
    mshrs->waiting_limit = waiting < MOST_WAITING ? (uint32_t)waiting : MOST_WAITING;
    mshrs->hash_shift = 64 - bits;
    mshrs->port = (struct port){.rate = config->xbar_reply_bytes};
    mshrs->mshr = aligned_alloc(64, registers * sizeof *mshrs->mshr);
    mshrs->waiter = calloc(mshrs->waiting_limit, sizeof *mshrs->waiter);
    mshrs->bucket = malloc(sizeof *mshrs->bucket << bits);
    if (mshrs->mshr == NULL || mshrs->waiter == NULL || mshrs->bucket == NULL)
        return false;
    memset(mshrs->bucket, 0xFF, sizeof *mshrs->bucket << bits);
    return ids_init(&mshrs->mshr_ids, registers) &&
           ids_init(&mshrs->waiter_ids, mshrs->waiting_limit) &&
           init_replies(mshrs, registers * (config->l1_line_bytes / SECTOR_BYTES));
}

void mshr_free(struct mshrs *mshrs)
{
    free(mshrs->mshr);
    free(mshrs->waiter);
    free(mshrs->bucket);
    ids_free(&mshrs->mshr_ids);
    ids_free(&mshrs->waiter_ids);
    replies_free(&mshrs->from_l2);
    replies_free(&mshrs->from_dram);
    replies_free(&mshrs->landed);
}

uint32_t mshr_find(const struct mshrs *mshrs, uint64_t line)
{
    uint32_t id = mshrs->bucket[hash(mshrs, line)];
    while (id != MSHR_NONE && mshrs->mshr[id].line != line)
        id = mshrs->mshr[id].next;
    return id;
}

uint32_t mshr_open(struct mshrs *mshrs, uint64_t line, bool fills, bool merges)
{
    uint32_t id = ids_take(&mshrs->mshr_ids);
    struct mshr *mshr = &mshrs->mshr[id];
    mshr->line = line;
    mshr->first = (struct mshr_waiter){0, MSHR_NONE, 0};
    mshr->next = MSHR_NONE;
    mshr->merged = 0;
    mshr->pending = mshr->landed = 0;
    mshr->fills = fills;
    mshr->merges = merges;
    mshrs->used++;
    if (merges) {
        uint16_t *bucket = &mshrs->bucket[hash(mshrs, line)];
        mshr->next = *bucket;
        *bucket = (uint16_t)id;
    }
    return id;
}

static void close_mshr(struct mshrs *mshrs, uint32_t id)
{
    const struct mshr *mshr = &mshrs->mshr[id];
    if (mshr->merges) {
        uint16_t *link = &mshrs->bucket[hash(mshrs, mshr->line)];
        while (*link != id)
            link = &mshrs->mshr[*link].next;
        *link = mshr->next;
    }
    mshrs->waiting -= mshr->merged;
    mshrs->used--;
    ids_give(&mshrs->mshr_ids, id);
}

void mshr_wait(struct mshrs *mshrs, uint64_t now, uint32_t id, uint32_t request, uint32_t mask)
{
    struct mshr *mshr = &mshrs->mshr[id];
    mshr->merged++;
    mshrs->waiting++;
    for (uint32_t known = mask & mshr->landed; known != 0; known &= known - 1) {
        /* It has landed but not come in, so it lies after `now`. */
        uint32_t at = mshr->landed_at[__builtin_ctz(known)];
        uint32_t ahead = (at >> 2) - (uint32_t)now;
        requests_arrived(mshrs->requests, request, now + (ahead & (UINT32_MAX >> 2)), at & 3);
    }
    mask &= ~(uint32_t)mshr->landed;
    if (mask == 0)
        return;
    requests_add_part(mshrs->requests, request);
    if (mshr->first.mask == 0) {
        mshr->first.request = (uint16_t)request;
        mshr->first.mask = (uint8_t)mask;
        return;
    }
    uint32_t waiter = ids_take(&mshrs->waiter_ids);
    mshrs->waiter[waiter] =
        (struct mshr_waiter){(uint16_t)request, mshr->first.next, (uint8_t)mask};
    mshr->first.next = (uint16_t)waiter;
}

void mshr_put_reply(struct mshrs *mshrs, uint32_t id, uint32_t mask, uint8_t level, uint64_t cycle)
{
    replies_add(level == SIMSM_LEVEL_DRAM ? &mshrs->from_dram : &mshrs->from_l2,
                (struct reply){cycle, mshrs->order++, (uint16_t)id, (uint8_t)mask, level});
}

/* Tells one waiter of a reply that comes in at `cycle`; true if it waits no more. */
static bool tell(struct mshrs *mshrs, struct mshr_waiter *waiter, const struct reply *reply,
                 uint64_t cycle)
{
    if ((waiter->mask & reply->mask) == 0)
        return false;
    requests_arrived(mshrs->requests, waiter->request, cycle, reply->level);
    waiter->mask &= (uint8_t)~reply->mask;
    if (waiter->mask != 0)
        return false;
    requests_finish_part(mshrs->requests, waiter->request);
    return true;
}

static void land(struct mshrs *mshrs, const struct reply *reply, uint64_t cycle)
{
    struct mshr *mshr = &mshrs->mshr[reply->mshr];
    mshr->landed |= reply->mask;
    for (uint32_t left = reply->mask; left != 0; left &= left - 1)
        mshr->landed_at[__builtin_ctz(left)] = (uint32_t)cycle << 2 | reply->level;
    (void)tell(mshrs, &mshr->first, reply, cycle);
    uint16_t *link = &mshr->first.next;
    while (*link != MSHR_NONE) {
        uint16_t id = *link;
        struct mshr_waiter *waiter = &mshrs->waiter[id];
        if (!tell(mshrs, waiter, reply, cycle)) {
            link = &waiter->next;
            continue;
        }
        *link = waiter->next;
        ids_give(&mshrs->waiter_ids, id);
    }
}

/* Which of the two has the earlier reply; there must be one. */
static struct replies *earlier(struct mshrs *mshrs)
{
    struct replies *a = &mshrs->from_l2, *b = &mshrs->from_dram;
    if (replies_count(a) == 0 || replies_count(b) == 0)
        return replies_count(a) == 0 ? b : a;
    return reply_before(replies_at(a, 0), replies_at(b, 0)) ? a : b;
}

void mshr_land(struct mshrs *mshrs, uint64_t until)
{
    if (mshrs->known_until < until)
        mshrs->known_until = until;
    while (mshr_next_arrival(mshrs) < until) {
        struct replies *from = earlier(mshrs);
        struct reply reply = *replies_at(from, 0);
        replies_drop_first(from);
        (void)port_send(&mshrs->port, reply.cycle, sector_count(reply.mask) * SECTOR_BYTES);
        reply.cycle = port_last(&mshrs->port);
        reply.order = 0;
        land(mshrs, &reply, reply.cycle);
        replies_add(&mshrs->landed, reply);
    }
}

bool mshr_take_fill(struct mshrs *mshrs, uint64_t now, struct mshr_fill *fill)
{
    if (replies_next(&mshrs->landed) > now)
        return false;
    const struct reply *reply = replies_at(&mshrs->landed, 0);
    uint32_t id = reply->mshr;
    struct mshr *mshr = &mshrs->mshr[id];
    *fill = (struct mshr_fill){mshr->line, reply->mask, mshr->fills};
    mshr->pending &= (uint8_t)~reply->mask;
    mshr->landed &= (uint8_t)~reply->mask;
    replies_drop_first(&mshrs->landed);
    if (mshr->pending == 0)
        close_mshr(mshrs, id);
    return true;
}

/* Cycle of the n-th of two ordered rings, n from 1; UINT64_MAX if there are not as many. */
static uint64_t nth(const struct replies *a, const struct replies *b, uint32_t n)
{
    uint32_t i = 0, j = 0;
    uint64_t cycle = MEM_NEVER;
    if (n > replies_count(a) + replies_count(b))
        return MEM_NEVER;
    for (; n != 0; n--) {
        uint64_t next_a = i < replies_count(a) ? replies_at(a, i)->cycle : MEM_NEVER;
        uint64_t next_b = j < replies_count(b) ? replies_at(b, j)->cycle : MEM_NEVER;
        cycle = next_a < next_b ? next_a : next_b;
        i += next_a < next_b;
        j += next_a >= next_b;
    }
    return cycle;
}

uint64_t mshr_free_bound(const struct mshrs *mshrs, uint32_t count)
{
    uint32_t landed = replies_count(&mshrs->landed);
    if (count <= landed)
        return replies_at(&mshrs->landed, count - 1)->cycle;
    if (count - landed <= mshrs->unserved)
        return mshrs->known_until;
    uint64_t bound = nth(&mshrs->from_l2, &mshrs->from_dram, count - landed - mshrs->unserved);
    return bound > mshrs->known_until ? bound : mshrs->known_until;
}

uint64_t mshr_next_arrival(const struct mshrs *mshrs)
{
    uint64_t a = replies_next(&mshrs->from_l2), b = replies_next(&mshrs->from_dram);
    return a < b ? a : b;
}
