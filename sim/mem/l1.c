#include "mem/l1.h"

bool l1_init(struct l1 *l1, uint64_t bytes, uint32_t line_bytes, uint32_t ways)
{
    uint64_t lines = bytes / line_bytes;
    l1->none = lines == 0;
    if (l1->none)
        return true;
    if (lines < ways)
        ways = (uint32_t)lines;
    l1->sets = spread_over((uint32_t)(lines / ways));
    return tags_init(&l1->tags, l1->sets.n, ways, false);
}

void l1_free(struct l1 *l1)
{
    tags_free(&l1->tags);
}

void l1_fill(struct l1 *l1, uint32_t set, uint64_t line, uint32_t mask)
{
    uint64_t evicted;
    uint32_t way = tags_take(&l1->tags, set, line, &evicted);
    *tags_entry(&l1->tags, set, way) |= mask;
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
    if (way != TAGS_NONE)
        *tags_entry(&l1->tags, set, way) &= ~(uint64_t)mask;
}
