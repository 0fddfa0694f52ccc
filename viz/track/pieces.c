/* Decoded chunks, kept while they are looked at. */
#include "base/err.h"
#include "track/track_state.h"

static const struct timeline_chunk *chunk_at(const struct track *track, uint64_t cycle)
{
    uint32_t low = 0;
    uint32_t high = track->chunk_count;
    while (low < high) { /* the first that ends after the cycle */
        uint32_t middle = low + (high - low) / 2;
        if (track->chunks[middle].end <= cycle)
            low = middle + 1;
        else
            high = middle;
    }
    return low < track->chunk_count && track->chunks[low].begin <= cycle ? &track->chunks[low]
                                                                         : NULL;
}

static enum simsm_status load(struct track *track, struct piece *piece, uint64_t from, uint64_t to,
                              struct simsm_error *error)
{
    history_free(&piece->history);
    piece->to = 0;
    enum simsm_status status =
        history_load(&piece->history, track->run->reader, track->sm, from, to, error);
    if (status != SIMSM_OK) {
        history_free(&piece->history);
        return status;
    }
    piece->from = from;
    piece->to = to;
    return SIMSM_OK;
}

enum simsm_status track_piece(struct track *track, uint64_t cycle, const struct history **history,
                              struct simsm_error *error)
{
    const struct timeline_chunk *chunk = chunk_at(track, cycle);
    *history = NULL;
    if (!chunk)
        return SIMSM_OK;
    struct piece *oldest = &track->pieces[0];
    for (uint32_t i = 0; i < TRACK_PIECES; i++) {
        struct piece *piece = &track->pieces[i];
        if (piece->to && piece->from == chunk->begin) {
            piece->used = ++track->clock;
            *history = &piece->history;
            return SIMSM_OK;
        }
        oldest = piece->used < oldest->used ? piece : oldest;
    }
    enum simsm_status status = load(track, oldest, chunk->begin, chunk->end, error);
    if (status != SIMSM_OK)
        return status;
    oldest->used = ++track->clock;
    *history = &oldest->history;
    return SIMSM_OK;
}

enum simsm_status track_history(struct track *track, uint64_t from, uint64_t to,
                                const struct history **history, struct simsm_error *error)
{
    *history = NULL;
    if (from >= track->end || to <= track->begin)
        return SIMSM_OK;
    from = from < track->begin ? track->begin : from;
    to = to > track->end ? track->end : to;
    to = to > from ? to : from + 1;
    struct piece *joined = &track->joined;
    const struct timeline_chunk *first = chunk_at(track, from);
    if (first && first->end >= to)
        return track_piece(track, from, history, error);
    if (!joined->to || joined->from > from || joined->to < to) {
        enum simsm_status status = load(track, joined, from, to, error);
        if (status != SIMSM_OK)
            return status;
        joined->from = joined->history.begin;
        joined->to = joined->history.end;
    }
    *history = &joined->history;
    return SIMSM_OK;
}
