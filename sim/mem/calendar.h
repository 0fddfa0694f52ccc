/*
 * A calendar queue: entries ordered by (cycle, order), with one list for each cycle modulo
 * CALENDAR_DAYS.
 *
 * An entry is an id below the capacity; the id's owner keeps the data elsewhere. Adding and taking
 * cost a few instructions while entries lie less than CALENDAR_DAYS cycles ahead. Entries further
 * ahead are correct, too, only slower.
 */
#ifndef SIM_MEM_CALENDAR_H
#define SIM_MEM_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

enum { CALENDAR_DAYS = 1024, CALENDAR_NONE = UINT16_MAX };

#define CALENDAR_NEVER UINT64_MAX

struct calendar_entry {
    uint64_t cycle;
    uint32_t order; /* compared modulo 2^32 */
    uint16_t next;
};

struct calendar_day {
    uint16_t first, last; /* valid while the day's bit is set in `busy` */
};

struct calendar {
    uint64_t next; /* cycle of the earliest entry; CALENDAR_NEVER when empty */
    uint32_t count, capacity;
    struct calendar_entry *entry;
    uint64_t busy[CALENDAR_DAYS / 64];
    struct calendar_day day[CALENDAR_DAYS];
};

/* Initialises a queue for the ids 0 to `capacity` - 1, at most 65535. Returns false if memory runs
 * out. */
bool calendar_init(struct calendar *calendar, struct arena *arena, uint32_t capacity);

/* Adds `id`, which must not be in the calendar. */
void calendar_add(struct calendar *calendar, uint32_t id, uint64_t cycle, uint32_t order);

/* Takes the first entry and returns its id. entry[id].cycle stays readable. The calendar must not
 * be empty. */
uint32_t calendar_take(struct calendar *calendar);

#endif
