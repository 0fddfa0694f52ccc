/*
 * A set-associative array of line tags with sector bits and LRU replacement, used by L1, by L2 and
 * for the open rows of DRAM. The data of a set are stored together:
 *     recency         order of use of the ways (recency.h)
 *     mark[ways]      8 bits of a hash of the line, so that one step compares eight ways
 *     entry[ways]     (line + 1) << 16 | dirty sectors << 8 | valid sectors; if notes are kept,
 *                     a note of 64 bits for the owner of the tags follows each entry
 * An empty set is all zeros: a cache costs nothing before it is used.
 */
#ifndef SIM_MEM_TAGS_H
#define SIM_MEM_TAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/check.h"
#include "mem/recency.h"

#define TAGS_NONE  UINT32_MAX
#define TAGS_EMPTY UINT64_C(0)

/* Compilers drop calls of functions that do nothing but prefetch, unless they are inline. */
#define TAGS_INLINE static inline __attribute__((always_inline))

struct tags {
    uint32_t sets, ways;
    uint32_t stride;       /* of a set, in words of 64 bits; a multiple of the host's cache line */
    uint32_t marks, entry; /* offsets within a set */
    uint32_t noted;        /* 1 if notes are kept, else 0 */
    uint8_t *used;         /* [set]: 1 if a line was ever taken in; NULL without notes */
    uint64_t *words;
};

/* Initialises the array. `ways`: 1 to 65534. `notes`: each way has a note, which is 0 at first.
 * Returns false if memory runs out. */
bool tags_init(struct tags *tags, struct arena *arena, uint32_t sets, uint32_t ways, bool notes);
/* Removes all lines and notes. */
void tags_clear(struct tags *tags);

static inline uint64_t *tags_set(const struct tags *tags, uint32_t set)
{
    return tags->words + (size_t)set * tags->stride;
}

static inline uint64_t *tags_entry(const struct tags *tags, uint32_t set, uint32_t way)
{
    return tags_set(tags, set) + tags->entry + (way << tags->noted);
}

/* Returns the note of a way. Needs notes. */
static inline uint64_t *tags_note(const struct tags *tags, uint32_t set, uint32_t way)
{
    return tags_entry(tags, set, way) + 1;
}

static inline uint64_t tags_line(uint64_t entry)
{
    return (entry >> 16) - 1;
}

static inline uint32_t tags_valid(uint64_t entry)
{
    return (uint32_t)entry & 0xFFu;
}

static inline uint32_t tags_dirty(uint64_t entry)
{
    return (uint32_t)entry >> 8 & 0xFFu;
}

static inline uint64_t tags_mark(uint64_t line)
{
    return line * UINT64_C(0x9E3779B97F4A7C15) >> 56;
}

/* Returns the way that holds `line` in the set at `words`, or TAGS_NONE. */
static inline uint32_t tags_search(const struct tags *tags, const uint64_t *words, uint64_t line)
{
    const uint64_t *entry = words + tags->entry;
    for (uint32_t word = tags->marks; word < tags->entry; word++) {
        for (uint64_t same = recency_same(words[word], tags_mark(line)); same != 0;
             same &= same - 1) {
            uint32_t way = (word - tags->marks) * 8 + (uint32_t)__builtin_ctzll(same) / 8;
            if (tags_line(entry[way << tags->noted]) == line)
                return way;
        }
    }
    return TAGS_NONE;
}

/* Returns the way of `set` that holds `line`, or TAGS_NONE. */
static inline uint32_t tags_find(const struct tags *tags, uint32_t set, uint64_t line)
{
    return tags_search(tags, tags_set(tags, set), line);
}

/* Prefetches the order and the marks of a set into the host's cache. Has no effect on results. */
TAGS_INLINE void tags_prefetch(const struct tags *tags, uint32_t set)
{
    __builtin_prefetch(tags_set(tags, set));
}

/* Prefetches the entry that tags_take would use for `line` if it were called now. */
TAGS_INLINE void tags_prefetch_entry(const struct tags *tags, uint32_t set, uint64_t line)
{
    const uint64_t *words = tags_set(tags, set);
    uint64_t mark = tags_mark(line), same = 0;
    uint32_t way, word = tags->marks;
    while (word < tags->entry && (same = recency_same(words[word], mark)) == 0)
        word++;
    way = same != 0 ? (word - tags->marks) * 8 + (uint32_t)__builtin_ctzll(same) / 8
                    : recency_oldest(words, tags->ways);
    __builtin_prefetch(words + tags->entry + (way << tags->noted));
}

/* Makes `way` the most recently used of `set`. */
static inline void tags_touch(struct tags *tags, uint32_t set, uint32_t way)
{
    recency_renew(tags_set(tags, set), tags->ways, way);
}

/*
 * Returns the way of `set` that holds `line`, made the most recently used. If no way holds it, the
 * least recently used way takes it, without valid sectors. *evicted is then the former entry of
 * that way; TAGS_EMPTY if the way was empty or the line was present.
 */
TAGS_INLINE uint32_t tags_take(struct tags *tags, uint32_t set, uint64_t line, uint64_t *evicted)
{
    uint64_t *words = tags_set(tags, set);
    uint32_t way = tags_search(tags, words, line);
    *evicted = TAGS_EMPTY;
    if (way == TAGS_NONE) {
        way = recency_oldest(words, tags->ways);
        SIMSM_CHECK(way < tags->ways, "set %u: way %u of %u is the oldest", set, way, tags->ways);
        uint64_t *mark = words + tags->marks + way / 8;
        uint32_t shift = way % 8 * 8;
        *mark = (*mark & ~(UINT64_C(0xFF) << shift)) | tags_mark(line) << shift;
        uint64_t *entry = words + tags->entry + (way << tags->noted);
        *evicted = *entry;
        *entry = (line + 1) << 16;
        if (tags->noted)
            tags->used[set] = 1;
    }
    recency_renew(words, tags->ways, way);
    return way;
}

#endif
