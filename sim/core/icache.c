#include "core/icache.h"

enum { L0_WAYS = 8, SHARED_WAYS = 16 };

static uint32_t ways_for(uint32_t lines, uint32_t most)
{
    while (most > 1 && (lines < most || lines % most))
        most /= 2;
    return most;
}

static uint32_t at_least_one(uint32_t n)
{
    return n ? n : 1;
}

uint32_t icache_lines(const struct icache_shape *shape)
{
    return at_least_one(shape->l0_bytes / shape->line_bytes);
}

uint32_t icache_shared_lines(const struct icache_shape *shape)
{
    return at_least_one(shape->shared_bytes / shape->line_bytes);
}

void icache_init(struct icache *cache, const struct icache_shape *shape, struct icache_line *line,
                 struct icache_shared *shared)
{
    uint32_t lines = icache_lines(shape);
    *cache = (struct icache){
        .line = line,
        .ways = ways_for(lines, L0_WAYS),
        .line_bytes = shape->line_bytes,
        .prefetch = shape->prefetch_lines,
        .shared = shared,
    };
    cache->sets = lines / cache->ways;
}

void icache_shared_init(struct icache_shared *shared, const struct icache_shape *shape,
                        struct icache_line *line)
{
    uint32_t lines = icache_shared_lines(shape);
    *shared = (struct icache_shared){
        .line = line,
        .ways = ways_for(lines, SHARED_WAYS),
        .latency = shape->latency,
        .miss_latency = shape->miss_latency,
    };
    shared->sets = lines / shared->ways;
}

/* The entry that holds `number`, or the least recently used one of its set. */
static struct icache_line *find(struct icache_line *line, uint32_t sets, uint32_t ways,
                                uint32_t number)
{
    struct icache_line *set = line + (size_t)(number % sets) * ways;
    struct icache_line *oldest = set;
    for (uint32_t i = 0; i < ways; i++) {
        if (set[i].tag == number + 1)
            return &set[i];
        if (set[i].used_at < oldest->used_at)
            oldest = &set[i];
    }
    return oldest;
}

/* When a line asked of the SM's cache at `now` is there. */
static uint64_t shared_access(struct icache_shared *shared, uint64_t now, uint32_t number)
{
    struct icache_line *line = find(shared->line, shared->sets, shared->ways, number);
    if (line->tag != number + 1)
        *line = (struct icache_line){.tag = number + 1, .ready_at = now + shared->miss_latency};
    line->used_at = now + 1;
    return (line->ready_at > now ? line->ready_at : now) + shared->latency;
}

/* Drops `drop` lines from the front of the stream buffer and fetches on at its end. */
static void stream_advance(struct icache *cache, uint64_t now, uint32_t drop)
{
    for (uint32_t i = drop; i < cache->stream_count; i++)
        cache->stream_ready[i - drop] = cache->stream_ready[i];
    cache->stream_first += drop;
    cache->stream_count -= drop;
    while (cache->stream_count < cache->prefetch) {
        uint32_t number = cache->stream_first + cache->stream_count;
        cache->stream_ready[cache->stream_count++] = shared_access(cache->shared, now, number);
    }
}

uint64_t icache_access(struct icache *cache, uint64_t now, uint32_t pc)
{
    uint32_t number = pc / cache->line_bytes;
    struct icache_line *line = cache->last;
    if (!line || line->tag != number + 1)
        line = cache->last = find(cache->line, cache->sets, cache->ways, number);
    cache->requests++;
    if (line->tag != number + 1) {
        cache->misses++;
        uint32_t ahead = number - cache->stream_first;
        line->tag = number + 1;
        if (ahead < cache->stream_count) {
            line->ready_at = cache->stream_ready[ahead];
            stream_advance(cache, now, ahead + 1);
        } else {
            line->ready_at = shared_access(cache->shared, now, number);
            cache->stream_first = number + 1;
            cache->stream_count = 0;
            stream_advance(cache, now, 0);
        }
    }
    line->used_at = now + 1;
    return line->ready_at > now ? line->ready_at : now;
}
