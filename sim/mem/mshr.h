/*
 * The miss status holding registers (MSHRs) of an SM: the lines on their way to L1, the requests
 * that wait for them, and the port through which replies come in.
 *
 * A reply has three times. The shared half puts it with the cycle at which it arrives at the SM's
 * port (mshr_put_reply), which only notes it: the SM's other data are not in the host's caches
 * then. mshr_land settles the cycle at which it has passed the port, and the completion of its
 * requests, ahead of time: all replies that arrive before a cycle are known before that cycle.
 * mshr_take_fill gives the sectors to L1 when the clock has reached the settled cycle.
 */
#ifndef SIM_MEM_MSHR_H
#define SIM_MEM_MSHR_H

#include "mem/port.h"
#include "mem/replies.h"
#include "mem/requests.h"
#include "mem/tags.h"

enum { MSHR_NONE = UINT16_MAX, MSHR_SECTORS = 8 };

/* A request that waits for sectors of one MSHR. */
struct mshr_waiter {
    uint16_t request, next;
    uint8_t mask; /* 0: no request waits */
};

struct mshr {
    uint64_t line;
    uint32_t landed_at[MSHR_SECTORS]; /* for each sector: cycle << 2 | level, modulo 2^32 */
    struct mshr_waiter first;         /* `next`: the list of further waiters */
    uint32_t set;                     /* set of L1 */
    uint16_t merged;                  /* requests that have joined */
    uint8_t pending;                  /* sectors asked for and not yet in L1 */
    uint8_t landed;                   /* pending sectors whose cycle is settled */
    uint16_t owner;                   /* slot that asked first, for the L1 policy */
    bool fills;                       /* L1 takes the line */
    bool merges;                      /* is in the hash: further requests may join */
};

/* The place of an MSHR in the hash. It is apart from struct mshr, so that following a chain does
 * not touch the MSHRs themselves. */
struct mshr_link {
    uint16_t next;
    uint16_t mark; /* bits of the line's hash */
};

/* A reply whose cycle is settled. `cycle`: all of it has passed the port. */
struct landing {
    uint64_t cycle;
    uint16_t mshr;
    uint8_t mask;
};

struct mshr_fill {
    uint64_t cycle, line;
    uint32_t set, mask;
    uint16_t owner;
    bool fills; /* L1 takes the line */
};

struct mshrs {
    struct requests *requests;
    struct mshr *mshr;
    struct mshr_waiter *waiter;
    struct mshr_link *link; /* one for each MSHR */
    uint16_t *bucket;       /* heads of the hash chains */
    uint32_t hash_shift;
    uint32_t limit; /* number of MSHRs */
    uint32_t used;
    uint32_t merge_limit; /* most requests of one MSHR */
    uint32_t waiting;     /* requests of all MSHRs in use */
    uint32_t waiting_limit;
    uint32_t unserved;    /* packets sent that the shared half has not answered */
    uint64_t known_until; /* replies that arrive at the port earlier are settled */
    struct ids mshr_ids, waiter_ids;
    struct port port;
    uint32_t value_bytes;    /* bytes of the port that each value of an atomic takes */
    struct reply *answer;    /* [most of `arrivals`]: replies put since the last mshr_land */
    uint32_t answers;        /* their number */
    uint64_t answer_next;    /* their earliest cycle; REPLIES_NEVER: there are none */
    struct replies arrivals; /* further replies that are not settled */
    struct landing *landing; /* a ring, by cycle: settled replies that L1 has not taken */
    uint32_t landing_mask, landing_room, head, tail;
};

/* Initialises the MSHRs. `requests` must outlive them. Returns false if memory runs out. */
bool mshr_init(struct mshrs *mshrs, struct arena *arena, struct requests *requests,
               const struct simsm_config *config);

/* Returns the MSHR of `line` that further requests may join, or MSHR_NONE. */
uint32_t mshr_find(const struct mshrs *mshrs, uint64_t line);

/* Prefetches into the host's cache what mshr_open reads for `count` lines. Has no effect on
 * results. */
void mshr_prefetch(const struct mshrs *mshrs, const uint64_t *line, uint32_t count);

/* Prefetches into the host's cache the MSHRs of replies that come in before `end`, and the sets of
 * `l1` that they fill. Has no effect on results. */
void mshr_prefetch_fills(const struct mshrs *mshrs, const struct tags *l1, uint64_t end);

/* Takes an MSHR for `line` of L1's set `set`; one must be free. `fills`: L1 takes the line.
 * `merges`: further requests may join. Returns the MSHR's id. */
uint32_t mshr_open(struct mshrs *mshrs, uint64_t line, uint32_t set, bool fills, bool merges);

/* Returns whether a further request can join MSHR `id`. */
static inline bool mshr_has_room(const struct mshrs *mshrs, uint32_t id)
{
    return mshrs->mshr[id].merged < mshrs->merge_limit && mshrs->waiting < mshrs->waiting_limit;
}

/* Notes that sectors `mask` have been asked for with `packets`, each of which the shared half will
 * answer. */
static inline void mshr_expect(struct mshrs *mshrs, uint32_t id, uint32_t mask, uint32_t packets)
{
    mshrs->mshr[id].pending |= (uint8_t)mask;
    mshrs->unserved += packets;
}

/* Makes `request` wait from `now` on for sectors `mask` of MSHR `id`. All of these sectors must be
 * pending. */
void mshr_wait(struct mshrs *mshrs, uint64_t now, uint32_t id, uint32_t request, uint32_t mask);

/* Puts the reply to an atomic. Its cycle must not be below known_until. */
static inline void mshr_put_values(struct mshrs *mshrs, struct reply reply)
{
    SIMSM_CHECK(mshrs->answers < mshrs->arrivals.most, "%u replies of one window", mshrs->answers);
    mshrs->answer[mshrs->answers++] = reply;
    if (reply.cycle < mshrs->answer_next)
        mshrs->answer_next = reply.cycle;
}

/* Puts a reply: sectors `mask` of MSHR `id` reach the SM's port at `cycle`, which must not be below
 * known_until. */
static inline void mshr_put_reply(struct mshrs *mshrs, uint32_t id, uint32_t mask, uint8_t level,
                                  uint64_t cycle)
{
    mshr_put_values(mshrs, (struct reply){cycle, 0, (uint16_t)id, (uint8_t)mask, level, 0});
}

/* Notes that all replies to one packet have been put. */
static inline void mshr_served(struct mshrs *mshrs)
{
    SIMSM_CHECK(mshrs->unserved != 0, "a packet is answered, but none is on its way");
    mshrs->unserved--;
}

/* Settles all replies that arrive at the port before `until`. */
void mshr_land(struct mshrs *mshrs, uint64_t until);

/* Returns the cycle of the next settled reply that L1 has not taken; MEM_NEVER if there is none. */
static inline uint64_t mshr_next_fill(const struct mshrs *mshrs)
{
    return mshrs->head != mshrs->tail ? mshrs->landing[mshrs->head & mshrs->landing_mask].cycle
                                      : MEM_NEVER;
}

/* Takes the next reply that has passed the port by `now`. Frees the MSHR if no sector is pending
 * any more. Returns false if there is no such reply. */
bool mshr_take_fill(struct mshrs *mshrs, uint64_t now, struct mshr_fill *fill);

/* Returns a cycle before which fewer than `count` MSHRs become free; the exact cycle where it can
 * be known. `count` must not be 0. No reply has been put since the last mshr_land. */
uint64_t mshr_free_bound(const struct mshrs *mshrs, uint32_t count);

/* Returns a cycle before which no unsettled reply arrives. */
static inline uint64_t mshr_next_arrival(const struct mshrs *mshrs)
{
    return mshrs->arrivals.next < mshrs->answer_next ? mshrs->arrivals.next : mshrs->answer_next;
}

#endif
