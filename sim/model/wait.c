#include "model/wait.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 64 };

void word_table_free(struct word_table *table)
{
    free(table->entry);
    *table = (struct word_table){0};
}

void word_table_clear(struct word_table *table)
{
    if (table->count)
        memset(table->entry, 0, table->room * sizeof *table->entry);
    table->count = 0;
}

/* The entry with the address, or the free one where it would be; there is one. */
static struct word_state *place_of(struct word_state *entry, size_t room, uint64_t address)
{
    size_t at = (size_t)((address * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (room - 1);
    while (entry[at].used && entry[at].address != address)
        at = (at + 1) & (room - 1);
    return &entry[at];
}

struct word_state *word_find(const struct word_table *table, uint64_t address)
{
    if (!table->count)
        return NULL;
    struct word_state *found = place_of(table->entry, table->room, address);
    return found->used ? found : NULL;
}

static bool grow(struct word_table *table)
{
    size_t room = table->room ? 2 * table->room : FIRST_ROOM;
    struct word_state *entry = calloc(room, sizeof *entry);
    if (!entry)
        return false;
    for (size_t i = 0; i < table->room; i++)
        if (table->entry[i].used)
            *place_of(entry, room, table->entry[i].address) = table->entry[i];
    free(table->entry);
    table->entry = entry;
    table->room = room;
    return true;
}

struct word_state *word_add(struct word_table *table, uint64_t address)
{
    struct word_state *found = word_find(table, address);
    if (found)
        return found;
    if (2 * (table->count + 1) > table->room && !grow(table))
        return NULL;
    found = place_of(table->entry, table->room, address);
    *found = (struct word_state){.address = address, .used = true};
    table->count++;
    return found;
}

bool word_written(struct word_table *table, uint64_t address, uint32_t times)
{
    struct word_state *word = word_add(table, address);
    if (!word)
        return false;
    word->count += times;
    return true;
}

bool wait_is_over(const struct word_table *table, const struct wait *wait)
{
    for (uint32_t i = 0; i < wait->words; i++) {
        const struct word_state *now = word_find(table, wait->word[i].address);
        if ((now ? now->count : 0) < wait->word[i].count)
            return false;
    }
    return true;
}
