/*
 * MODEL: the miss status holding registers (MSHRs) of L1. Each line on its way has one register.
 * Further requests for the line join it, also for sectors that were not asked for at first. There
 * are l1.mshrs registers with at most l1.mshr_merges requests each. Replies pass the SM's port in
 * the order of arrival, at xbar.reply_bytes a cycle; the values of an atomic's lanes on one word
 * pass one after another.
 * SOURCE: Huerta et al., MICRO 2025, simulator (sizes); H200, cuda/calib/atomic reductions_same
 * (values of atomics), cuda/calib/l1 (no limit was seen on the lines in flight).
 * LEFT OUT: nothing known.
 */
#include "mem/mshr.h"

#include <string.h>

#include "base/check.h"
#include "mem/coalesce.h"

enum { MOST_WAITING = 8192, BATCH = 64, FIRST_LANDINGS = 64 };

static uint64_t hash(uint64_t line)
{
    return line * UINT64_C(0x9E3779B97F4A7C15);
}

static uint16_t *bucket_of(const struct mshrs *mshrs, uint64_t line)
{
    return &mshrs->bucket[hash(line) >> mshrs->hash_shift];
}

static uint16_t mark_of(uint64_t line)
{
    return (uint16_t)(hash(line) >> 32);
}

/* Returns the exponent of the smallest power of two that is at least `n`. */
static uint32_t exponent(uint32_t n)
{
    uint32_t bits = 0;
    while ((1u << bits) < n)
        bits++;
    return bits;
}

bool mshr_init(struct mshrs *mshrs, struct arena *arena, struct requests *requests,
               const struct simsm_config *config)
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
    mshrs->mshr = arena_take(arena, registers, sizeof *mshrs->mshr);
    mshrs->waiter = arena_take_pool(arena, mshrs->waiting_limit, sizeof *mshrs->waiter);
    mshrs->landing_mask = FIRST_LANDINGS - 1u;
    mshrs->landing_room = 1u << exponent(replies > FIRST_LANDINGS ? replies : FIRST_LANDINGS);
    mshrs->landing = arena_take_pool(arena, mshrs->landing_room, sizeof *mshrs->landing);
    mshrs->answer = arena_take_pool(arena, replies, sizeof *mshrs->answer);
    mshrs->answer_next = REPLIES_NEVER;
    mshrs->link = arena_take(arena, registers, sizeof *mshrs->link);
    mshrs->bucket = arena_take(arena, sizeof *mshrs->bucket, (size_t)1 << bits);
    if (mshrs->mshr == NULL || mshrs->link == NULL || mshrs->waiter == NULL ||
        mshrs->bucket == NULL || mshrs->landing == NULL || mshrs->answer == NULL)
        return false;
    memset(mshrs->bucket, 0xFF, sizeof *mshrs->bucket << bits);
    return ids_init(&mshrs->mshr_ids, arena, registers) &&
           ids_init(&mshrs->waiter_ids, arena, mshrs->waiting_limit) &&
           replies_init(&mshrs->arrivals, arena, replies);
}

uint32_t mshr_find(const struct mshrs *mshrs, uint64_t line)
{
    const uint16_t mark = mark_of(line);
    uint32_t id = *bucket_of(mshrs, line);
    while (id != MSHR_NONE && (mshrs->link[id].mark != mark || mshrs->mshr[id].line != line))
        id = mshrs->link[id].next;
    return id;
}

void mshr_prefetch(const struct mshrs *mshrs, const uint64_t *line, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        __builtin_prefetch(bucket_of(mshrs, line[i]));
    for (uint32_t i = 0; i < count && i < mshrs->mshr_ids.n_freed; i++)
        __builtin_prefetch(&mshrs->mshr[mshrs->mshr_ids.freed[mshrs->mshr_ids.n_freed - 1 - i]]);
}

void mshr_prefetch_fills(const struct mshrs *mshrs, const struct tags *l1, uint64_t end)
{
    uint32_t last = mshrs->head;
    for (; last != mshrs->tail; last++) {
        const struct landing *landing = &mshrs->landing[last & mshrs->landing_mask];
        if (landing->cycle >= end)
            break;
        __builtin_prefetch(&mshrs->mshr[landing->mshr]);
        __builtin_prefetch(&mshrs->link[landing->mshr]);
    }
    for (uint32_t i = mshrs->head; i != last; i++) {
        const struct mshr *mshr = &mshrs->mshr[mshrs->landing[i & mshrs->landing_mask].mshr];
        __builtin_prefetch(bucket_of(mshrs, mshr->line));
        if (mshr->fills)
            tags_prefetch(l1, mshr->set);
    }
}

uint32_t mshr_open(struct mshrs *mshrs, uint64_t line, uint32_t set, bool fills, bool merges)
{
    uint32_t id = ids_take(&mshrs->mshr_ids);
    struct mshr *mshr = &mshrs->mshr[id];
    mshr->line = line;
    mshr->set = set;
    mshr->first = (struct mshr_waiter){0, MSHR_NONE, 0};
    mshr->merged = 0;
    mshr->pending = mshr->landed = 0;
    mshr->fills = fills;
    mshr->merges = merges;
    mshrs->used++;
    if (merges) {
        uint16_t *bucket = bucket_of(mshrs, line);
        mshrs->link[id] = (struct mshr_link){*bucket, mark_of(line)};
        *bucket = (uint16_t)id;
    }
    return id;
}

static void close_mshr(struct mshrs *mshrs, uint32_t id)
{
    const struct mshr *mshr = &mshrs->mshr[id];
    if (mshr->merges) {
        uint16_t *link = bucket_of(mshrs, mshr->line);
        while (*link != id) {
            SIMSM_CHECK(*link != MSHR_NONE, "register %u is in no chain", id);
            link = &mshrs->link[*link].next;
        }
        *link = mshrs->link[id].next;
    }
    mshrs->waiting -= mshr->merged;
    mshrs->used--;
    ids_give(&mshrs->mshr_ids, id);
}

void mshr_wait(struct mshrs *mshrs, uint64_t now, uint32_t id, uint32_t request, uint32_t mask)
{
    struct mshr *mshr = &mshrs->mshr[id];
    SIMSM_CHECK((mask & ~(uint32_t)mshr->pending) == 0,
                "register %u: sectors %x wanted, %x pending", id, mask, mshr->pending);
    mshr->merged++;
    mshrs->waiting++;
    for (uint32_t known = mask & mshr->landed; known != 0; known &= known - 1) {
        /* The sector has not passed the port yet, so its cycle is after `now`. */
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

/* Tells a waiter of a reply that has passed the port at `cycle`. Returns true if the request waits
 * for nothing more. */
static bool notify_waiter(struct mshrs *mshrs, struct mshr_waiter *waiter,
                          const struct reply *reply, uint64_t cycle)
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
    (void)notify_waiter(mshrs, &mshr->first, reply, cycle);
    uint16_t *link = &mshr->first.next;
    while (*link != MSHR_NONE) {
        uint16_t id = *link;
        struct mshr_waiter *waiter = &mshrs->waiter[id];
        if (!notify_waiter(mshrs, waiter, reply, cycle)) {
            link = &waiter->next;
            continue;
        }
        *link = waiter->next;
        ids_give(&mshrs->waiter_ids, id);
    }
}

/* Sends a reply through the port. Returns the cycle at which all of it has passed. */
static uint64_t pass_port(struct mshrs *mshrs, const struct reply *reply)
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

/* Appends to the ring. The ring is no longer than was needed so far, which keeps to host cache
 * lines in use. */
static void add_landing(struct mshrs *mshrs, struct landing landing)
{
    const uint32_t mask = mshrs->landing_mask;
    SIMSM_CHECK(mshrs->tail - mshrs->head < mshrs->landing_room, "%u replies have landed",
                mshrs->tail - mshrs->head);
    if (mshrs->tail - mshrs->head > mask) {
        mshrs->landing_mask = 2 * mask + 1;
        for (uint32_t i = mshrs->head; i != mshrs->tail; i++)
            if (i & (mask + 1))
                mshrs->landing[i & mshrs->landing_mask] = mshrs->landing[i & mask];
    }
    mshrs->landing[mshrs->tail++ & mshrs->landing_mask] = landing;
}

/* Sorts the replies that the shared half has put. */
static void take_answers(struct mshrs *mshrs)
{
    for (uint32_t i = 0; i < mshrs->answers; i++)
        replies_add(&mshrs->arrivals, mshrs->answer[i]);
    mshrs->answers = 0;
    mshrs->answer_next = REPLIES_NEVER;
}

void mshr_land(struct mshrs *mshrs, uint64_t until)
{
    take_answers(mshrs);
    if (mshrs->known_until < until)
        mshrs->known_until = until;
    while (mshrs->arrivals.next < until) {
        struct reply reply[BATCH];
        uint32_t count = 0;
        while (count < BATCH && mshrs->arrivals.next < until) {
            reply[count] = replies_take(&mshrs->arrivals);
            __builtin_prefetch(&mshrs->mshr[reply[count++].mshr]);
        }
        for (uint32_t i = 0; i < count; i++)
            requests_prefetch(mshrs->requests, mshrs->mshr[reply[i].mshr].first.request);
        for (uint32_t i = 0; i < count; i++) {
            uint64_t cycle = pass_port(mshrs, &reply[i]);
            land(mshrs, &reply[i], cycle);
            add_landing(mshrs, (struct landing){cycle, reply[i].mshr, reply[i].mask});
        }
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
        mshrs->head = mshrs->tail = 0; /* keeps to host cache lines that are in use */
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
    SIMSM_CHECK(count != 0, "no register of %u is asked for", mshrs->used);
    if (count <= landed)
        return mshrs->landing[(mshrs->head + count - 1) & mshrs->landing_mask].cycle;
    if (count - landed <= mshrs->unserved)
        return mshrs->known_until;
    /* The bound is exact only within the earliest block of cycles: a later call finds a later
     * bound. */
    uint64_t bound = replies_nth(&mshrs->arrivals, count - landed - mshrs->unserved);
    return bound > mshrs->known_until ? bound : mshrs->known_until;
}
