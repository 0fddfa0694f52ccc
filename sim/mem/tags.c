#include "mem/tags.h"

#include <stdlib.h>
#include <string.h>

enum { HOST_LINE = 64, WORD_BYTES = 8 };

static uint32_t round_up(uint32_t n, uint32_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static void set_init(struct tags *tags, uint32_t set)
{
    struct tags_link *link = (struct tags_link *)tags_set(tags, set);
    for (uint32_t way = 0; way <= tags->ways; way++) {
        link[way].newer = (uint16_t)(way == 0 ? tags->ways : way - 1);
        link[way].older = (uint16_t)(way == tags->ways ? 0 : way + 1);
    }
    for (uint32_t way = 0; way < round_up(tags->ways, WORD_BYTES); way++)
        *tags_entry(tags, set, way) = TAGS_EMPTY;
}

bool tags_init(struct tags *tags, uint32_t sets, uint32_t ways, bool notes)
{
    uint32_t padded = round_up(ways, WORD_BYTES); /* a search may look at all of a word of marks */
    uint32_t links = round_up((ways + 1) * (uint32_t)sizeof(struct tags_link), WORD_BYTES);
    *tags = (struct tags){.sets = sets, .ways = ways};
    tags->marks = links / WORD_BYTES;
    tags->entry = tags->marks + padded / WORD_BYTES;
    tags->note = tags->entry + padded;
    tags->stride = round_up(tags->note + (notes ? ways : 0), HOST_LINE / WORD_BYTES);
    size_t bytes = (size_t)sets * tags->stride * WORD_BYTES;
    tags->words = aligned_alloc(HOST_LINE, bytes);
    if (tags->words == NULL)
        return false;
    tags_clear(tags);
    return true;
}

void tags_clear(struct tags *tags)
{
    memset(tags->words, 0, (size_t)tags->sets * tags->stride * WORD_BYTES);
    for (uint32_t set = 0; set < tags->sets; set++)
        set_init(tags, set);
}

void tags_free(struct tags *tags)
{
    free(tags->words);
    tags->words = NULL;
}
