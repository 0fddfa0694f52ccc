#include "track/sums.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_SHIFT = 8 };
#define MOST_ROWS ((uint64_t)1 << 16)

bool sums_create(struct sums *sums, uint32_t subs, uint64_t begin, uint64_t end)
{
    *sums = (struct sums){.subs = subs, .shift = LEAST_SHIFT, .begin = begin, .end = end};
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

void sums_end(struct sums *sums)
{
    size_t width = (size_t)sums->subs * SUMS_COLUMNS;
    for (uint64_t row = 1; row <= sums->rows; row++)
        for (size_t i = 0; i < width; i++)
            sums->total[row * width + i] += sums->total[(row - 1) * width + i];
    sums->ended = true;
}

static uint64_t row_total(const struct sums *sums, uint32_t sub, uint32_t column, uint64_t row)
{
    if (sub < sums->subs)
        return sums->total[(row * sums->subs + sub) * SUMS_COLUMNS + column];
    uint64_t total = 0;
    for (uint32_t i = 0; i < sums->subs; i++)
        total += row_total(sums, i, column, row);
    return total;
}

double sums_until(const struct sums *sums, uint32_t sub, uint32_t column, double cycle)
{
    if (!sums->ended)
        return 0;
    double offset = cycle - (double)sums->begin;
    double length = (double)(sums->end - sums->begin);
    offset = offset < 0 ? 0 : offset > length ? length : offset;
    uint64_t row = (uint64_t)offset >> sums->shift;
    double low = (double)row_total(sums, sub, column, row);
    if (row >= sums->rows)
        return low;
    /* The last row may be shorter than the others. */
    double begin = (double)(row << sums->shift);
    double room = (double)((uint64_t)1 << sums->shift);
    room = length - begin < room ? length - begin : room;
    double high = (double)row_total(sums, sub, column, row + 1);
    return room > 0 ? low + (high - low) * (offset - begin) / room : low;
}
