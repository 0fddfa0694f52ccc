/*
 * What an SM's L1 holds.
 *
 * Modelled: sectored lines, sets chosen by a hash, LRU, as many sets as the shared-memory carve-out
 * leaves (any number). Write-through: stores update a line that is there; with l1.store_allocate
 * they leave the words that they write, whether it was there or not (an H200: calib/l1
 * load_after_store). Atomics act in L2 and
 * drop what L1 holds of their sectors. Lines are taken when their first sector arrives; what is on
 * its way is mshr.h's. Left out: coherence between SMs (L1 holds no data here, so a stale line
 * costs nothing), lines shared with textures' own formats.
 */
#ifndef SIM_MEM_L1_H
#define SIM_MEM_L1_H

#include "mem/mem_spread.h"
#include "mem/tags.h"
#include "simsm/policy.h"

/* Lines that gave way since somebody asked; what is more than `evicted` holds is not noted. */
enum { L1_EVICTIONS = 4096 };

struct l1_log {
    uint32_t count;
    struct simsm_l1_eviction evicted[L1_EVICTIONS];
};

struct l1 {
    struct spread sets;
    struct tags tags;
    uint64_t *note;     /* [set][way]; only where parts or a log is kept */
    struct l1_log *log; /* NULL: nobody wants to know */
    bool none;          /* the carve-out has left nothing: it is never filled */
    bool parts;         /* stores have left parts of sectors */
    bool used;          /* something may be in it */
};

/* False: out of memory. */
bool l1_init(struct l1 *l1, struct arena *arena, uint64_t bytes, uint32_t line_bytes,
             uint32_t ways);

static inline uint32_t l1_set(const struct l1 *l1, uint64_t line)
{
    uint64_t quotient;
    return spread_place(&l1->sets, line, &quotient);
}

/* Sectors `mask` of `line` arrive in its set; the least recently used line gives way if it must. */
void l1_fill(struct l1 *l1, uint32_t set, uint64_t line, uint32_t mask);

/* The line, which is there, was brought for warp `owner`. Only with a log. */
void l1_own(struct l1 *l1, uint32_t set, uint64_t line, uint32_t owner);

/* A store to `line` passes, and leaves sectors `mask`. */
void l1_store(struct l1 *l1, uint64_t line, uint32_t mask);
/* A store passes that writes `words` of 32 bits of `line`, and leaves them; bit 0: the lowest. */
void l1_store_words(struct l1 *l1, uint64_t line, uint32_t words);
/* Those of `sectors` of which the line in `way` has all that `words` ask for. */
uint32_t l1_sectors_of(const struct l1 *l1, uint32_t set, uint32_t way, uint32_t sectors,
                       uint32_t words);

/* Drops sectors `mask` of `line`. */
void l1_drop(struct l1 *l1, uint64_t line, uint32_t mask);
/* Drops all. */
void l1_empty(struct l1 *l1);

#endif
