/*
 * MODEL: L1 is sectored, write-through, LRU, with sets chosen by a hash. The shared-memory
 * carve-out decides the number of sets, which may be any number. A line is taken when its first
 * sector arrives. A store updates a present line; with l1.store_allocate the words that it writes
 * stay in L1 whether the line was present or not. Atomics act in L2 and invalidate their sectors
 * here.
 * SOURCE: H200, cuda/calib/l1 load_after_store and local; replacement and hash are an own choice
 * (docs/calibration.md: neither few ways nor plain LRU explains a ring that is a little too large).
 * LEFT OUT: coherence between SMs: L1 holds no data here, so a stale line costs nothing. Formats of
 * textures that share lines.
 */
#include "mem/l1.h"

#include <string.h>

/* The note of a way: one bit for each 32-bit word that a store has left; above bit 32 the owner +
 * 1. */
enum { OWNER_SHIFT = 32 };
enum { SECTORS = 4, WORDS = 8 }; /* sectors of a line; words of a sector */

bool l1_init(struct l1 *l1, struct arena *arena, uint64_t bytes, uint32_t line_bytes, uint32_t ways)
{
    uint64_t lines = bytes / line_bytes;
    l1->none = lines == 0;
    if (l1->none)
        return true;
    if (lines < ways)
        ways = (uint32_t)lines;
    l1->sets = spread_over((uint32_t)(lines / ways));
    l1->most_sets = l1->sets.n;
    l1->note = arena_take_pool(arena, lines, sizeof *l1->note);
    return l1->note != NULL && tags_init(&l1->tags, arena, l1->sets.n, ways, false);
}

void l1_resize(struct l1 *l1, uint64_t bytes, uint32_t line_bytes)
{
    const uint64_t sets = l1->most_sets ? bytes / line_bytes / l1->tags.ways : 0;
    SIMSM_CHECK(sets <= l1->most_sets, "%llu sets of %u", (unsigned long long)sets, l1->most_sets);
    l1_empty(l1);
    l1->none = sets == 0;
    if (l1->none)
        return;
    l1->sets = spread_over((uint32_t)sets);
    l1->tags.sets = (uint32_t)sets;
}

static uint64_t *note_of(const struct l1 *l1, uint32_t set, uint32_t way)
{
    return &l1->note[(size_t)set * l1->tags.ways + way];
}

/* Returns the way of `line`, made the most recently used, where notes of lines are kept. */
static __attribute__((noinline)) uint32_t take_noted(struct l1 *l1, uint32_t set, uint64_t line)
{
    uint64_t evicted;
    bool there = tags_find(&l1->tags, set, line) != TAGS_NONE;
    uint32_t way = tags_take(&l1->tags, set, line, &evicted);
    if (there)
        return way;
    uint64_t *note = note_of(l1, set, way);
    if (l1->log && evicted != TAGS_EMPTY && l1->log->count < L1_EVICTIONS)
        l1->log->evicted[l1->log->count++] =
            (struct simsm_l1_eviction){tags_line(evicted), (uint32_t)(*note >> OWNER_SHIFT) - 1};
    *note = 0;
    return way;
}

static inline uint32_t take(struct l1 *l1, uint32_t set, uint64_t line)
{
    uint64_t evicted;
    l1->used = true;
    if (l1->parts || l1->log)
        return take_noted(l1, set, line);
    return tags_take(&l1->tags, set, line, &evicted);
}

void l1_fill(struct l1 *l1, uint32_t set, uint64_t line, uint32_t mask)
{
    uint32_t way = take(l1, set, line);
    *tags_entry(&l1->tags, set, way) |= mask;
}

void l1_own(struct l1 *l1, uint32_t set, uint64_t line, uint32_t owner)
{
    uint32_t way = tags_find(&l1->tags, set, line);
    if (way == TAGS_NONE)
        return;
    uint64_t *note = note_of(l1, set, way);
    if (*note >> OWNER_SHIFT == 0)
        *note |= (uint64_t)(owner + 1) << OWNER_SHIFT;
}

static uint32_t words_of(uint32_t words, uint32_t sector)
{
    return words >> sector * WORDS & ((1u << WORDS) - 1);
}

void l1_store_words(struct l1 *l1, uint64_t line, uint32_t words)
{
    if (l1->none)
        return;
    l1->parts = true;
    uint32_t set = l1_set(l1, line);
    uint32_t way = take(l1, set, line);
    uint64_t *note = note_of(l1, set, way);
    *note |= words;
    for (uint32_t sector = 0; sector < SECTORS; sector++)
        if (words_of((uint32_t)*note, sector) == (1u << WORDS) - 1)
            *tags_entry(&l1->tags, set, way) |= UINT64_C(1) << sector;
}

uint32_t l1_sectors_of(const struct l1 *l1, uint32_t set, uint32_t way, uint32_t sectors,
                       uint32_t words)
{
    uint32_t lacks = words & ~(uint32_t)*note_of(l1, set, way), have = 0;
    for (uint32_t sector = 0; sector < SECTORS; sector++)
        have |= words_of(words, sector) && !words_of(lacks, sector) ? 1u << sector : 0;
    return have & sectors;
}

void l1_store(struct l1 *l1, uint64_t line, uint32_t mask)
{
    if (l1->none)
        return;
    uint32_t set = l1_set(l1, line);
    if (mask != 0) {
        l1_fill(l1, set, line, mask);
        return;
    }
    uint32_t way = tags_find(&l1->tags, set, line);
    if (way != TAGS_NONE)
        tags_touch(&l1->tags, set, way);
}

void l1_drop(struct l1 *l1, uint64_t line, uint32_t mask)
{
    if (l1->none)
        return;
    uint32_t set = l1_set(l1, line);
    uint32_t way = tags_find(&l1->tags, set, line);
    if (way == TAGS_NONE)
        return;
    *tags_entry(&l1->tags, set, way) &= ~(uint64_t)mask;
    if (l1->parts)
        *note_of(l1, set, way) &= UINT64_MAX << OWNER_SHIFT;
}

void l1_empty(struct l1 *l1)
{
    if (!l1->used)
        return;
    tags_clear(&l1->tags);
    if (l1->parts || l1->log)
        memset(l1->note, 0, (size_t)l1->tags.sets * l1->tags.ways * sizeof *l1->note);
    l1->used = false;
}
