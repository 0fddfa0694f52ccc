/*
 * Caches of instructions and of constants, which have the same structure: a first cache of a
 * sub-partition (or of a unit) that prefetches the next lines, and behind it a chain of levels that
 * the SM's sub-partitions share. The last level may be the way to the cache of the GPC (supply.h),
 * which several SMs share. Its answers are not known when the SM asks: a cycle is then *pending*.
 * It stands for the request that will be answered, and says before which cycle it does not come
 * whatever the answer is: a line that is asked for later than others is not there with them.
 */
#ifndef SIM_CORE_ICACHE_H
#define SIM_CORE_ICACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum { ICACHE_LEVELS_MAX = 3 };

struct supply_port;

/* A pending cycle: this bit, the earliest cycle modulo 2^31, and the number of the request in 32
 * bits. It is greater than any cycle that is known. */
#define ICACHE_PENDING (UINT64_C(1) << 63)

/* Returns whether `cycle` stands for a request that has not been answered. */
static inline bool icache_is_pending(uint64_t cycle)
{
    return cycle >= ICACHE_PENDING;
}

/* Returns the pending cycle of `request`, which is not before `earliest`. */
static inline uint64_t icache_pending(uint32_t request, uint64_t earliest)
{
    return ICACHE_PENDING | (earliest & (UINT32_MAX >> 1)) << 32 | request;
}

/* Returns whether `cycle` stands for `request`. */
static inline bool icache_stands_for(uint64_t cycle, uint32_t request)
{
    return icache_is_pending(cycle) && (uint32_t)cycle == request;
}

/* Returns `cycles` after a cycle that may be pending. */
static inline uint64_t icache_after(uint64_t cycle, uint32_t cycles)
{
    return icache_is_pending(cycle) ? icache_pending((uint32_t)cycle, (cycle >> 32) + cycles)
                                    : cycle + cycles;
}

/* Returns what `pending` has become when its request is answered for `ready_at`. */
static inline uint64_t icache_settled(uint64_t pending, uint64_t ready_at)
{
    const uint32_t ahead = (uint32_t)((pending >> 32) - ready_at) & (UINT32_MAX >> 1);
    return ahead <= UINT32_MAX >> 2 ? ready_at + ahead : ready_at;
}

/* Returns the later of a cycle that may be pending and of `other`, which is not. */
static inline uint64_t icache_later(uint64_t cycle, uint64_t other)
{
    if (icache_is_pending(cycle))
        return icache_pending((uint32_t)cycle, icache_settled(cycle, other));
    return cycle > other ? cycle : other;
}

struct icache_line {
    uint32_t tag; /* line number + 1; 0: empty */
    bool ahead;   /* prefetched and not used yet */
    bool in_both; /* a line of L2 (supply.c): the other partition has asked for it, too */
    uint64_t ready_at, used_at;
};

/* Lines of a cache, by their numbers. */
struct icache_lines {
    struct icache_line *line; /* [sets x ways] */
    uint32_t sets, ways;
};

/* A level behind the first cache. The last level of a chain has no lines: every line hits there, or
 * is asked for at a port. */
struct icache_level {
    struct icache_lines lines; /* none: every line hits, or is asked for */
    uint32_t latency;          /* cycles that an access to this level adds */
    double interval;           /* cycles between two lines that the level delivers */
    double free_at;
    struct icache_level *next;
    struct supply_port *port; /* NULL: the level answers at once */
    uint8_t kind;             /* of requests at the port, enum supply_kind */
};

/* The levels behind the first caches of an SM, nearest first. */
struct icache_chain {
    struct icache_level level[ICACHE_LEVELS_MAX];
    uint32_t line_bytes;
};

struct icache {
    struct icache_lines lines;
    uint32_t line_bytes, prefetch;
    uint32_t decode;       /* cycles from a line's first use until more lines are prefetched */
    uint32_t miss_latency; /* cycles that a miss adds to the time of the next level */
    uint32_t port_latency; /* cycles from an answer of the port until this cache has the line */
    struct icache_level *next;
    struct icache_line *last;  /* line of the last access, or NULL */
    uint64_t requests, misses; /* counted since creation */
    bool always_hits;          /* has every line (what_if.code_hits) */
};

/* The shape of one level; `latency` and `interval` in cycles. A level with `bytes` 0 is left out,
 * except the last, which always hits, or asks at `port`. */
struct icache_level_shape {
    uint32_t bytes, ways, latency;
    double interval;
    struct supply_port *port;
    uint8_t kind;
};

/* Makes room for `count` lines, with at most `ways` in a set. Returns false if memory runs out. */
bool icache_lines_make(struct icache_lines *lines, struct arena *arena, uint32_t count,
                       uint32_t ways);

/* Returns the entry that holds line `number`, or the least recently used entry of its set. */
struct icache_line *icache_find(const struct icache_lines *lines, uint32_t number);

/* Puts `bytes` of memory from `address` on into `lines`, as far as they fit, as an access in cycle
 * `now` does. The first is there from `ready_at` on, each other `interval` cycles later. */
void icache_fill(struct icache_lines *lines, uint32_t line_bytes, uint64_t now, uint32_t address,
                 uint32_t bytes, uint64_t ready_at, uint32_t interval);

/* Makes a chain of `count` levels. The chain must not be moved while caches use it. Returns false
 * if memory runs out. */
bool icache_chain_make(struct icache_chain *chain, struct arena *arena, uint32_t line_bytes,
                       const struct icache_level_shape *shape, unsigned count);

/* Puts `bytes` of memory from `address` on into the last level that has lines, as far as they fit,
 * as an access in cycle `now` does. They are there from `ready_at` on. */
void icache_chain_fill(struct icache_chain *chain, uint64_t now, uint32_t address, uint32_t bytes,
                       uint64_t ready_at);

/* The size of a first cache, its most lines of a set, and up to how many lines it prefetches. */
struct icache_shape {
    uint32_t bytes, ways, prefetch, decode;
};

/* Makes a cache in front of `chain`, which must outlive the cache and must not be moved. Returns
 * false if memory runs out. */
bool icache_make(struct icache *cache, struct arena *arena, struct icache_chain *chain,
                 struct icache_shape shape);

/* Returns the cycle, `now` or later, from which the word at byte address `pc` can be read. It may
 * be pending. */
uint64_t icache_access(struct icache *cache, uint64_t now, uint32_t pc);

/* The port has answered `request`, with line `number`: the level behind the port has it from
 * `ready_at` on. icache_answer returns the cycle at which the cache has it at the earliest. */
void icache_chain_answer(struct icache_chain *chain, uint32_t number, uint32_t request,
                         uint64_t ready_at);
uint64_t icache_answer(struct icache *cache, uint32_t number, uint32_t request, uint64_t ready_at);

#endif
