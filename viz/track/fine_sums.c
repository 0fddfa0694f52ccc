/* Sums of decoded chunks in rows of 16 cycles. */
#include "track/fine_sums.h"

#include <math.h>

enum { FINE_SHIFT = 4, FINE_CYCLES = 1 << 18 };

bool fine_begin(struct decoded_chunk *piece, uint32_t subs)
{
    const struct timeline_data *data = &piece->data;
    return sums_recreate(&piece->fine, subs, data->begin, data->end, FINE_SHIFT);
}

void fine_add(struct decoded_chunk *piece, const struct run *run, uint32_t slot)
{
    const struct timeline_data *data = &piece->data;
    uint32_t sub = slot % run->info->sub_partitions;
    for (uint32_t i = data->span_of[slot]; i < data->span_of[slot + 1]; i++)
        sums_add_time(&piece->fine, sub, SUMS_STATE + run_state(run, data->spans[i].state),
                      data->spans[i].from, data->spans[i].to);
    for (uint32_t i = data->issue_of[slot]; i < data->issue_of[slot + 1]; i++)
        sums_add(&piece->fine, sub, SUMS_ISSUES, data->issues[i].cycle, 1);
    for (uint32_t i = data->memory_of[slot]; i < data->memory_of[slot + 1]; i++)
        sums_add_memory(&piece->fine, sub, &data->memory[i]);
}

bool fine_wanted(struct track *track, double from, double to, uint32_t count)
{
    return track->run->left_us != UINT32_MAX && to - from <= FINE_CYCLES &&
           (to - from) / count < (double)(1ull << track->sums.shift) &&
           track_whole(track, (uint64_t)(from > 0 ? from : 0), (uint64_t)(to > 0 ? ceil(to) : 0));
}

enum simsm_status fine_states(struct track *track, uint32_t sub, double from, double to,
                              double *states, double *issues, uint32_t count,
                              struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    const struct decoded_chunk *piece = NULL;
    for (uint64_t at = from > 0 ? (uint64_t)from : 0; status == SIMSM_OK && (double)at < to;
         at = piece->data.end) {
        status = track_decoded(track, at, &piece, error);
        if (!piece)
            break;
        sums_parts(&piece->fine, sub, from, to, states, issues, count);
    }
    return status;
}

enum simsm_status fine_flights(struct track *track, uint32_t sub, double from, double to,
                               double *flight, uint32_t count, struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    const struct decoded_chunk *piece = NULL;
    for (uint64_t at = from > 0 ? (uint64_t)from : 0; status == SIMSM_OK && (double)at < to;
         at = piece->data.end) {
        status = track_decoded(track, at, &piece, error);
        if (!piece)
            break;
        double before = track_in_flight(track, sub, (double)piece->data.begin);
        sums_flights(&piece->fine, sub, before, from, to, flight, count);
    }
    return status;
}
