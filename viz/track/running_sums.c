/* Running sums: rows of amounts, which become running totals. */
#include "track/running_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

#define MOST_ROWS ((uint64_t)1 << 16)

static size_t values_of(const struct running_sums *sums)
{
    return (sums->rows + 1) * sums->subs * SUMS_COLUMNS;
}

static struct running_sums sums_of(uint32_t subs, uint64_t begin, uint64_t end, uint32_t shift)
{
    struct running_sums sums = {.subs = subs, .shift = shift, .begin = begin, .end = end};
    while ((end - begin) >> sums.shift >= MOST_ROWS)
        sums.shift++;
    sums.rows = ((end - begin) >> sums.shift) + 1;
    return sums;
}

bool sums_create(struct running_sums *sums, uint32_t subs, uint64_t begin, uint64_t end,
                 uint32_t shift)
{
    *sums = sums_of(subs, begin, end, shift);
    sums->total = calloc(values_of(sums), sizeof *sums->total);
    return sums->total != NULL;
}

bool sums_recreate(struct running_sums *sums, uint32_t subs, uint64_t begin, uint64_t end,
                   uint32_t shift)
{
    struct running_sums fresh = sums_of(subs, begin, end, shift);
    if (sums->total && values_of(sums) >= values_of(&fresh)) {
        fresh.total = sums->total;
        memset(fresh.total, 0, values_of(&fresh) * sizeof *fresh.total);
        *sums = fresh;
        return true;
    }
    free(sums->total);
    return sums_create(sums, subs, begin, end, shift);
}

void sums_free(struct running_sums *sums)
{
    free(sums->total);
    memset(sums, 0, sizeof *sums);
}

/* Returns where the amount of a row is kept: one row later, where its running total will be. */
static uint64_t *amount_of(struct running_sums *sums, uint32_t sub, uint32_t column, uint64_t row)
{
    SIMSM_CHECK(row < sums->rows && sub < sums->subs && column < SUMS_COLUMNS,
                "row %llu of %llu, sub-partition %u of %u, column %u", (unsigned long long)row,
                (unsigned long long)sums->rows, sub, sums->subs, column);
    return &sums->total[((size_t)column * sums->subs + sub) * (sums->rows + 1) + row + 1];
}

void sums_add_time(struct running_sums *sums, uint32_t sub, uint32_t column, uint64_t from,
                   uint64_t to)
{
    from = from < sums->begin ? sums->begin : from;
    to = to > sums->end ? sums->end : to;
    while (from < to) {
        uint64_t row = (from - sums->begin) >> sums->shift;
        uint64_t end = sums->begin + ((row + 1) << sums->shift);
        uint64_t until = end < to ? end : to;
        *amount_of(sums, sub, column, row) += until - from;
        from = until;
    }
}

void sums_add(struct running_sums *sums, uint32_t sub, uint32_t column, uint64_t cycle,
              uint64_t amount)
{
    if (cycle >= sums->begin && cycle < sums->end)
        *amount_of(sums, sub, column, (cycle - sums->begin) >> sums->shift) += amount;
}

void sums_add_memory(struct running_sums *sums, uint32_t sub, const struct timeline_memory *memory)
{
    uint32_t column = memory->done ? SUMS_MEM_DONE + (memory->level & 3u) : SUMS_MEM_START;
    sums_add(sums, sub, column, memory->cycle, 1);
    sums_add(sums, sub, memory->done ? SUMS_DONE_TIME : SUMS_START_TIME, memory->cycle,
             memory->cycle - sums->begin);
}

void sums_end(struct running_sums *sums)
{
    for (size_t i = 0; i < (size_t)sums->subs * SUMS_COLUMNS; i++) {
        uint64_t *total = sums->total + i * (sums->rows + 1);
        for (uint64_t row = 1; row <= sums->rows; row++)
            total[row] += total[row - 1];
    }
    sums->ended = true;
}

void sums_row(const struct running_sums *sums, uint32_t sub, uint32_t first, uint32_t count,
              double cycle, double *row)
{
    memset(row, 0, count * sizeof *row);
    if (!sums->ended)
        return;
    double offset = cycle - (double)sums->begin;
    double length = (double)(sums->end - sums->begin);
    offset = offset < 0 ? 0 : offset > length ? length : offset;
    uint64_t at = (uint64_t)offset >> sums->shift;
    /* the last row may be shorter than the others */
    double begin = (double)(at << sums->shift);
    double room = (double)((uint64_t)1 << sums->shift);
    room = length - begin < room ? length - begin : room;
    double share = room > 0 ? (offset - begin) / room : 0;
    uint64_t next = at < sums->rows ? at + 1 : at;
    uint32_t end = sub < sums->subs ? sub + 1 : sums->subs;
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t i = sub < sums->subs ? sub : 0; i < end; i++) {
            const uint64_t *total =
                sums->total + ((size_t)(first + k) * sums->subs + i) * (sums->rows + 1);
            row[k] += (double)total[at] + (double)(total[next] - total[at]) * share;
        }
    }
}

double sums_until(const struct running_sums *sums, uint32_t sub, uint32_t column, double cycle)
{
    double value;
    sums_row(sums, sub, column, 1, cycle, &value);
    return value;
}

void sums_parts(const struct running_sums *sums, uint32_t sub, double from, double to,
                double *states, double *issues, uint32_t count)
{
    _Static_assert(SUMS_STATE == 0 && SUMS_ISSUES == (int)SIMSM_STATE_COUNT, "columns in one row");
    enum { COLUMNS = SIMSM_STATE_COUNT + 1 };
    uint32_t first = states ? SUMS_STATE : SUMS_ISSUES;
    uint32_t columns = states ? COLUMNS : 1;
    double width = (to - from) / count;
    double rows[2][COLUMNS];
    double skipped = floor(((double)sums->begin - from) / width);
    uint32_t i = skipped > 0 ? skipped < count ? (uint32_t)skipped : count : 0;
    sums_row(sums, sub, first, columns, from + width * i, rows[i & 1]);
    for (; i < count && from + width * i < (double)sums->end; i++) {
        const double *before = rows[i & 1];
        double *after = rows[~i & 1];
        sums_row(sums, sub, first, columns, from + width * (i + 1), after);
        for (uint32_t s = 0; states && s < SIMSM_STATE_COUNT; s++)
            states[(size_t)i * SIMSM_STATE_COUNT + s] += after[s] - before[s];
        if (issues)
            issues[i] += after[columns - 1] - before[columns - 1];
    }
}

/* The columns of memory instructions. */
enum { FLIGHT_COLUMNS = SUMS_DONE_TIME + 1 - SUMS_MEM_START };

static double flight_of(const double row[FLIGHT_COLUMNS], double before)
{
    double flight = before + row[0];
    for (uint32_t level = 0; level < 4; level++)
        flight -= row[SUMS_MEM_DONE - SUMS_MEM_START + level];
    return flight > 0 ? flight : 0;
}

double sums_flight(const struct running_sums *sums, uint32_t sub, double before, double cycle)
{
    double row[FLIGHT_COLUMNS];
    sums_row(sums, sub, SUMS_MEM_START, FLIGHT_COLUMNS, cycle, row);
    return flight_of(row, before);
}

/* Returns the sum over all cycles before `cycle` of the memory instructions in flight. */
static double flight_time(const struct running_sums *sums, uint32_t sub, double before,
                          double cycle)
{
    double row[FLIGHT_COLUMNS];
    double begin = (double)sums->begin;
    double end = (double)sums->end;
    cycle = cycle < begin ? begin : cycle > end ? end : cycle;
    sums_row(sums, sub, SUMS_MEM_START, FLIGHT_COLUMNS, cycle, row);
    double times = row[SUMS_START_TIME - SUMS_MEM_START] - row[SUMS_DONE_TIME - SUMS_MEM_START];
    return flight_of(row, before) * (cycle - begin) - times;
}

void sums_flights(const struct running_sums *sums, uint32_t sub, double before, double from,
                  double to, double *flight, uint32_t count)
{
    double width = (to - from) / count;
    double skipped = floor(((double)sums->begin - from) / width);
    uint32_t i = skipped > 0 ? skipped < count ? (uint32_t)skipped : count : 0;
    double last = flight_time(sums, sub, before, from + width * i);
    for (; i < count && from + width * i < (double)sums->end; i++) {
        double now = flight_time(sums, sub, before, from + width * (i + 1));
        flight[i] += now > last ? (now - last) / width : 0;
        last = now;
    }
}
