/* The lines that an SM's L1 holds. Lines on their way to L1 are in mshr.h. L1 holds no data here: a
 * line is its tag and the sectors that are valid. */
#ifndef SIM_MEM_L1_H
#define SIM_MEM_L1_H

#include "mem/mem_spread.h"
#include "mem/tags.h"
#include "simsm/policy.h"

/* Most evictions noted between two calls of the policy; further ones are dropped. */
enum { L1_EVICTIONS = 4096 };

struct l1_log {
    uint32_t count;
    struct simsm_l1_eviction evicted[L1_EVICTIONS];
};

struct l1 {
    struct spread sets;
    struct tags tags;
    uint32_t most_sets; /* for which there is memory */
    uint64_t *note;     /* [set][way]; kept only if `parts` or `log` is set */
    struct l1_log *log; /* evictions for the L1 policy; NULL: there is none */
    bool none;          /* the carve-out leaves no line; never filled */
    bool parts;         /* stores have left parts of sectors */
    bool used;          /* a line may be valid */
};

/* Initialises an L1 of `bytes`. Returns false if memory runs out. */
bool l1_init(struct l1 *l1, struct arena *arena, uint64_t bytes, uint32_t line_bytes,
             uint32_t ways);

/* Changes the size to `bytes`, at most that of l1_init, and invalidates all lines. */
void l1_resize(struct l1 *l1, uint64_t bytes, uint32_t line_bytes);

static inline uint32_t l1_set(const struct l1 *l1, uint64_t line)
{
    uint64_t quotient;
    return spread_place(&l1->sets, line, &quotient);
}

/* Fills sectors `mask` of `line`, which belongs to `set`. Evicts the least recently used line of
 * the set if the line is new. */
void l1_fill(struct l1 *l1, uint32_t set, uint64_t line, uint32_t mask);

/* Notes that `line` was brought for slot `owner`, if it is there and has no owner. Only with an L1
 * policy. */
void l1_own(struct l1 *l1, uint32_t set, uint64_t line, uint32_t owner);

/* Passes a store to `line` through L1; sectors `mask` stay valid in L1. With `mask` 0 a present
 * line only becomes the most recently used. */
void l1_store(struct l1 *l1, uint64_t line, uint32_t mask);
/* Passes a store that writes the 32-bit words `words` of `line` (bit 0: the lowest). The words stay
 * in L1; a sector is valid once all of its words are. */
void l1_store_words(struct l1 *l1, uint64_t line, uint32_t words);
/* Returns the sectors among `sectors` of which the line in `way` has all words in `words`. */
uint32_t l1_sectors_of(const struct l1 *l1, uint32_t set, uint32_t way, uint32_t sectors,
                       uint32_t words);

/* Invalidates sectors `mask` of `line`. */
void l1_drop(struct l1 *l1, uint64_t line, uint32_t mask);
/* Invalidates all lines. */
void l1_empty(struct l1 *l1);

#endif
