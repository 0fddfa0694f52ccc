#include "mem/l2_lines.h"

#include "mem/coalesce.h"

bool l2_give_lines(struct l2 *l2, struct tags *lines)
{
    struct tags mine = l2->tags;
    if (mine.sets != lines->sets || mine.ways != lines->ways)
        return false;
    l2->tags = *lines;
    *lines = mine;
    for (uint32_t set = 0; set < mine.sets; set++)
        for (uint32_t way = 0; way < mine.ways; way++)
            *tags_note(&l2->tags, set, way) = 0; /* what was on its way has come */
    unwritten_begin(&l2->unwritten);
    return true;
}

static void hold_line(struct l2 *l2, uint64_t line)
{
    const uint32_t own = l2_owner(l2, line), all = (1u << l2->sectors) - 1u;
    uint64_t evicted;
    struct l2_place place = l2_place(l2, line, own, false);
    uint32_t way = tags_take(&l2->tags, place.set, line, &evicted);
    unwritten_hold(&l2->unwritten, place.set, tags_entry(&l2->tags, place.set, way), all, evicted);
    for (uint32_t other = 0; other < l2->partitions; other++) {
        place = l2_place(l2, line, other, true);
        way = other == own ? TAGS_NONE : tags_find(&l2->tags, place.set, line);
        if (way != TAGS_NONE)
            *tags_entry(&l2->tags, place.set, way) &= ~UINT64_C(0xFFFF); /* an old copy */
    }
}

void l2_hold(struct l2 *l2, uint64_t address, uint64_t bytes)
{
    const uint64_t line_bytes = (uint64_t)l2->sectors << SECTOR_SHIFT;
    const uint64_t end = (address + bytes + line_bytes - 1) / line_bytes;
    for (uint64_t line = address / line_bytes; line < end; line++)
        hold_line(l2, line);
}
