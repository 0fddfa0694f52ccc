/* Flights: memory instructions matched with their starts and answers. */
#include "html/flights.h"

#include <stdlib.h>

#include "model/op.h"

/* Adds a flight for an issue of a memory instruction. */
static void issue(struct flights *flights, const struct timeline_info *info,
                  const struct timeline_issue *issue)
{
    if (issue->pc >= info->line_count || !op_is_memory(info->ops[info->lines[issue->pc].op].known))
        return;
    if (flights->count == flights->room) {
        uint32_t room = flights->room ? 2 * flights->room : 256;
        struct flight *grown = realloc(flights->list, room * sizeof *grown);
        if (!grown) {
            flights->failed = true;
            return;
        }
        flights->list = grown;
        flights->room = room;
    }
    flights->list[flights->count++] = (struct flight){.issued = issue->cycle, .pc = issue->pc};
}

/*
 * Matches a start or an answer with its issue: memory instructions with the same pc start, and are
 * answered, in the order of their issues.
 */
static void memory(struct flights *flights, const struct timeline_memory *memory)
{
    for (uint32_t i = flights->open; i < flights->count; i++) {
        struct flight *flight = &flights->list[i];
        if (flight->pc != memory->pc || flight->done || flight->started != memory->done)
            continue;
        flight->started = true;
        if (memory->done) {
            flight->done = memory->cycle;
            flight->level = memory->level & 3;
        }
        break;
    }
    while (flights->open < flights->count && flights->list[flights->open].done)
        flights->open++;
}

void flights_add(struct flights *flights, const struct timeline_info *info,
                 const struct timeline_data *data, uint32_t slot)
{
    uint32_t next = data->issue_of[slot];
    for (uint32_t i = data->memory_of[slot]; i < data->memory_of[slot + 1]; i++) {
        for (; next < data->issue_of[slot + 1] && data->issues[next].cycle <= data->memory[i].cycle;
             next++)
            issue(flights, info, &data->issues[next]);
        memory(flights, &data->memory[i]);
    }
    for (; next < data->issue_of[slot + 1]; next++)
        issue(flights, info, &data->issues[next]);
}

void flights_write(const struct flights *flights, struct byte_buffer *to)
{
    uint64_t before = 0;
    buffer_add_varint(to, flights->count);
    for (uint32_t i = 0; i < flights->count; i++) {
        const struct flight *flight = &flights->list[i];
        buffer_add_varint(to, flight->issued - before);
        buffer_add_varint(to, flight->done > flight->issued
                                  ? (flight->done - flight->issued) * 4 + flight->level
                                  : 0);
        before = flight->issued;
    }
    to->failed |= flights->failed;
}

void flights_free(struct flights *flights)
{
    free(flights->list);
    *flights = (struct flights){0};
}
