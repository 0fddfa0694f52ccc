/* The lines that a cache holds under memory.model: fast. Sets have eight ways whatever the
 * configuration says, so that a set is one line of the host's cache. */
#ifndef SIM_MEM_FAST_CACHE_H
#define SIM_MEM_FAST_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

enum { FAST_WAYS = 8 };

/* An empty entry: all bits are set, which no tag has. */
#define FAST_EMPTY UINT64_MAX

struct fast_set {
    uint64_t
        way[FAST_WAYS]; /* most recently used first; an entry is tag << shift | the owner's bits */
};

struct fast_cache {
    uint64_t sets; /* 0: the cache holds nothing */
    struct fast_set *set;
};

/* Changes the size to `bytes`, at most that of fast_cache_init, and removes all lines. */
void fast_cache_resize(struct fast_cache *cache, uint64_t bytes, uint32_t line_bytes);

/* Initialises a cache of `bytes` in lines of `line_bytes`. Returns false if memory runs out. */
bool fast_cache_init(struct fast_cache *cache, struct arena *arena, uint64_t bytes,
                     uint32_t line_bytes);
void fast_cache_empty(struct fast_cache *cache);

static inline struct fast_set *fast_cache_set(const struct fast_cache *cache, uint64_t line)
{
    uint64_t hash = line * UINT64_C(0x9E3779B97F4A7C15) >> 32;
    return &cache->set[hash * cache->sets >> 32];
}

/* Returns the entry with `tag`, moved to the front of its set; NULL if there is none. */
static inline uint64_t *fast_cache_find(struct fast_set *set, uint64_t tag, unsigned shift)
{
    unsigned i = 0;
    while (i < FAST_WAYS && set->way[i] >> shift != tag)
        i++;
    if (i == FAST_WAYS)
        return NULL;
    const uint64_t found = set->way[i];
    for (; i > 0; i--)
        set->way[i] = set->way[i - 1];
    set->way[0] = found;
    return &set->way[0];
}

/* Returns the least recently used entry of the set, taken for `tag` and moved to the front; no
 * entry may have `tag`. *evicted is the former entry. */
static inline uint64_t *fast_cache_take(struct fast_set *set, uint64_t tag, unsigned shift,
                                        uint64_t *evicted)
{
    *evicted = set->way[FAST_WAYS - 1];
    memmove(&set->way[1], &set->way[0], (FAST_WAYS - 1) * sizeof set->way[0]);
    set->way[0] = tag << shift;
    return &set->way[0];
}

#endif
