/*
 * Instruction caches, and those of constant operands, which are built alike: an L0 of each
 * sub-partition with a stream buffer that fetches the following lines ahead, and behind them one
 * cache of the SM.
 *
 * SOURCE: Huerta et al., MICRO 2025: L0, SM-wide cache, stream buffer of 8 lines; without the
 * prefetcher their error tripled.
 * LEFT OUT: L2 contents (a miss of the SM's cache costs a constant), and bandwidth between levels.
 */
#ifndef SIM_CORE_ICACHE_H
#define SIM_CORE_ICACHE_H

#include <stddef.h>
#include <stdint.h>

enum { ICACHE_STREAM_MAX = 64 };

struct icache_line {
    uint32_t tag; /* line number + 1; 0 = empty */
    uint64_t ready_at, used_at;
};

struct icache_shared {
    struct icache_line *line; /* [sets x ways] */
    uint32_t sets, ways;
    uint32_t latency, miss_latency;
};

struct icache {
    struct icache_line *line; /* [sets x ways] */
    uint32_t sets, ways;
    uint32_t line_bytes, prefetch;
    uint32_t stream_first, stream_count; /* lines held or on their way in the stream buffer */
    uint64_t stream_ready[ICACHE_STREAM_MAX];
    struct icache_shared *shared;
    struct icache_line *last;  /* line of the last access, or NULL */
    uint64_t requests, misses; /* counted since creation */
};

/* Sizes in bytes, latencies in cycles. */
struct icache_shape {
    uint32_t line_bytes, l0_bytes, shared_bytes, prefetch_lines, latency, miss_latency;
};

/* Number of lines that each holds, for the caller to allocate. */
uint32_t icache_lines(const struct icache_shape *shape);
uint32_t icache_shared_lines(const struct icache_shape *shape);

/* `line` arrays: zeroed, of the sizes above, owned by the caller. */
void icache_init(struct icache *cache, const struct icache_shape *shape, struct icache_line *line,
                 struct icache_shared *shared);
void icache_shared_init(struct icache_shared *shared, const struct icache_shape *shape,
                        struct icache_line *line);

/* The cycle, `now` or later, from which what lies at byte `pc` can be read from L0. */
uint64_t icache_access(struct icache *cache, uint64_t now, uint32_t pc);

#endif
