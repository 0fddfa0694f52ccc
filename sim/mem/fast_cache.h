/*
 * What a cache holds, in few bytes of the host: sets of eight ways in the order of their use,
 * whatever the configuration's ways, so that a set is one line of the host's cache. Of
 * memory.model: fast.
 */
#ifndef SIM_MEM_FAST_CACHE_H
#define SIM_MEM_FAST_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

enum { FAST_WAYS = 8 };

/* Of an entry of which all bits are set; no tag is this. */
#define FAST_EMPTY UINT64_MAX

struct fast_set {
    uint64_t way[FAST_WAYS]; /* the most recently used one first; tag << shift | the owner's bits */
};

struct fast_cache {
    uint64_t sets; /* 0: it holds nothing */
    struct fast_set *set;
};

/* For `bytes` in lines of `line_bytes`. False: out of memory. */
bool fast_cache_init(struct fast_cache *cache, struct arena *arena, uint64_t bytes,
                     uint32_t line_bytes);
void fast_cache_empty(struct fast_cache *cache);

static inline struct fast_set *fast_cache_set(const struct fast_cache *cache, uint64_t line)
{
    uint64_t hash = line * UINT64_C(0x9E3779B97F4A7C15) >> 32;
    return &cache->set[hash * cache->sets >> 32];
}

/* The way of the set whose tag is `tag`, now the first; NULL: none has it. */
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

/* Takes the way used longest ago for a tag that no way has; *evicted is what it held. */
static inline uint64_t *fast_cache_take(struct fast_set *set, uint64_t tag, unsigned shift,
                                        uint64_t *evicted)
{
    *evicted = set->way[FAST_WAYS - 1];
    memmove(&set->way[1], &set->way[0], (FAST_WAYS - 1) * sizeof set->way[0]);
    set->way[0] = tag << shift;
    return &set->way[0];
}

#endif
