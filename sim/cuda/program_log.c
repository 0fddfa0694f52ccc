/* The list of a program's work. */
#include "cuda/program_log.h"

#include <stdlib.h>

void program_log_add(struct program_log *log, const struct program_entry *entry)
{
    if (log->count == log->room) {
        const size_t room = log->room ? 2 * log->room : 256;
        struct program_entry *grown = realloc(log->entry, room * sizeof *grown);
        log->lost |= grown == NULL;
        if (!grown)
            return;
        log->entry = grown;
        log->room = room;
    }
    log->entry[log->count++] = *entry;
}

void program_log_free(struct program_log *log)
{
    free(log->entry);
    *log = (struct program_log){0};
}

size_t program_lane(const struct program_entry *entry, uint64_t *stream, size_t *streams,
                    size_t most)
{
    size_t lane = 0;
    if (entry->kind == PROGRAM_CALL || entry->kind == PROGRAM_WAIT)
        return 0;
    while (lane < *streams && stream[lane] != entry->stream)
        lane++;
    if (lane == *streams && lane < most)
        stream[(*streams)++] = entry->stream;
    return lane + 1;
}
