#include "track/sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ROWS ((uint64_t)1 << 16)

bool sums_create(struct sums *sums, uint32_t subs, uint64_t begin, uint64_t end, uint32_t shift)
{
    *sums = (struct sums){.subs = subs, .shift = shift, .begin = begin, .end = end};
    while ((end - begin) >> sums->shift >= MOST_ROWS)
        sums->shift++;
    sums->rows = ((end - begin) >> sums->shift) + 1;
    sums->total = calloc((sums->rows + 1) * subs * SUMS_COLUMNS, sizeof *sums->total);
    return sums->total != NULL;
}

void sums_free(struct sums *sums)
{
    free(sums->total);
    memset(sums, 0, sizeof *sums);
}

/* Amounts of a row are kept one row later, where their total will stand. */
static uint64_t *amount_of(struct sums *sums, uint32_t sub, uint32_t column, uint64_t row)
{
    return &sums->total[((row + 1) * sums->subs + sub) * SUMS_COLUMNS + column];
}

void sums_add_time(struct sums *sums, uint32_t sub, uint32_t column, uint64_t from, uint64_t to)
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

void sums_add(struct sums *sums, uint32_t sub, uint32_t column, uint64_t cycle, uint64_t amount)
{
    if (cycle >= sums->begin && cycle < sums->end)
        *amount_of(sums, sub, column, (cycle - sums->begin) >> sums->shift) += amount;
}

void sums_add_memory(struct sums *sums, uint32_t sub, const struct timeline_memory *memory)
{
    uint32_t column = memory->done ? SUMS_MEM_DONE + (memory->level & 3u) : SUMS_MEM_START;
    sums_add(sums, sub, column, memory->cycle, 1);
    sums_add(sums, sub, memory->done ? SUMS_DONE_TIME : SUMS_START_TIME, memory->cycle,
             memory->cycle - sums->begin);
}

void sums_end(struct sums *sums)
{
    size_t width = (size_t)sums->subs * SUMS_COLUMNS;
    for (uint64_t row = 1; row <= sums->rows; row++)
        for (size_t i = 0; i < width; i++)
            sums->total[row * width + i] += sums->total[(row - 1) * width + i];
    sums->ended = true;
}

void sums_row(const struct sums *sums, uint32_t sub, uint32_t first, uint32_t count, double cycle,
              double *row)
{
    memset(row, 0, count * sizeof *row);
    if (!sums->ended)
        return;
    double offset = cycle - (double)sums->begin;
    double length = (double)(sums->end - sums->begin);
    offset = offset < 0 ? 0 : offset > length ? length : offset;
    uint64_t at = (uint64_t)offset >> sums->shift;
    /* The last row may be shorter than the others. */
    double begin = (double)(at << sums->shift);
    double room = (double)((uint64_t)1 << sums->shift);
    room = length - begin < room ? length - begin : room;
    double share = room > 0 ? (offset - begin) / room : 0;
    size_t width = (size_t)sums->subs * SUMS_COLUMNS;
    size_t next = at < sums->rows ? width : 0;
    uint32_t end = sub < sums->subs ? sub + 1 : sums->subs;
    for (uint32_t i = sub < sums->subs ? sub : 0; i < end; i++) {
        const uint64_t *low = sums->total + at * width + i * SUMS_COLUMNS + first;
        for (uint32_t k = 0; k < count; k++)
            row[k] += (double)low[k] + (double)(low[next + k] - low[k]) * share;
    }
}

double sums_until(const struct sums *sums, uint32_t sub, uint32_t column, double cycle)
{
    double value;
    sums_row(sums, sub, column, 1, cycle, &value);
    return value;
}

void sums_parts(const struct sums *sums, uint32_t sub, double from, double to, double *states,
                double *issues, uint32_t count)
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

double sums_flight(const double row[SUMS_COLUMNS])
{
    double flight = row[SUMS_MEM_START];
    for (uint32_t level = 0; level < 4; level++)
        flight -= row[SUMS_MEM_DONE + level];
    return flight;
}

/* Requests in flight added up over the cycles before one: each counts from its start on. */
static double flight_time(const struct sums *sums, uint32_t sub, double before, double cycle)
{
    double row[SUMS_COLUMNS];
    double begin = (double)sums->begin;
    double end = (double)sums->end;
    cycle = cycle < begin ? begin : cycle > end ? end : cycle;
    sums_row(sums, sub, 0, SUMS_COLUMNS, cycle, row);
    double now = before + sums_flight(row);
    return (now > 0 ? now : 0) * (cycle - begin) - (row[SUMS_START_TIME] - row[SUMS_DONE_TIME]);
}

void sums_flights(const struct sums *sums, uint32_t sub, double before, double from, double to,
                  double *flight, uint32_t count)
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
