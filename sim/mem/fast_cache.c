/*
 * MODEL: a cache with eight ways and LRU replacement (fast_cache.h).
 * SOURCE: own choice, for speed.
 * LEFT OUT: the configuration's number of ways.
 */
#include "mem/fast_cache.h"

bool fast_cache_init(struct fast_cache *cache, struct arena *arena, uint64_t bytes,
                     uint32_t line_bytes)
{
    cache->sets = bytes / line_bytes / FAST_WAYS;
    if (cache->sets == 0)
        return true;
    cache->set = arena_take(arena, cache->sets, sizeof *cache->set);
    if (cache->set == NULL)
        return false;
    fast_cache_empty(cache);
    return true;
}

void fast_cache_resize(struct fast_cache *cache, uint64_t bytes, uint32_t line_bytes)
{
    fast_cache_empty(cache);
    cache->sets = bytes / line_bytes / FAST_WAYS;
}

void fast_cache_empty(struct fast_cache *cache)
{
    for (uint64_t i = 0; i < cache->sets; i++)
        for (unsigned way = 0; way < FAST_WAYS; way++)
            cache->set[i].way[way] = FAST_EMPTY;
}
