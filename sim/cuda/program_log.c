/* The list of a program's work. */
#include "cuda/program_log.h"

void program_log_add(struct program_log *log, const struct program_entry *entry)
{
    log->entries.size = sizeof *entry;
    log->lost |= !pool_add(&log->entries, entry);
}

void program_log_free(struct program_log *log)
{
    pool_free(&log->entries);
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
