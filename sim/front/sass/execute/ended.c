#include "front/sass/execute/ended.h"

#include <stdlib.h>
#include <string.h>

struct exec_ended {
    struct exec_ended *next; /* in its bucket */
    uint64_t index;
    uint32_t warps;
    struct stream_bytes stream[];
};

bool ended_keep(struct ended_table *table, struct exec_block *block)
{
    struct exec_ended *ended = malloc(sizeof *ended + block->warps * sizeof ended->stream[0]);
    struct exec_ended **bucket = &table->bucket[block->index % ENDED_BUCKETS];
    if (!ended)
        return false;
    *ended = (struct exec_ended){.next = *bucket, .index = block->index, .warps = block->warps};
    for (uint32_t i = 0; i < block->warps; i++) {
        ended->stream[i] = block->slot[i].stream;
        block->slot[i].stream = (struct stream_bytes){0};
    }
    *bucket = ended;
    return true;
}

bool ended_take(struct ended_table *table, uint64_t index, struct stream_bytes *stream)
{
    struct exec_ended **at = &table->bucket[index % ENDED_BUCKETS];
    while (*at && (*at)->index != index)
        at = &(*at)->next;
    struct exec_ended *ended = *at;
    if (!ended)
        return false;
    *at = ended->next;
    memcpy(stream, ended->stream, ended->warps * sizeof *stream);
    free(ended);
    return true;
}

void ended_clear(struct ended_table *table)
{
    for (uint32_t b = 0; b < ENDED_BUCKETS; b++) {
        while (table->bucket[b]) {
            struct exec_ended *ended = table->bucket[b];
            table->bucket[b] = ended->next;
            for (uint32_t i = 0; i < ended->warps; i++)
                stream_bytes_free(&ended->stream[i]);
            free(ended);
        }
    }
}
