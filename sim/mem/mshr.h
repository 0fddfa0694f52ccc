/*
 * Miss registers of an SM: lines that are on their way, who waits for them, and the port through
 * which they come.
 *
 * Modelled: one register for each line, to which further requests for it are added (merged), also
 * for sectors that were not asked for at first; at most so many registers and so many requests at
 * each. Replies queue at the SM's port in the order in which they arrive.
 *
 * The shared half hands over replies with a cycle of arrival (mshr_put_reply); all that arrive
 * before some cycle are known before it comes, so mshr_land settles their cycles and their
 * requests' ahead of time, and mshr_take_fill gives them to L1 when their cycle has come.
 */
#ifndef SIM_MEM_MSHR_H
#define SIM_MEM_MSHR_H

#include "mem/port.h"
#include "mem/replies.h"
#include "mem/requests.h"
#include "mem/tags.h"

enum { MSHR_NONE = UINT16_MAX, MSHR_SECTORS = 8 };

/* A request waits for sectors of one register. */
struct mshr_waiter {
    uint16_t request, next;
    uint8_t mask; /* 0: nobody */
};

struct mshr {
    uint64_t line;
    uint32_t landed_at[MSHR_SECTORS]; /* cycle << 2 | level, modulo 2^32 */
    struct mshr_waiter first;         /* `next`: the others */
    uint32_t set;                     /* of L1 */
    uint16_t merged;                  /* requests that it has taken */
    uint8_t pending;                  /* sectors asked for and not yet in L1 */
    uint8_t landed;                   /* of these, sectors whose arrival is known */
    uint16_t owner;                   /* warp that asked first; for those that watch L1 */
    bool fills;                       /* L1 keeps the line */
    bool merges;                      /* is in the hash: others may join */
};

/* A register's place in the hash, apart from it: chains are followed without looking at others. */
struct mshr_link {
    uint16_t next;
    uint16_t mark; /* of its line: bits of the hash */
};

/* A reply that has landed: `cycle` is when it comes in through the port. */
struct landing {
    uint64_t cycle;
    uint16_t mshr;
    uint8_t mask;
};

struct mshr_fill {
    uint64_t cycle, line;
    uint32_t set, mask;
    uint16_t owner;
    bool fills; /* L1 keeps it */
};

struct mshrs {
    struct requests *requests;
    struct mshr *mshr;
    struct mshr_waiter *waiter;
    struct mshr_link *link; /* [registers] */
    uint16_t *bucket;       /* hash chains */
    uint32_t hash_shift;
    uint32_t limit; /* registers */
    uint32_t used;
    uint32_t merge_limit; /* requests at one register */
    uint32_t waiting;     /* requests at all registers in use */
    uint32_t waiting_limit;
    uint32_t unserved;    /* packets sent that the shared half has not answered */
    uint64_t known_until; /* every reply that arrives earlier has landed */
    struct ids mshr_ids, waiter_ids;
    struct port port;
    uint32_t value_bytes;    /* of the port, that each value of an atomic takes */
    struct replies arrivals; /* replies that have not landed */
    struct landing *landing; /* ring: landed and not yet in L1, by cycle */
    uint32_t landing_mask, head, tail;
};

/* False: out of memory. */
bool mshr_init(struct mshrs *mshrs, struct arena *arena, struct requests *requests,
               const struct simsm_config *config);

/* The register of `line` that others may join, or MSHR_NONE. */
uint32_t mshr_find(const struct mshrs *mshrs, uint64_t line);

/* Brings near what opening registers for `count` lines looks at; changes nothing. */
void mshr_prefetch(const struct mshrs *mshrs, const uint64_t *line, uint32_t count);

/* Brings near the registers of replies that come in before `end`, and the sets of `l1` that they
 * fill; changes nothing. */
void mshr_prefetch_fills(const struct mshrs *mshrs, const struct tags *l1, uint64_t end);

/* Takes a register for `line` of L1's `set`. `fills`: L1 keeps it; `merges`: others may join. */
uint32_t mshr_open(struct mshrs *mshrs, uint64_t line, uint32_t set, bool fills, bool merges);

/* Another request can join register `id`. */
static inline bool mshr_has_room(const struct mshrs *mshrs, uint32_t id)
{
    return mshrs->mshr[id].merged < mshrs->merge_limit && mshrs->waiting < mshrs->waiting_limit;
}

/* Sectors `mask` have been asked for, by `packets` that the shared half will answer. */
static inline void mshr_expect(struct mshrs *mshrs, uint32_t id, uint32_t mask, uint32_t packets)
{
    mshrs->mshr[id].pending |= (uint8_t)mask;
    mshrs->unserved += packets;
}

/* At `now`, request `request` begins to wait for sectors `mask`, all of which are pending. */
void mshr_wait(struct mshrs *mshrs, uint64_t now, uint32_t id, uint32_t request, uint32_t mask);

/* Sectors `mask` reach the SM's port at `cycle`, which is not before known_until. */
static inline void mshr_put_reply(struct mshrs *mshrs, uint32_t id, uint32_t mask, uint8_t level,
                                  uint64_t cycle)
{
    replies_add(&mshrs->arrivals, (struct reply){cycle, 0, (uint16_t)id, (uint8_t)mask, level, 0});
}

/* The reply to an atomic, whose cycle is not before known_until. */
static inline void mshr_put_values(struct mshrs *mshrs, struct reply reply)
{
    replies_add(&mshrs->arrivals, reply);
}

/* All replies to one packet have been put. */
static inline void mshr_served(struct mshrs *mshrs)
{
    SIMSM_CHECK(mshrs->unserved != 0, "a packet is answered, but none is on its way");
    mshrs->unserved--;
}

/* Settles all replies that arrive before `until`. */
void mshr_land(struct mshrs *mshrs, uint64_t until);

/* Cycle of the next reply that has landed and not come in, MEM_NEVER if there is none. */
static inline uint64_t mshr_next_fill(const struct mshrs *mshrs)
{
    return mshrs->head != mshrs->tail ? mshrs->landing[mshrs->head & mshrs->landing_mask].cycle
                                      : MEM_NEVER;
}

/* Takes the next reply that has come in by `now`; false if there is none. */
bool mshr_take_fill(struct mshrs *mshrs, uint64_t now, struct mshr_fill *fill);

/* A cycle before which fewer than `count` registers become free; exact where it can be known. */
uint64_t mshr_free_bound(const struct mshrs *mshrs, uint32_t count);

/* A cycle before which no reply arrives that has not landed. */
static inline uint64_t mshr_next_arrival(const struct mshrs *mshrs)
{
    return mshrs->arrivals.next;
}

#endif
