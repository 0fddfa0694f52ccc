/* The memory instructions of a slot, from their issue to their answer, as chunks come in. */
#ifndef VIZ_HTML_FLIGHTS_H
#define VIZ_HTML_FLIGHTS_H

#include "timeline/smtl.h"
#include "timeline/timeline_read.h"

struct flight {
    uint64_t issued, done; /* cycles; done 0: no answer is known */
    uint32_t pc;
    uint8_t level;
    bool started; /* it has entered the load/store stage */
};

struct flights {
    struct flight *list; /* by cycle of issue */
    uint32_t count, room;
    uint32_t open; /* those before it are answered */
    bool failed;   /* memory has run out */
};

/* Adds what slot `slot` does in a chunk; chunks come in order of time. */
void flights_add(struct flights *flights, const struct timeline_info *info,
                 const struct timeline_data *data, uint32_t slot);

/*
 * Their number, then of each two varints: cycles from the issue of the one before to its own, and
 * cycles from there to the answer x 4 + level; 0: no answer is known.
 */
void flights_write(const struct flights *flights, struct byte_buffer *to);

void flights_free(struct flights *flights);

#endif
