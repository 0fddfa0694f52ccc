/* Line tags of a set-associative cache (tags.h). */
#include "mem/tags.h"

#include <string.h>

enum { HOST_LINE = 64, WORD_BYTES = 8 };

static uint32_t round_up(uint32_t n, uint32_t unit)
{
    return (n + unit - 1) / unit * unit;
}

bool tags_init(struct tags *tags, struct arena *arena, uint32_t sets, uint32_t ways, bool notes)
{
    uint32_t padded = round_up(ways, WORD_BYTES); /* a search reads whole words of marks */
    *tags = (struct tags){.sets = sets, .ways = ways, .noted = notes};
    tags->marks = recency_words(ways);
    tags->entry = tags->marks + padded / WORD_BYTES;
    tags->stride = round_up(tags->entry + (padded << notes), HOST_LINE / WORD_BYTES);
    tags->words = arena_take(arena, sets, (size_t)tags->stride * WORD_BYTES);
    tags->used = notes ? arena_take_pool(arena, sets, sizeof *tags->used) : NULL;
    return tags->words != NULL && (!notes || tags->used != NULL);
}

void tags_clear(struct tags *tags)
{
    if (tags->used)
        memset(tags->used, 0, tags->sets * sizeof *tags->used);
    memset(tags->words, 0, (size_t)tags->sets * tags->stride * WORD_BYTES);
}
