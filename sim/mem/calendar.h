/*
 * A calendar queue: entries ordered by (cycle, order), one list for each cycle modulo its days.
 *
 * An entry is an id below the capacity; its owner keeps the rest elsewhere. Adding and taking cost
 * a few instructions while entries lie less than CALENDAR_DAYS cycles ahead; further ones are
 * right too, only slower.
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
    uint16_t first, last; /* valid where the day's bit is set in `busy` */
};

struct calendar {
    uint64_t next; /* cycle of the earliest entry, CALENDAR_NEVER when empty */
    uint32_t count, capacity;
    struct calendar_entry *entry;
    uint64_t busy[CALENDAR_DAYS / 64];
    struct calendar_day day[CALENDAR_DAYS];
};

/* Ids are 0 to `capacity` - 1, at most 65535 of them. False: out of memory. */
bool calendar_init(struct calendar *calendar, struct arena *arena, uint32_t capacity);

/* `id` must not be in the calendar. */
void calendar_add(struct calendar *calendar, uint32_t id, uint64_t cycle, uint32_t order);

/* Takes the first entry; its cycle stays readable in entry[id]. The calendar is not empty. */
uint32_t calendar_take(struct calendar *calendar);

#endif
