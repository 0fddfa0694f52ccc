/* Flights: the memory instructions of a slot from issue to answer, gathered chunk by chunk. */
#ifndef VIZ_HTML_FLIGHTS_H
#define VIZ_HTML_FLIGHTS_H

#include "timeline/smtl.h"
#include "timeline/timeline_read.h"

struct flight {
    uint64_t issued, done; /* cycles; done 0: no answer is known */
    uint32_t pc;
    uint8_t level;
    bool started; /* has entered the load/store stage */
};

struct flights {
    struct flight *list; /* by cycle of issue */
    uint32_t count, room;
    uint32_t open; /* all flights before this index are answered */
    bool failed;   /* memory has run out */
};

/* Adds what slot `slot` does in a chunk. Chunks come in order of time. */
void flights_add(struct flights *flights, const struct timeline_info *info,
                 const struct timeline_data *data, uint32_t slot);

/*
 * Appends the number of flights, then two varints for each: the cycles from the issue of the flight
 * before to its issue, and the cycles from its issue to its answer x 4 + memory level; 0: no answer
 * is known.
 */
void flights_write(const struct flights *flights, struct byte_buffer *to);

/* Frees the list and sets *flights to zero. */
void flights_free(struct flights *flights);

#endif
