/*
 * A set-associative array of line tags with sector bits and least-recently-used replacement; what
 * lies behind L1, L2 and the open rows of DRAM. All that is kept about a set lies together:
 *
 *     recency         of the ways (recency.h)
 *     mark[ways]      8 bits of a hash of the line, so that eight ways are searched at once
 *     entry[ways]     line << 16 | dirty sectors << 8 | valid sectors; behind each of them
 *                     a note, 64 bits for the owner, where it asked for notes
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
#define TAGS_EMPTY (UINT64_MAX << 16)

struct tags {
    uint32_t sets, ways;
    uint32_t stride;       /* of a set, in words of 64 bits; whole cache lines of the host */
    uint32_t marks, entry; /* where in a set they begin */
    uint32_t noted;        /* 1 with notes, else 0 */
    uint64_t *words;
};

/*
 * `ways`: 1 to 65534. `notes`: each way has a note, 0 at first. False: out of memory.
 */
bool tags_init(struct tags *tags, struct arena *arena, uint32_t sets, uint32_t ways, bool notes);
/* Forgets all lines and notes. */
void tags_clear(struct tags *tags);

static inline uint64_t *tags_set(const struct tags *tags, uint32_t set)
{
    return tags->words + (size_t)set * tags->stride;
}

static inline uint64_t *tags_entry(const struct tags *tags, uint32_t set, uint32_t way)
{
    return tags_set(tags, set) + tags->entry + (way << tags->noted);
}

/* Only with notes. */
static inline uint64_t *tags_note(const struct tags *tags, uint32_t set, uint32_t way)
{
    return tags_entry(tags, set, way) + 1;
}

/* Brings what is kept about a set near; changes nothing. */
static inline __attribute__((always_inline)) void tags_prefetch(const struct tags *tags,
                                                                uint32_t set)
{
    enum { HOST_LINE_WORDS = 8 };
    const uint64_t *words = tags_set(tags, set);
    for (uint32_t i = 0; i < tags->stride; i += HOST_LINE_WORDS)
        __builtin_prefetch(&words[i]);
}

static inline uint64_t tags_line(uint64_t entry)
{
    return entry >> 16;
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

/* The way that has `line` in the set at `words`, or TAGS_NONE. */
static inline uint32_t tags_search(const struct tags *tags, const uint64_t *words, uint64_t line)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    const uint64_t *entry = words + tags->entry;
    uint64_t mark = tags_mark(line) * ones;
    for (uint32_t word = tags->marks; word < tags->entry; word++) {
        uint64_t differ = words[word] ^ mark;
        /* Finds each byte that is zero, and now and then one above it that is not. */
        uint64_t same = (differ - ones) & ~differ & ones << 7;
        for (; same != 0; same &= same - 1) {
            uint32_t way = (word - tags->marks) * 8 + (uint32_t)__builtin_ctzll(same) / 8;
            if (tags_line(entry[way << tags->noted]) == line)
                return way;
        }
    }
    return TAGS_NONE;
}

/* The way of `set` that has `line`, or TAGS_NONE. */
static inline uint32_t tags_find(const struct tags *tags, uint32_t set, uint64_t line)
{
    return tags_search(tags, tags_set(tags, set), line);
}

/* Makes `way` the most recently used of `set`. */
static inline void tags_touch(struct tags *tags, uint32_t set, uint32_t way)
{
    recency_renew(tags_set(tags, set), tags->ways, way);
}

/*
 * The way of `set` that has `line`, now the most recently used. If none had it, it takes the least
 * recently used way, with no sectors; *evicted is then that way's last entry, and TAGS_EMPTY if
 * nothing had to give way.
 */
static inline uint32_t tags_take(struct tags *tags, uint32_t set, uint64_t line, uint64_t *evicted)
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
        *entry = line << 16;
    }
    recency_renew(words, tags->ways, way);
    return way;
}

#endif
