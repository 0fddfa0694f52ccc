/* The table of remembered accesses. */
#include "sanitize/past_access.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 256 };

void past_begin(struct past_table *table)
{
    table->first = table->base = table->next = 1;
    table->generation++;
}

void past_free(struct past_table *table)
{
    free(table->item);
    *table = (struct past_table){0};
}

void past_settle(struct past_table *table, bool keep)
{
    table->base = table->next;
    if (!keep)
        table->first = table->next;
}

uint32_t past_add(struct past_table *table, const struct past_access *access)
{
    const uint32_t at = table->next - table->first;
    if (at >= table->room) {
        const uint32_t room = table->room ? 2 * table->room : FIRST_ROOM;
        void *item = realloc(table->item, room * sizeof *table->item);
        if (!item)
            return 0;
        table->item = item;
        table->room = room;
    }
    table->item[at] = *access;
    return table->next++;
}
