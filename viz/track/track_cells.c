/* A slot as columns of pixels, and sums for charts, at any zoom. */
#include <math.h>
#include <string.h>

#include "track/exact_sums.h"
#include "track/fine_sums.h"

/* Columns of pixels, filled from left to right. */
struct cell_columns {
    struct track_cell *cells;
    uint64_t first;     /* number of the column of cells[0], counted from cycle 0 */
    uint64_t width_q16; /* cycles of a column, in 1/65536 */
    uint32_t count, at; /* number of cells; index of the cell that is being filled */
    uint64_t begin, end;
    struct pyramid_open open;
};

/* Returns the first cycle of a column. */
static uint64_t column_begin(const struct cell_columns *columns, uint64_t index)
{
    /* 64 bits would overflow on long runs. */
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)(((wide)(columns->first + index) * columns->width_q16) >> 16);
}

static void next_column(struct cell_columns *columns)
{
    struct pyramid_cell cell = pyramid_close(&columns->open);
    columns->cells[columns->at] = (struct track_cell){cell.state, cell.share, cell.second,
                                                      cell.second_share, cell.issue_share};
    columns->at++;
    columns->begin = columns->end;
    columns->end = column_begin(columns, (uint64_t)columns->at + 1);
}

/* Adds a stretch: the slot is in `state` in [from, to). Stretches come in order of time. */
static void add_stretch(struct cell_columns *columns, enum simsm_warp_state state, uint64_t from,
                        uint64_t to)
{
    while (columns->at < columns->count && columns->end <= from)
        next_column(columns);
    for (from = from > columns->begin ? from : columns->begin;
         from < to && columns->at < columns->count;) {
        uint64_t until = to < columns->end ? to : columns->end;
        pyramid_open_add(&columns->open, state, until - from);
        from = until;
        if (until == columns->end)
            next_column(columns);
    }
}

/* Fills the columns of [from, to) from spans. */
static enum simsm_status fill_exact(struct track *track, uint32_t slot,
                                    struct cell_columns *columns, uint64_t from, uint64_t to,
                                    struct simsm_error *error)
{
    while (from < to) {
        const struct history *history;
        enum simsm_status status = track_piece(track, from, &history, error);
        if (status != SIMSM_OK || !history)
            return status;
        const struct history_slot *row = &history->slot[slot];
        const struct timeline_span *last = row->spans + row->span_count;
        const struct timeline_span *span = history_span_at(history, slot, from);
        uint64_t end = to < history->end ? to : history->end;
        for (; span && span < last && span->from < end; span++)
            add_stretch(columns, run_state(track->run, span->state),
                        span->from > from ? span->from : from, span->to < end ? span->to : end);
        from = end;
    }
    return SIMSM_OK;
}

/* Fills the columns of [from, to) from the pyramid. */
static void fill_coarse(const struct track *track, uint32_t slot, struct cell_columns *columns,
                        uint64_t from, uint64_t to)
{
    const struct pyramid *pyramid = &track->pyramid;
    uint32_t level = pyramid_level(pyramid, columns->width_q16 >> 16);
    uint32_t shift = pyramid->shift + level;
    uint64_t first = pyramid->first >> level;
    const struct pyramid_cell *cells = pyramid->cells[level] + slot * pyramid->buckets[level];
    while (columns->at < columns->count && columns->begin < to) {
        uint64_t a = columns->begin > from ? columns->begin : from;
        uint64_t b = columns->end < to ? columns->end : to;
        for (uint64_t bucket = a >> shift; a < b; bucket++) {
            uint64_t end = (bucket + 1) << shift;
            uint64_t until = end < b ? end : b;
            if (bucket >= first && bucket - first < pyramid->buckets[level])
                pyramid_open_cell(&columns->open, &cells[bucket - first], until - a);
            a = until;
        }
        next_column(columns);
    }
}

enum simsm_status track_cells(struct track *track, uint32_t slot, uint64_t first,
                              uint64_t cycles_q16, struct track_cell *cells, uint32_t count,
                              struct simsm_error *error)
{
    struct cell_columns columns = {
        .cells = cells, .first = first, .width_q16 = cycles_q16, .count = count};
    columns.begin = column_begin(&columns, 0);
    columns.end = column_begin(&columns, 1);
    memset(cells, 0, count * sizeof *cells);
    uint64_t from = columns.begin > track->begin ? columns.begin : track->begin;
    uint64_t to = column_begin(&columns, count);
    to = to < track_built(track) ? to : track_built(track);
    to = to < track->end ? to : track->end;
    enum simsm_status status = SIMSM_OK;
    if (cycles_q16 >> 16 >> track->pyramid.shift || !track_whole(track, from, to))
        fill_coarse(track, slot, &columns, from, to);
    else
        status = fill_exact(track, slot, &columns, from, to, error);
    if (columns.at < count && columns.open.present)
        next_column(&columns);
    return status;
}

enum simsm_status track_states(struct track *track, uint32_t sub, double from, double to,
                               double *sums, double *issues, uint32_t count,
                               struct simsm_error *error)
{
    if (exact_wanted(track, from, to, count))
        return exact_states(track, sub, from, to, sums, issues, count, error);
    if (sums)
        memset(sums, 0, (size_t)count * SIMSM_STATE_COUNT * sizeof *sums);
    if (issues)
        memset(issues, 0, count * sizeof *issues);
    if (fine_wanted(track, from, to, count))
        return fine_states(track, sub, from, to, sums, issues, count, error);
    sums_parts(&track->sums, sub, from, to, sums, issues, count);
    return SIMSM_OK;
}

enum simsm_status track_issue_share(struct track *track, uint32_t sub, double from, double to,
                                    double *share, uint32_t count, struct simsm_error *error)
{
    enum simsm_status status = track_states(track, sub, from, to, NULL, share, count, error);
    for (uint32_t i = 0; status == SIMSM_OK && i < count; i++)
        share[i] *= count / (to - from);
    return status;
}

void track_lanes(const struct track *track, uint32_t sub, double from, double to, double *lanes,
                 uint32_t count)
{
    _Static_assert(SUMS_LANES == SUMS_ISSUES + 1, "columns in one row");
    double width = (to - from) / count;
    double before[2];
    double after[2];
    sums_row(&track->sums, sub, SUMS_ISSUES, 2, from, before);
    for (uint32_t i = 0; i < count; i++) {
        sums_row(&track->sums, sub, SUMS_ISSUES, 2, from + width * (i + 1), after);
        double issues = after[0] - before[0];
        lanes[i] = issues > 0 ? (after[1] - before[1]) / issues : NAN;
        memcpy(before, after, sizeof before);
    }
}

/* Returns the memory instructions in flight when the recording begins. */
static double flight_before(const struct track *track, uint32_t sub)
{
    double before = 0;
    for (uint32_t i = 0; track->done && i < track->run->info->sub_partitions; i++)
        before += sub == UINT32_MAX || sub == i ? (double)track->before[i] : 0;
    return before;
}

double track_in_flight(const struct track *track, uint32_t sub, double cycle)
{
    return sums_flight(&track->sums, sub, flight_before(track, sub), cycle);
}

enum simsm_status track_flights(struct track *track, uint32_t sub, double from, double to,
                                double *flight, uint32_t count, struct simsm_error *error)
{
    if (exact_wanted(track, from, to, count))
        return exact_in_flight(track, sub, from, to, flight, count, error);
    memset(flight, 0, count * sizeof *flight);
    if (fine_wanted(track, from, to, count))
        return fine_flights(track, sub, from, to, flight, count, error);
    sums_flights(&track->sums, sub, flight_before(track, sub), from, to, flight, count);
    return SIMSM_OK;
}

double track_busy_cycles(const struct track *track, uint32_t sub)
{
    return sums_until(&track->sums, sub, SUMS_BUSY, (double)track->end);
}

double track_issued_until(const struct track *track, double cycle)
{
    return sums_until(&track->sums, UINT32_MAX, SUMS_ISSUES, cycle);
}
