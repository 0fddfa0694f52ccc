/*
 * A set-associative array of line tags with sector bits and least-recently-used replacement; what
 * lies behind L1, L2 and the open rows of DRAM. All that is kept about a set lies together:
 *
 *     link[ways + 1]  a ring through the ways from the most to the least recently used;
 *                     link[ways] is its beginning and end
 *     mark[ways]      8 bits of a hash of the line, so that eight ways are searched at once
 *     entry[ways]     line << 16 | dirty sectors << 8 | valid sectors
 *     note[ways]      64 bits for the owner, where it asked for them
 */
#ifndef SIM_MEM_TAGS_H
#define SIM_MEM_TAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TAGS_NONE  UINT32_MAX
#define TAGS_EMPTY (UINT64_MAX << 16)

struct tags_link {
    uint16_t newer, older;
};

struct tags {
    uint32_t sets, ways;
    uint32_t stride;             /* of a set, in words of 64 bits; whole cache lines of the host */
    uint32_t marks, entry, note; /* where in a set they begin */
    uint64_t *words;
};

/*
 * `ways`: 1 to 65534. `notes`: each way has a note, 0 at first. False: out of memory.
 */
bool tags_init(struct tags *tags, uint32_t sets, uint32_t ways, bool notes);
void tags_free(struct tags *tags);

static inline uint64_t *tags_set(const struct tags *tags, uint32_t set)
{
    return tags->words + (size_t)set * tags->stride;
}

static inline uint64_t *tags_entry(const struct tags *tags, uint32_t set, uint32_t way)
{
    return tags_set(tags, set) + tags->entry + way;
}

static inline uint64_t *tags_note(const struct tags *tags, uint32_t set, uint32_t way)
{
    return tags_set(tags, set) + tags->note + way;
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

/* The way of `set` that has `line`, or TAGS_NONE. */
static inline uint32_t tags_find(const struct tags *tags, uint32_t set, uint64_t line)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    const uint64_t *words = tags_set(tags, set);
    const uint64_t *entry = words + tags->entry;
    uint64_t mark = tags_mark(line) * ones;
    for (uint32_t word = tags->marks; word < tags->entry; word++) {
        uint64_t differ = words[word] ^ mark;
        /* Finds each byte that is zero, and now and then one above it that is not. */
        uint64_t same = (differ - ones) & ~differ & ones << 7;
        for (; same != 0; same &= same - 1) {
            uint32_t way = (word - tags->marks) * 8 + (uint32_t)__builtin_ctzll(same) / 8;
            if (tags_line(entry[way]) == line)
                return way;
        }
    }
    return TAGS_NONE;
}

static inline void tags_unlink(struct tags_link *link, uint32_t way)
{
    link[link[way].newer].older = link[way].older;
    link[link[way].older].newer = link[way].newer;
}

/* Makes `way` the most recently used of `set`. */
static inline void tags_touch(struct tags *tags, uint32_t set, uint32_t way)
{
    struct tags_link *link = (struct tags_link *)tags_set(tags, set);
    uint32_t end = tags->ways;
    if (link[end].older == way)
        return;
    tags_unlink(link, way);
    link[way] = (struct tags_link){(uint16_t)end, link[end].older};
    link[link[way].older].newer = (uint16_t)way;
    link[end].older = (uint16_t)way;
}

/* The way of `set` that is to be replaced: the least recently used. */
static inline uint32_t tags_victim(const struct tags *tags, uint32_t set)
{
    const struct tags_link *link = (const struct tags_link *)tags_set(tags, set);
    return link[tags->ways].newer;
}

/* Gives `way` to `line`, with no sectors, and makes it the most recently used. */
static inline void tags_replace(struct tags *tags, uint32_t set, uint32_t way, uint64_t line)
{
    uint64_t *words = tags_set(tags, set);
    uint64_t *marks = words + tags->marks + way / 8;
    uint32_t shift = way % 8 * 8;
    *marks = (*marks & ~(UINT64_C(0xFF) << shift)) | tags_mark(line) << shift;
    words[tags->entry + way] = line << 16;
    tags_touch(tags, set, way);
}

#endif
