#include "exec/control/ended_blocks.h"

#include <stdlib.h>

#include "exec/control/heard.h"

struct exec_ended {
    struct exec_ended *next; /* in its bucket */
    uint64_t index;
    uint32_t warps;
    struct byte_buffer cursor[];
};

/* Exchanges two buffers of instructions; `one` is then emptied. */
static void exchange(struct byte_buffer *one, struct byte_buffer *other)
{
    const struct byte_buffer kept = *one;
    *one = *other;
    *other = kept;
    buffer_clear(one);
}

bool ended_keep(struct ended_table *table, struct exec_block *block)
{
    struct exec_ended **bucket = &table->bucket[block->index % ENDED_BUCKETS];
    struct exec_ended *ended = table->spare;
    if (ended)
        table->spare = ended->next;
    else
        ended = calloc(1, sizeof *ended + block->warps * sizeof ended->cursor[0]);
    if (!ended)
        return false;
    ended->next = *bucket;
    ended->index = block->index;
    ended->warps = block->warps;
    for (uint32_t i = 0; i < block->warps; i++)
        exchange(&block->slot[i].heard->bytes, &ended->cursor[i]);
    *bucket = ended;
    return true;
}

bool ended_take(struct ended_table *table, uint64_t index, struct byte_buffer *cursor)
{
    struct exec_ended **at = &table->bucket[index % ENDED_BUCKETS];
    while (*at && (*at)->index != index)
        at = &(*at)->next;
    struct exec_ended *ended = *at;
    if (!ended)
        return false;
    *at = ended->next;
    for (uint32_t i = 0; i < ended->warps; i++)
        exchange(&ended->cursor[i], &cursor[i]);
    ended->next = table->spare;
    table->spare = ended;
    return true;
}

static void free_list(struct exec_ended **list)
{
    while (*list) {
        struct exec_ended *ended = *list;
        *list = ended->next;
        for (uint32_t i = 0; i < ended->warps; i++)
            buffer_free(&ended->cursor[i]);
        free(ended);
    }
}

void ended_clear(struct ended_table *table)
{
    for (uint32_t b = 0; b < ENDED_BUCKETS; b++)
        free_list(&table->bucket[b]);
    free_list(&table->spare);
}
