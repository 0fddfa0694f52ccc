/* The cache of decoded chunks: decodes chunks when they are needed, within the time of a frame. */
#include <time.h>

#include "base/check.h"
#include "base/err.h"
#include "track/fine_sums.h"

uint64_t track_now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* Takes the time since `start` from the time that the frame has left. */
static void spend(struct run *run, uint64_t start)
{
    uint64_t spent = track_now_us() - start;
    if (run->left_us != UINT32_MAX)
        run->left_us -= spent < run->left_us ? (uint32_t)spent : run->left_us;
}

static const struct timeline_chunk *chunk_at(const struct track *track, uint64_t cycle)
{
    uint32_t low = 0;
    uint32_t high = track->chunk_count;
    while (low < high) { /* finds the first chunk that ends after the cycle */
        uint32_t middle = low + (high - low) / 2;
        if (track->chunks[middle].end <= cycle)
            low = middle + 1;
        else
            high = middle;
    }
    return low < track->chunk_count && track->chunks[low].begin <= cycle ? &track->chunks[low]
                                                                         : NULL;
}

static struct decoded_chunk *find(struct track *track, const struct timeline_chunk *chunk)
{
    for (uint32_t i = 0; i < TRACK_CACHED_CHUNKS; i++)
        if (track->pieces[i].chunk == chunk)
            return &track->pieces[i];
    return NULL;
}

/* Begins to decode a chunk in place of the least recently used one. */
static enum simsm_status begin(struct track *track, const struct timeline_chunk *chunk,
                               struct simsm_error *error)
{
    SIMSM_CHECK(!track->coming.slices && !track->coming.decoded,
                "a chunk of SM %u is decoded over one that is not finished", track->sm);
    struct decoded_chunk *oldest = &track->pieces[0];
    for (uint32_t i = 1; i < TRACK_CACHED_CHUNKS; i++)
        oldest = track->pieces[i].used < oldest->used ? &track->pieces[i] : oldest;
    oldest->chunk = NULL;
    oldest->used = 0;
    track->coming = (struct chunk_decoding){.chunk = chunk, .piece = oldest};
    return timeline_slices_begin(&track->coming.slices, track->run->reader, chunk, &oldest->data,
                                 error);
}

/* Ends decoding when all slots are decoded, and begins the chunk's sums. */
static enum simsm_status end_decoding(struct track *track, struct simsm_error *error)
{
    struct chunk_decoding *coming = &track->coming;
    enum simsm_status status = timeline_slices_end(coming->slices, error);
    coming->slices = NULL;
    if (status == SIMSM_OK && !fine_begin(coming->piece, track->run->info->sub_partitions))
        status = err_no_memory(error);
    coming->decoded = status == SIMSM_OK;
    return status;
}

static void end_sums(struct track *track)
{
    struct decoded_chunk *piece = track->coming.piece;
    sums_end(&piece->fine);
    piece->chunk = track->coming.chunk;
    piece->history = history_of_chunk(&piece->data, track->run->info);
    track->coming.decoded = false;
}

/*
 * Does one step towards having a chunk. If another chunk is being decoded, the step goes there: it
 * is not given up.
 */
static enum simsm_status step(struct track *track, const struct timeline_chunk *chunk,
                              struct simsm_error *error)
{
    struct chunk_decoding *coming = &track->coming;
    if (coming->decoded && coming->slot == track->run->info->slots)
        end_sums(track);
    else if (coming->decoded)
        fine_add(coming->piece, track->run, coming->slot++);
    else if (!coming->slices)
        return begin(track, chunk, error);
    /* A damaged chunk is an error for the caller that asked for that chunk. */
    else if (!timeline_slices_next(coming->slices) && end_decoding(track, error) != SIMSM_OK &&
             coming->chunk == chunk)
        return error->status;
    return SIMSM_OK;
}

/* Finds or decodes a chunk. *found stays NULL if the frame has no time for it. */
static enum simsm_status get(struct track *track, const struct timeline_chunk *chunk,
                             struct decoded_chunk **found, struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    *found = find(track, chunk);
    while (!*found && status == SIMSM_OK && track->run->left_us) {
        uint64_t start = track_now_us();
        status = step(track, chunk, error);
        spend(track->run, start);
        *found = find(track, chunk);
    }
    if (*found)
        (*found)->used = ++track->clock;
    else if (status == SIMSM_OK)
        track->run->waits = true;
    return status;
}

/* Remembers the cycles that this frame shows, so that track_prefetch knows their neighbours. */
static void note_seen(struct track *track, const struct timeline_chunk *chunk)
{
    bool first = track->run->drawn != track;
    track->run->drawn = track;
    if (first || chunk->begin < track->seen_from)
        track->seen_from = chunk->begin;
    if (first || chunk->end > track->seen_to)
        track->seen_to = chunk->end;
}

enum simsm_status track_decoded(struct track *track, uint64_t cycle,
                                const struct decoded_chunk **found, struct simsm_error *error)
{
    const struct timeline_chunk *chunk =
        chunk_at(track, cycle < track->begin ? track->begin : cycle);
    struct decoded_chunk *piece = NULL;
    enum simsm_status status = SIMSM_OK;
    if (chunk) {
        note_seen(track, chunk);
        status = get(track, chunk, &piece, error);
    }
    *found = piece;
    return status;
}

enum simsm_status track_piece(struct track *track, uint64_t cycle, const struct history **history,
                              struct simsm_error *error)
{
    const struct decoded_chunk *piece;
    enum simsm_status status = track_decoded(track, cycle, &piece, error);
    *history = piece ? &piece->history : NULL;
    return status;
}

bool track_whole(struct track *track, uint64_t from, uint64_t to)
{
    bool whole = true;
    from = from < track->begin ? track->begin : from;
    for (const struct timeline_chunk *chunk; from < to && (chunk = chunk_at(track, from));
         from = chunk->end) {
        const struct history *history;
        struct simsm_error error;
        if (track_piece(track, from, &history, &error) == SIMSM_OK && !history)
            whole = false;
    }
    return whole;
}

static enum simsm_status join(struct track *track, uint32_t slot, uint64_t from, uint64_t to,
                              struct simsm_error *error)
{
    struct joined_chunks *joined = &track->joined;
    enum simsm_status status = SIMSM_OK;
    history_free(&joined->history);
    joined->to = 0;
    for (const struct timeline_chunk *chunk;
         from < to && status == SIMSM_OK && (chunk = chunk_at(track, from)); from = chunk->end) {
        struct decoded_chunk *piece;
        status = get(track, chunk, &piece, error);
        if (status == SIMSM_OK && piece)
            status = history_append(&joined->history, &piece->data, track->run->info, slot, error);
    }
    joined->from = joined->history.begin;
    joined->to = status == SIMSM_OK ? joined->history.end : 0;
    joined->slot = slot;
    return status;
}

enum simsm_status track_history(struct track *track, uint64_t from, uint64_t to,
                                const struct history **history, struct simsm_error *error)
{
    return track_slot_history(track, UINT32_MAX, from, to, history, error);
}

enum simsm_status track_slot_history(struct track *track, uint32_t slot, uint64_t from, uint64_t to,
                                     const struct history **history, struct simsm_error *error)
{
    *history = NULL;
    if (from >= track->end || to <= track->begin)
        return SIMSM_OK;
    from = from < track->begin ? track->begin : from;
    to = to > track->end ? track->end : to;
    to = to > from ? to : from + 1;
    struct joined_chunks *joined = &track->joined;
    const struct timeline_chunk *first = chunk_at(track, from);
    if (first && first->end >= to)
        return track_piece(track, from, history, error);
    bool other_slot = joined->slot != slot && joined->slot != UINT32_MAX;
    if (!joined->to || other_slot || joined->from > from || joined->to < to) {
        if (!track_whole(track, from, to))
            return SIMSM_OK;
        enum simsm_status status = join(track, slot, from, to, error);
        if (status != SIMSM_OK)
            return status;
    }
    *history = &joined->history;
    return SIMSM_OK;
}

bool track_prefetch(struct track *track)
{
    const uint64_t cycles[2] = {track->seen_to, track->seen_from - 1};
    bool all = true;
    for (int i = 0; i < 2; i++) {
        const struct timeline_chunk *chunk = chunk_at(track, cycles[i]);
        struct decoded_chunk *piece;
        struct simsm_error error;
        if (chunk && get(track, chunk, &piece, &error) == SIMSM_OK && !piece)
            all = false;
    }
    return all;
}
