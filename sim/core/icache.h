/*
 * Instruction caches, and those of constants, which are built alike: a small cache of a
 * sub-partition (or of a unit) that brings the following lines ahead, and behind it a chain of
 * levels that the SM's sub-partitions share.
 *
 * SOURCE: Huerta et al., MICRO 2025: L0, SM-wide cache, lines fetched ahead, without which their
 * error tripled. H200, cuda/calib fetch and constant: sizes, latencies, and lines delivered in
 * bursts, modelled as a rate of each level; jumps forwards use up two lines of L0 each, so a miss
 * brings one line ahead into L0, and only code that goes on straight brings more.
 * LEFT OUT: what L2 holds: its latency is a constant; that levels are shared by several SMs.
 */
#ifndef SIM_CORE_ICACHE_H
#define SIM_CORE_ICACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum { ICACHE_LEVELS_MAX = 3 };

struct icache_line {
    uint32_t tag; /* line number + 1; 0 = empty */
    bool ahead;   /* brought because of the line before it, and not used yet */
    uint64_t ready_at, used_at;
};

/* A level behind the first; the last of a chain has no lines and holds everything. */
struct icache_level {
    struct icache_line *line; /* [sets x ways], or NULL */
    uint32_t sets, ways;
    uint32_t latency;  /* what coming from here adds, cycles */
    uint32_t interval; /* cycles between two lines that it delivers */
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
    uint32_t miss_latency; /* that a miss adds to what the next level takes */
    struct icache_level *next;
    struct icache_line *last;  /* line of the last access, or NULL */
    uint64_t requests, misses; /* counted since creation */
};

/* Of one level: `bytes` 0 leaves it out, but for the last, which holds everything. */
struct icache_level_shape {
    uint32_t bytes, ways, latency, interval;
};

/*
 * Makes a chain of `count` levels; false if memory runs out. It must not be moved while caches use
 * it.
 */
bool icache_chain_make(struct icache_chain *chain, struct arena *arena, uint32_t line_bytes,
                       const struct icache_level_shape *shape, unsigned count);

/* Puts the first `bytes` into the last level that has lines, as far as they fit; there at
 * `ready_at`. */
void icache_chain_fill(struct icache_chain *chain, uint32_t bytes, uint64_t ready_at);

/*
 * Makes a cache of `bytes` in front of `chain`, which must outlive it and must not move, that
 * brings up to `prefetch` lines ahead; false if memory runs out.
 */
bool icache_make(struct icache *cache, struct arena *arena, struct icache_chain *chain,
                 uint32_t bytes, uint32_t prefetch);

/* The cycle, `now` or later, from which what lies at byte `pc` can be read. */
uint64_t icache_access(struct icache *cache, uint64_t now, uint32_t pc);

#endif
