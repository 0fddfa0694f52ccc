/* A queue of ids ordered by cycle (calendar.h). */
#include "mem/calendar.h"

#include <string.h>

#include "base/check.h"

bool calendar_init(struct calendar *calendar, struct arena *arena, uint32_t capacity)
{
    memset(calendar, 0, sizeof *calendar);
    calendar->next = CALENDAR_NEVER;
    calendar->capacity = capacity;
    calendar->entry = arena_take_pool(arena, capacity, sizeof *calendar->entry);
    return calendar->entry != NULL;
}

static bool comes_before(const struct calendar_entry *a, const struct calendar_entry *b)
{
    return a->cycle != b->cycle ? a->cycle < b->cycle : (int32_t)(a->order - b->order) < 0;
}

static void insert(struct calendar *calendar, struct calendar_day *day, uint32_t id)
{
    struct calendar_entry *entry = calendar->entry;
    if (!comes_before(&entry[id], &entry[day->last])) {
        entry[day->last].next = (uint16_t)id;
        day->last = (uint16_t)id;
        return;
    }
    uint16_t *link = &day->first;
    while (!comes_before(&entry[id], &entry[*link]))
        link = &entry[*link].next;
    entry[id].next = *link;
    *link = (uint16_t)id;
}

void calendar_add(struct calendar *calendar, uint32_t id, uint64_t cycle, uint32_t order)
{
    uint32_t index = (uint32_t)(cycle % CALENDAR_DAYS);
    uint64_t bit = UINT64_C(1) << index % 64;
    struct calendar_day *day = &calendar->day[index];
    SIMSM_CHECK(calendar->count < calendar->capacity, "%u entries of %u when id %u is added",
                calendar->count, calendar->capacity, id);
    calendar->entry[id] = (struct calendar_entry){cycle, order, CALENDAR_NONE};
    if (calendar->busy[index / 64] & bit) {
        insert(calendar, day, id);
    } else {
        calendar->busy[index / 64] |= bit;
        day->first = day->last = (uint16_t)id;
    }
    calendar->count++;
    if (cycle < calendar->next)
        calendar->next = cycle;
}

/* Returns the cycle of the earliest entry, or CALENDAR_NEVER. No entry may lie before `from`. */
static uint64_t earliest_cycle(const struct calendar *calendar, uint64_t from)
{
    uint64_t found = CALENDAR_NEVER;
    uint32_t start = (uint32_t)(from % CALENDAR_DAYS);
    uint32_t word = start / 64;
    uint64_t bits = calendar->busy[word] & (UINT64_MAX << start % 64);
    if (calendar->count == 0)
        return found;
    for (uint32_t i = 0; i <= CALENDAR_DAYS / 64; i++) {
        for (; bits != 0; bits &= bits - 1) {
            uint32_t index = word * 64 + (uint32_t)__builtin_ctzll(bits);
            uint64_t cycle = calendar->entry[calendar->day[index].first].cycle;
            if (cycle < from + CALENDAR_DAYS)
                return cycle;
            if (cycle < found)
                found = cycle;
        }
        word = (word + 1) % (CALENDAR_DAYS / 64);
        bits = calendar->busy[word];
    }
    return found;
}

uint32_t calendar_take(struct calendar *calendar)
{
    uint64_t cycle = calendar->next;
    SIMSM_CHECK(cycle != CALENDAR_NEVER, "%u entries, none of which is next", calendar->count);
    uint32_t index = (uint32_t)(cycle % CALENDAR_DAYS);
    struct calendar_day *day = &calendar->day[index];
    uint32_t id = day->first;
    calendar->count--;
    if (calendar->entry[id].next == CALENDAR_NONE) {
        calendar->busy[index / 64] &= ~(UINT64_C(1) << index % 64);
    } else {
        day->first = calendar->entry[id].next;
        if (calendar->entry[day->first].cycle == cycle)
            return id;
    }
    calendar->next = earliest_cycle(calendar, cycle);
    return id;
}
