#include "mem/mshr.h"

#include <stdlib.h>
#include <string.h>

#include "base/zeroed.h"
#include "mem/coalesce.h"

enum { MOST_WAITING = 8192 };

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

bool mshr_init(struct mshrs *mshrs, struct requests *requests, const struct simsm_config *config)
{
    uint32_t registers = config->l1_mshrs;
    uint32_t bits = exponent(2 * registers);
    uint32_t replies = registers * (config->l1_line_bytes / SECTOR_BYTES);
    uint64_t waiting = (uint64_t)registers * config->l1_mshr_merges;
    mshrs->requests = requests;
    mshrs->limit = config->l1_mshrs;
    mshrs->merge_limit = config->l1_mshr_merges;
    mshrs->waiting_limit = waiting < MOST_WAITING ? (uint32_t)waiting : MOST_WAITING;
    mshrs->hash_shift = 64 - bits;
    mshrs->port = (struct port){.rate = config->xbar_reply_bytes};
    mshrs->value_bytes = config->xbar_atomic_reply * config->xbar_reply_bytes;
    mshrs->mshr = aligned_alloc(64, registers * sizeof *mshrs->mshr);
    mshrs->waiter = zeroed_alloc(mshrs->waiting_limit, sizeof *mshrs->waiter);
    mshrs->landing_mask = (1u << exponent(replies)) - 1u;
    mshrs->landing = zeroed_alloc(mshrs->landing_mask + 1u, sizeof *mshrs->landing);
    mshrs->bucket = malloc(sizeof *mshrs->bucket << bits);
    if (mshrs->mshr == NULL || mshrs->waiter == NULL || mshrs->bucket == NULL ||
        mshrs->landing == NULL)
        return false;
    memset(mshrs->bucket, 0xFF, sizeof *mshrs->bucket << bits);
    return ids_init(&mshrs->mshr_ids, registers) &&
           ids_init(&mshrs->waiter_ids, mshrs->waiting_limit) &&
           replies_init(&mshrs->arrivals, replies);
}

void mshr_free(struct mshrs *mshrs)
{
    free(mshrs->mshr);
    zeroed_free(mshrs->waiter);
    free(mshrs->bucket);
    ids_free(&mshrs->mshr_ids);
    ids_free(&mshrs->waiter_ids);
    replies_free(&mshrs->arrivals);
    zeroed_free(mshrs->landing);
}

uint32_t mshr_find(const struct mshrs *mshrs, uint64_t line)
{
    uint32_t id = mshrs->bucket[hash(mshrs, line)];
    while (id != MSHR_NONE && mshrs->mshr[id].line != line)
        id = mshrs->mshr[id].next;
    return id;
}

uint32_t mshr_open(struct mshrs *mshrs, uint64_t line, uint32_t set, bool fills, bool merges)
{
    uint32_t id = ids_take(&mshrs->mshr_ids);
    struct mshr *mshr = &mshrs->mshr[id];
    mshr->line = line;
    mshr->set = set;
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
    requests_add_parts(mshrs->requests, request, 1);
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

/* Takes a reply through the port; returns the cycle at which all of it has come. */
static uint64_t come_in(struct mshrs *mshrs, const struct reply *reply)
{
    uint32_t bytes = sector_count(reply->mask) * SECTOR_BYTES;
    uint32_t values = reply->values * mshrs->value_bytes;
    uint64_t begin = reply->cycle;
    if (values > bytes) {
        uint32_t before = (values - mshrs->value_bytes) / mshrs->port.rate;
        begin -= before < begin ? before : begin;
        bytes = values;
    }
    (void)port_send(&mshrs->port, begin, bytes);
    uint64_t last = port_last(&mshrs->port);
    return last > reply->cycle ? last : reply->cycle;
}

void mshr_land(struct mshrs *mshrs, uint64_t until)
{
    if (mshrs->known_until < until)
        mshrs->known_until = until;
    while (mshrs->arrivals.next < until) {
        struct reply reply = replies_take(&mshrs->arrivals);
        uint64_t cycle = come_in(mshrs, &reply);
        land(mshrs, &reply, cycle);
        mshrs->landing[mshrs->tail++ & mshrs->landing_mask] =
            (struct landing){cycle, reply.mshr, reply.mask};
    }
}

bool mshr_take_fill(struct mshrs *mshrs, uint64_t now, struct mshr_fill *fill)
{
    const struct landing *landing = &mshrs->landing[mshrs->head & mshrs->landing_mask];
    if (mshrs->head == mshrs->tail || landing->cycle > now)
        return false;
    uint32_t id = landing->mshr;
    struct mshr *mshr = &mshrs->mshr[id];
    mshr->pending &= (uint8_t)~landing->mask;
    mshr->landed &= (uint8_t)~landing->mask;
    if (++mshrs->head == mshrs->tail)
        mshrs->head = mshrs->tail = 0; /* stay where the cache is warm */
    *fill = (struct mshr_fill){.cycle = landing->cycle,
                               .line = mshr->line,
                               .set = mshr->set,
                               .mask = landing->mask,
                               .owner = mshr->owner,
                               .fills = mshr->fills};
    if (mshr->pending == 0)
        close_mshr(mshrs, id);
    return true;
}

uint64_t mshr_free_bound(const struct mshrs *mshrs, uint32_t count)
{
    uint32_t landed = mshrs->tail - mshrs->head;
    if (count <= landed)
        return mshrs->landing[(mshrs->head + count - 1) & mshrs->landing_mask].cycle;
    if (count - landed <= mshrs->unserved)
        return mshrs->known_until;
    /* What is not known to be due in the earliest block of cycles is left to a later question. */
    uint64_t bound = replies_nth(&mshrs->arrivals, count - landed - mshrs->unserved);
    return bound > mshrs->known_until ? bound : mshrs->known_until;
}
