/*
 * MODEL: dirty lines of L2. A set has at most l2.dirty_ways dirty lines: when another becomes
 * dirty, the least recently used dirty line is written and stays, clean. A set has at most
 * l2.part_ways lines with sectors of which stores have filled a part:
 * the line whose last store is the oldest is then read and written; the store that needs its place
 * waits for the read. A sector that further stores make whole is not read any more. The end of a
 * launch changes nothing of this.
 * SOURCE: H200, cuda/calib/traffic written*: 27 MB wait, and 7 MB of sectors in part.
 * cuda/probe/l2_keep halves_of_sectors: the next launch waits for their rest from DRAM.
 * LEFT OUT: byte masks: words of 4 bytes are known or not, and a store of a byte counts as a store
 * of its word.
 */
#include "mem/unwritten.h"

#include <string.h>

#include "base/check.h"

bool unwritten_init(struct unwritten *unwritten, struct arena *arena, struct arena *lines,
                    const struct simsm_config *config, struct tags *tags, struct dram *dram)
{
    uint32_t ways = config->l2_dirty_ways;
    *unwritten = (struct unwritten){.tags = tags,
                                    .dram = dram,
                                    .dirty_ways = ways < tags->ways ? ways : 0,
                                    .part_ways = config->l2_part_ways};
    unwritten->dirty = arena_take(arena, tags->sets, sizeof *unwritten->dirty);
    unwritten->part =
        arena_take(lines, (size_t)tags->sets * config->l2_part_ways + 1, sizeof *unwritten->part);
    return unwritten->dirty != NULL && unwritten->part != NULL;
}

/* Reads sectors `mask` of a line from DRAM: bytes of them are needed that no store has written.
 * Returns the cycle at which the channel can do so. */
static uint64_t read_rest(const struct unwritten *unwritten, struct tally *tally, uint64_t cycle,
                          uint64_t line, uint32_t mask)
{
    return mask == 0 ? cycle : dram_read(unwritten->dram, tally, cycle, line, sector_count(mask));
}

static uint32_t in_part(uint64_t entry)
{
    return tags_dirty(entry) & ~tags_valid(entry);
}

/* Writes the dirty sectors of a line. Returns the cycle at which the channel can take them, or the
 * read that must come first. */
static uint64_t write_out(const struct unwritten *unwritten, struct tally *tally, uint64_t cycle,
                          uint64_t entry)
{
    uint64_t read = read_rest(unwritten, tally, cycle, tags_line(entry), in_part(entry));
    uint64_t written = dram_write(unwritten->dram, tally, cycle, tags_line(entry),
                                  sector_count(tags_dirty(entry)));
    return in_part(entry) != 0 ? read : written;
}

uint64_t unwritten_leave(struct unwritten *unwritten, struct tally *tally, uint64_t cycle,
                         uint32_t set, uint64_t entry)
{
    if (tags_dirty(entry) == 0)
        return cycle;
    SIMSM_CHECK(unwritten->dirty[set] != 0, "set %u: no line is counted as dirty", set);
    unwritten->dirty[set]--;
    return write_out(unwritten, tally, cycle, entry);
}

/* Writes a dirty line of `set`, which stays. */
static uint64_t clean(struct unwritten *unwritten, struct tally *tally, uint64_t cycle,
                      uint32_t set, uint64_t *entry)
{
    uint64_t room = unwritten_leave(unwritten, tally, cycle, set, *entry);
    *entry |= tags_dirty(*entry);
    *entry &= ~(UINT64_C(0xFF) << 8);
    return room;
}

/* Returns the entry of the least recently used dirty line of `set`; there must be one. */
static uint64_t *oldest(const struct unwritten *unwritten, uint32_t set)
{
    const uint64_t *words = tags_set(unwritten->tags, set);
    const uint32_t ways = unwritten->tags->ways;
    for (uint32_t way = recency_oldest(words, ways); way != RECENCY_NONE;
         way = recency_newer(words, ways, way)) {
        uint64_t *entry = tags_entry(unwritten->tags, set, way);
        if (tags_dirty(*entry) != 0)
            return entry;
    }
    SIMSM_CHECK(false, "set %u: %u lines are counted as dirty, none is", set,
                unwritten->dirty[set]);
    return NULL;
}

static bool is_crowded(const struct unwritten *unwritten, uint32_t set)
{
    return unwritten->dirty_ways != 0 && unwritten->dirty[set] > unwritten->dirty_ways;
}

void unwritten_begin(struct unwritten *unwritten, uint32_t set)
{
    const struct tags *tags = unwritten->tags;
    unwritten->dirty[set] = 0;
    for (uint32_t way = 0; way < tags->ways; way++) {
        const bool dirty = tags_dirty(*tags_entry(tags, set, way)) != 0;
        unwritten->dirty[set] = (uint8_t)(unwritten->dirty[set] + dirty);
    }
}

void unwritten_drop(struct unwritten *unwritten, uint32_t set, uint64_t entry)
{
    unwritten->dirty[set] = (uint8_t)(unwritten->dirty[set] - (tags_dirty(entry) != 0));
}

void unwritten_hold(struct unwritten *unwritten, uint32_t set, uint64_t *entry, uint32_t mask,
                    uint64_t left)
{
    unwritten_drop(unwritten, set, left);
    unwritten->dirty[set] = (uint8_t)(unwritten->dirty[set] + (tags_dirty(*entry) == 0));
    *entry |= (uint64_t)mask << 8 | mask;
    if (is_crowded(unwritten, set)) {
        *oldest(unwritten, set) &= ~(UINT64_C(0xFF) << 8);
        unwritten->dirty[set]--;
    }
}

/* Returns the entry of `line` among the lines of `set` that are known in part, moved to the front.
 * Writes the last line of a full set; *room becomes the cycle at which that is possible. */
static struct unwritten_part *take_part(struct unwritten *unwritten, struct tally *tally,
                                        uint64_t cycle, uint32_t set, uint64_t line, uint64_t *room)
{
    uint32_t ways = unwritten->part_ways, i = 0;
    struct unwritten_part *part = &unwritten->part[(size_t)set * ways];
    while (i < ways && (part[i].words == 0 || part[i].line != line))
        i++;
    struct unwritten_part mine = {line, 0};
    if (i < ways) {
        mine = part[i];
    } else if (part[--i].words != 0) {
        uint32_t way = tags_find(unwritten->tags, set, part[i].line);
        uint64_t *old = way != TAGS_NONE ? tags_entry(unwritten->tags, set, way) : NULL;
        if (old != NULL && in_part(*old) != 0)
            *room = clean(unwritten, tally, cycle, set, old);
    }
    memmove(part + 1, part, i * sizeof *part);
    part[0] = mine;
    return part;
}

uint64_t unwritten_add(struct unwritten *unwritten, struct tally *tally, uint64_t cycle,
                       uint32_t set, uint64_t *entry, uint32_t mask, uint64_t words)
{
    bool was_dirty = tags_dirty(*entry) != 0;
    uint32_t whole = unwritten->part_ways != 0 ? whole_sectors(words) & mask : mask;
    uint64_t room = cycle;
    *entry |= (uint64_t)mask << 8 | whole;
    if ((mask & ~tags_valid(*entry)) != 0) {
        struct unwritten_part *part =
            take_part(unwritten, tally, cycle, set, tags_line(*entry), &room);
        part->words |= words;
        *entry |= whole_sectors(part->words) & tags_dirty(*entry);
        if (in_part(*entry) == 0)
            part->words = 0;
    }
    unwritten->dirty[set] = (uint8_t)(unwritten->dirty[set] + !was_dirty);
    if (!was_dirty && is_crowded(unwritten, set)) {
        uint64_t crowded = clean(unwritten, tally, cycle, set, oldest(unwritten, set));
        room = crowded > room ? crowded : room;
    }
    return room;
}
