/*
 * Caches of instructions and of constants, which have the same structure: a first cache of a
 * sub-partition (or of a unit) that prefetches the next lines, and behind it a chain of levels that
 * the SM's sub-partitions share.
 */
#ifndef SIM_CORE_ICACHE_H
#define SIM_CORE_ICACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum { ICACHE_LEVELS_MAX = 3 };

struct icache_line {
    uint32_t tag; /* line number + 1; 0: empty */
    bool ahead;   /* prefetched and not used yet */
    uint64_t ready_at, used_at;
};

/* A level behind the first cache. The last level of a chain has no lines: every line hits there. */
struct icache_level {
    struct icache_line *line; /* [sets x ways], or NULL */
    uint32_t sets, ways;
    uint32_t latency;  /* cycles that an access to this level adds */
    uint32_t interval; /* cycles between two lines that the level delivers */
    uint64_t free_at;
    struct icache_level *next;
};

/* The levels behind the first caches of an SM, nearest first. */
struct icache_chain {
    struct icache_level level[ICACHE_LEVELS_MAX];
    uint32_t line_bytes;
};

struct icache {
    struct icache_line *line; /* [sets x ways] */
    uint32_t sets, ways;
    uint32_t line_bytes, prefetch;
    uint32_t miss_latency; /* cycles that a miss adds to the time of the next level */
    struct icache_level *next;
    struct icache_line *last;  /* line of the last access, or NULL */
    uint64_t requests, misses; /* counted since creation */
};

/* The shape of one level; `latency` and `interval` in cycles. A level with `bytes` 0 is left out,
 * except the last, which always hits. */
struct icache_level_shape {
    uint32_t bytes, ways, latency, interval;
};

/* Makes a chain of `count` levels. The chain must not be moved while caches use it. Returns false
 * if memory runs out. */
bool icache_chain_make(struct icache_chain *chain, struct arena *arena, uint32_t line_bytes,
                       const struct icache_level_shape *shape, unsigned count);

/* Puts `bytes` of memory from `address` on into the last level that has lines, as far as they fit,
 * as an access in cycle `now` does. They are there from `ready_at` on. */
void icache_chain_fill(struct icache_chain *chain, uint64_t now, uint32_t address, uint32_t bytes,
                       uint64_t ready_at);

/* Makes a cache of `bytes` in front of `chain`, which prefetches up to `prefetch` lines. `chain`
 * must outlive the cache and must not be moved. Returns false if memory runs out. */
bool icache_make(struct icache *cache, struct arena *arena, struct icache_chain *chain,
                 uint32_t bytes, uint32_t prefetch);

/* Returns the cycle, `now` or later, from which the word at byte address `pc` can be read. */
uint64_t icache_access(struct icache *cache, uint64_t now, uint32_t pc);

#endif
