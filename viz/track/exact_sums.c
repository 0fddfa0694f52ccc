/* Exact sums over short stretches, computed from spans. */
#include "track/exact_sums.h"

#include <math.h>
#include <string.h>

/* Equal parts of a stretch of time. */
struct time_parts {
    double from, width;
    uint32_t count;
    double *values; /* [count x stride] */
    uint32_t stride;
};

/* Adds the cycles of [from, to) to a column of the parts in which they lie. */
static void add_cycles(const struct time_parts *parts, uint32_t column, double from, double to)
{
    double end = parts->from + parts->width * parts->count;
    from = from < parts->from ? parts->from : from;
    to = to > end ? end : to;
    if (!(from < to))
        return;
    uint32_t i = (uint32_t)((from - parts->from) / parts->width);
    for (; i < parts->count && from < to; i++) {
        double until = parts->from + parts->width * (i + 1);
        until = until < to ? until : to;
        if (until > from)
            parts->values[(size_t)i * parts->stride + column] += until - from;
        from = until > from ? until : from;
    }
}

bool exact_wanted(struct track *track, double from, double to, uint32_t count)
{
    bool frame = track->run->left_us != UINT32_MAX;
    return to - from <= (frame ? FRAME_CYCLES : EXACT_CYCLES) &&
           (to - from) / count < (double)(1ull << track->sums.shift) &&
           track_whole(track, (uint64_t)(from > 0 ? from : 0), (uint64_t)(to > 0 ? ceil(to) : 0));
}

static void add_spans(const struct track *track, const struct history *history, uint32_t slot,
                      const struct time_parts *parts)
{
    const struct history_slot *row = &history->slot[slot];
    double end = parts->from + parts->width * parts->count;
    const struct timeline_span *last = row->spans + row->span_count;
    const struct timeline_span *span =
        history_span_at(history, slot, (uint64_t)(parts->from > 0 ? parts->from : 0));
    for (span = span ? span : row->spans; span < last && (double)span->from < end; span++) {
        uint64_t from = span->from > history->begin ? span->from : history->begin;
        if ((double)span->to > parts->from)
            add_cycles(parts, run_state(track->run, span->state), (double)from, (double)span->to);
    }
}

static void add_issues(const struct history *history, uint32_t slot, const struct time_parts *parts)
{
    const struct history_slot *row = &history->slot[slot];
    for (uint32_t i = 0; i < row->issue_count; i++)
        add_cycles(parts, 0, (double)row->issues[i].cycle, (double)row->issues[i].cycle + 1);
}

enum simsm_status exact_states(struct track *track, uint32_t sub, double from, double to,
                               double *sums, double *issues, uint32_t count,
                               struct simsm_error *error)
{
    const struct timeline_info *info = track->run->info;
    struct time_parts states = {from, (to - from) / count, count, sums, SIMSM_STATE_COUNT};
    struct time_parts issued = {from, (to - from) / count, count, issues, 1};
    if (sums)
        memset(sums, 0, (size_t)count * SIMSM_STATE_COUNT * sizeof *sums);
    if (issues)
        memset(issues, 0, count * sizeof *issues);
    double begin = from < (double)track->begin ? (double)track->begin : from;
    for (uint64_t at = (uint64_t)begin; (double)at < to;) {
        const struct history *history;
        enum simsm_status status = track_piece(track, at, &history, error);
        if (status != SIMSM_OK || !history)
            return status;
        for (uint32_t slot = 0; slot < info->slots; slot++) {
            if (sub != UINT32_MAX && slot % info->sub_partitions != sub)
                continue;
            if (sums)
                add_spans(track, history, slot, &states);
            if (issues)
                add_issues(history, slot, &issued);
        }
        at = history->end;
    }
    return SIMSM_OK;
}

/*
 * Adds the changes of the number of memory instructions in flight: +1 at the start, -1 at the
 * answer. A change counts from its cycle on.
 */
static void add_requests(const struct history *history, uint32_t slot, double from, double width,
                         double *change, uint32_t count)
{
    const struct history_slot *row = &history->slot[slot];
    for (uint32_t i = 0; i < row->memory_count; i++) {
        double cycle = (double)row->memory[i].cycle;
        double part = cycle <= from ? 0 : (cycle - from) / width;
        if (part >= count)
            continue;
        uint32_t at = (uint32_t)part;
        double sign = row->memory[i].done ? -1 : 1;
        double share = at + 1 - part; /* of this part; the change counts fully in later parts */
        change[at] += sign * share;
        if (at + 1 < count)
            change[at + 1] += sign * (1 - share);
    }
}

enum simsm_status exact_in_flight(struct track *track, uint32_t sub, double from, double to,
                                  double *flight, uint32_t count, struct simsm_error *error)
{
    const struct timeline_info *info = track->run->info;
    memset(flight, 0, count * sizeof *flight);
    double now = 0;
    double begin = from < (double)track->begin ? (double)track->begin : from;
    for (uint64_t at = (uint64_t)begin; (double)at < to;) {
        const struct history *history;
        enum simsm_status status = track_piece(track, at, &history, error);
        if (status != SIMSM_OK)
            return status;
        if (!history) /* behind the end of the recording */
            break;
        if (at == (uint64_t)begin) /* exact, as a row of the totals begins */
            now = track_in_flight(track, sub,
                                  (double)history->begin); /* with the first cycle of the chunk */
        for (uint32_t slot = 0; slot < info->slots; slot++)
            if (sub == UINT32_MAX || slot % info->sub_partitions == sub)
                add_requests(history, slot, from, (to - from) / count, flight, count);
        at = history->end;
    }
    for (uint32_t i = 0; i < count; i++)
        flight[i] = now += flight[i];
    return SIMSM_OK;
}

/* Adds work to the parts. Time of two products at once counts once. */
static void add_work(const struct history *history, bool products, uint32_t sub,
                     const struct time_parts *parts)
{
    uint64_t done[SIMSM_SLOTS_PER_SM] = {0}; /* end of a sub-partition's products so far */
    for (uint32_t i = 0; i < history->work_count; i++) {
        const struct timeline_work *work = &history->works[i];
        uint64_t from = work->from > history->begin ? work->from : history->begin;
        const uint64_t to = work->to < history->end ? work->to : history->end;
        const uint32_t own = work->slot % history->info->sub_partitions;
        if (work->product != products || (sub != UINT32_MAX && own != sub))
            continue;
        from = products && from < done[own] ? done[own] : from;
        if (from < to)
            add_cycles(parts, 0, (double)from, (double)to);
        done[own] = to > done[own] ? to : done[own];
    }
}

enum simsm_status exact_work(struct track *track, bool products, uint32_t sub, double from,
                             double to, double *value, uint32_t count, struct simsm_error *error)
{
    const struct time_parts parts = {from, (to - from) / count, count, value, 1};
    memset(value, 0, count * sizeof *value);
    const double begin = from < (double)track->begin ? (double)track->begin : from;
    for (uint64_t at = (uint64_t)begin; (double)at < to;) {
        const struct history *history;
        enum simsm_status status = track_piece(track, at, &history, error);
        if (status != SIMSM_OK)
            return status;
        if (!history) /* behind the end of the recording */
            break;
        add_work(history, products, sub, &parts);
        at = history->end;
    }
    for (uint32_t i = 0; i < count; i++)
        value[i] /= parts.width;
    return SIMSM_OK;
}
