/*
 * MODEL: caches of instructions and constants. A miss of the first cache brings its line from the
 * chain of levels that the SM's sub-partitions share, each with a latency and a rate. Every access
 * to another line prefetches the next line; a first use of a prefetched line prefetches up to as
 * many lines as the configuration says, once its first instruction is decoded.
 * SOURCE: Huerta et al., MICRO 2025: L0, SM-wide cache, prefetched lines, without which their error
 * tripled. H200 and H100, cuda/calib/fetch and constant: sizes and latencies. Straight code takes a
 * quarter of the latency for each line, behind L1 (line[kb=64]) and behind the cache of the GPC
 * (line[kb=192]): four lines are under way. Several warps with code of their own overlap (own).
 * Forward jumps use up two lines of L0 each on an H200, so a miss prefetches one line, and only
 * straight code prefetches more.
 * LEFT OUT: what L2 holds, where the chain does not end at a port (supply.c): its latency is a
 * constant.
 */
#include "core/icache.h"

#include <stdlib.h>

#include "core/supply.h"
#include "core/turn.h"

enum { AT_ONCE = 1 };

static uint32_t ways_for(uint32_t lines, uint32_t most)
{
    while (most > 1 && (lines < most || lines % most))
        most /= 2;
    return most;
}

static uint32_t lines_in(uint32_t bytes, uint32_t line_bytes)
{
    uint32_t lines = bytes / line_bytes;
    return lines ? lines : 1;
}

bool icache_lines_make(struct icache_lines *lines, struct arena *arena, uint32_t count,
                       uint32_t ways)
{
    lines->ways = ways_for(count, ways);
    lines->sets = count / lines->ways;
    lines->line = arena_take_pool(arena, count, sizeof *lines->line);
    return lines->line != NULL;
}

bool icache_chain_make(struct icache_chain *chain, struct arena *arena, uint32_t line_bytes,
                       const struct icache_level_shape *shape, unsigned count)
{
    bool whole = true;
    struct icache_level *before = NULL;
    *chain = (struct icache_chain){.line_bytes = line_bytes};
    for (unsigned i = 0; i < count; i++) {
        bool last = i + 1 == count;
        if (!shape[i].bytes && !last)
            continue;
        struct icache_level *level = before ? before + 1 : chain->level;
        level->latency = shape[i].latency;
        level->interval = shape[i].interval;
        level->port = shape[i].port;
        level->kind = shape[i].kind;
        if (before)
            before->next = level;
        before = level;
        if (last)
            break;
        whole &= icache_lines_make(&level->lines, arena, lines_in(shape[i].bytes, line_bytes),
                                   shape[i].ways);
    }
    return whole;
}

bool icache_make(struct icache *cache, struct arena *arena, struct icache_chain *chain,
                 struct icache_shape shape)
{
    uint32_t lines = lines_in(shape.bytes, chain->line_bytes);
    *cache = (struct icache){
        .lines = {.ways = ways_for(lines, shape.ways),
                  .line = arena_take(arena, lines, sizeof *cache->lines.line)},
        .line_bytes = chain->line_bytes,
        .prefetch = shape.prefetch,
        .decode = shape.decode,
        .next = chain->level,
    };
    cache->lines.sets = lines / cache->lines.ways;
    for (const struct icache_level *level = chain->level; level->next; level = level->next)
        cache->port_latency += level->latency;
    return cache->lines.line != NULL;
}

struct icache_line *icache_find(const struct icache_lines *lines, uint32_t number)
{
    struct icache_line *set = lines->line + (size_t)(number % lines->sets) * lines->ways;
    struct icache_line *oldest = set;
    for (uint32_t i = 0; i < lines->ways; i++) {
        if (set[i].tag == number + 1)
            return &set[i];
        if (set[i].used_at < oldest->used_at)
            oldest = &set[i];
    }
    return oldest;
}

void icache_fill(struct icache_lines *lines, uint32_t line_bytes, uint64_t now, uint32_t address,
                 uint32_t bytes, uint64_t ready_at, uint32_t interval)
{
    uint32_t count = (bytes + line_bytes - 1) / line_bytes;
    uint32_t most = lines->line ? lines->sets * lines->ways : 0;
    const uint32_t first = address / line_bytes;
    for (uint32_t i = first; i - first < count && i - first < most; i++) {
        struct icache_line *line = icache_find(lines, i);
        if (line->tag != i + 1) /* another launch of the kernel may have brought it */
            *line = (struct icache_line){.tag = i + 1,
                                         .ahead = true,
                                         .ready_at = ready_at + (uint64_t)interval * (i - first)};
        line->used_at = now + 1;
    }
}

void icache_chain_fill(struct icache_chain *chain, uint64_t now, uint32_t address, uint32_t bytes,
                       uint64_t ready_at)
{
    struct icache_level *level = chain->level;
    while (level->lines.line && level->next && level->next->lines.line)
        level = level->next;
    icache_fill(&level->lines, chain->line_bytes, now, address, bytes, ready_at, 0);
}

/* Returns the cycle at which a line asked of `level` at `now` is there; it may be pending. */
static uint64_t fill_from_level(struct icache_level *level, uint64_t now, uint32_t number)
{
    uint64_t at = now;
    if (level->interval > 0)
        at = turn_take(&level->free_at, now, level->interval);
    if (level->port)
        return supply_ask(level->port, (enum supply_kind)level->kind, at, number);
    if (level->lines.line) {
        struct icache_line *line = icache_find(&level->lines, number);
        if (line->tag != number + 1)
            *line = (struct icache_line){.tag = number + 1,
                                         .ready_at = fill_from_level(level->next, at, number)};
        line->used_at = now + 1;
        at = icache_later(line->ready_at, at);
    }
    return icache_after(at, level->latency);
}

/* Returns the entry of a line. Fetches the line if it is not there; `ahead`: as a prefetch. */
static struct icache_line *bring_line(struct icache *cache, uint64_t now, uint32_t number,
                                      bool ahead)
{
    struct icache_line *line = icache_find(&cache->lines, number);
    if (line->tag != number + 1) {
        uint64_t ready_at = fill_from_level(cache->next, now, number);
        *line = (struct icache_line){.tag = number + 1,
                                     .ahead = ahead,
                                     .ready_at = icache_after(ready_at, cache->miss_latency)};
    }
    line->used_at = now + 1;
    return line;
}

/* Prefetches the lines after `number`: one line, or cache->prefetch lines if the code goes straight
 * on into a prefetched line. */
static void prefetch(struct icache *cache, uint64_t now, uint32_t number, bool straight)
{
    uint32_t lines = cache->prefetch;
    if (!straight && lines > AT_ONCE)
        lines = AT_ONCE;
    for (uint32_t i = 1; i <= lines; i++)
        (void)bring_line(cache, straight ? now + cache->decode : now, number + i, true);
}

uint64_t icache_access(struct icache *cache, uint64_t now, uint32_t pc)
{
    struct icache_line *line = cache->last;
    cache->requests++;
    /* Finds the tag pc / line_bytes by a multiplication, which costs less than a division. */
    if (line && pc - (line->tag - 1) * cache->line_bytes < cache->line_bytes) {
        line->used_at = now + 1;
        return icache_later(line->ready_at, now);
    }
    if (cache->always_hits)
        return now;
    uint32_t number = pc / cache->line_bytes;
    uint32_t tag = icache_find(&cache->lines, number)->tag;
    bool missed = tag != number + 1;
    line = cache->last = bring_line(cache, now, number, false);
    uint64_t ready_at = line->ready_at;
    cache->misses += missed;
    bool straight = !missed && line->ahead;
    line->ahead = false;
    prefetch(cache, now, number, straight);
    return icache_later(ready_at, now);
}

void icache_chain_answer(struct icache_chain *chain, uint32_t number, uint32_t request,
                         uint64_t ready_at)
{
    const struct icache_level *end = chain->level;
    for (; end->lines.line; end = end->next)
        ready_at += end->latency;
    for (struct icache_level *level = chain->level; level != end; level = level->next) {
        struct icache_line *line = icache_find(&level->lines, number);
        ready_at -= level->latency; /* the way from the port to this level, without its own time */
        if (line->tag == number + 1 && icache_stands_for(line->ready_at, request))
            line->ready_at = icache_settled(line->ready_at, ready_at);
    }
}

uint64_t icache_answer(struct icache *cache, uint32_t number, uint32_t request, uint64_t ready_at)
{
    struct icache_line *line = icache_find(&cache->lines, number);
    ready_at += cache->port_latency + cache->miss_latency;
    if (line->tag == number + 1 && icache_stands_for(line->ready_at, request))
        line->ready_at = icache_settled(line->ready_at, ready_at);
    return ready_at;
}
