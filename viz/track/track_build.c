/* Builds the pyramid and the running sums of an SM, chunk by chunk. */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/err.h"
#include "track/track_state.h"

enum { SUMS_SHIFT = 8 };

static void piece_free(struct decoded_chunk *piece)
{
    timeline_data_free(&piece->data);
    sums_free(&piece->fine);
}

void track_free(struct track *track)
{
    if (!track)
        return;
    struct simsm_error error;
    (void)timeline_slices_end(track->building.slices, &error);
    (void)timeline_slices_end(track->coming.slices, &error);
    pyramid_free(&track->pyramid);
    sums_free(&track->sums);
    timeline_data_free(&track->data);
    for (uint32_t i = 0; i < TRACK_CACHED_CHUNKS; i++)
        piece_free(&track->pieces[i]);
    history_free(&track->joined.history);
    free(track->answer.text);
    free(track->lines);
    free(track->ready);
    free(track->eligible);
    free(track->resident);
    free(track->before);
    free(track->product_end);
    free(track->flying);
    free(track);
}

static bool allocate(struct track *track)
{
    const struct timeline_info *info = track->run->info;
    track->lines = calloc((size_t)info->line_count + 1, sizeof *track->lines);
    track->ready = calloc((size_t)info->sub_partitions * TRACK_READY, sizeof *track->ready);
    size_t counts = (size_t)info->sub_partitions * (TIMELINE_MOST_RECORDS + 1);
    track->eligible = calloc(counts, sizeof *track->eligible);
    track->resident = calloc(counts, sizeof *track->resident);
    track->before = calloc(info->sub_partitions, sizeof *track->before);
    track->product_end = calloc(info->sub_partitions, sizeof *track->product_end);
    if (track->begin)
        track->flying = calloc((size_t)info->slots * info->line_count + 1, sizeof *track->flying);
    return track->lines && track->ready && track->eligible && track->resident && track->before &&
           track->product_end && (!track->begin || track->flying) &&
           pyramid_create(&track->pyramid, info->slots, track->begin, track->end) &&
           sums_create(&track->sums, info->sub_partitions, track->begin, track->end, SUMS_SHIFT);
}

static struct track *create(struct run *run, uint32_t sm, struct simsm_error *error)
{
    struct track *track = calloc(1, sizeof *track);
    if (!track) {
        err_no_memory(error);
        return NULL;
    }
    track->run = run;
    track->sm = sm;
    track->chunks = timeline_read_chunks(run->reader, sm, &track->chunk_count);
    if (!track->chunk_count) {
        err_set(error, SIMSM_BAD_INPUT,
                run->info->damage ? "%s: nothing of SM %u stands before the damage"
                                  : "%s: SM %u is not recorded",
                run->info->name, sm);
        track_free(track);
        return NULL;
    }
    track->begin = track->chunks[0].begin;
    track->end = track->chunks[track->chunk_count - 1].end;
    if (!allocate(track)) {
        err_no_memory(error);
        track_free(track);
        return NULL;
    }
    return track;
}

bool track_is_resident(uint32_t state)
{
    return state != SIMSM_STATE_EMPTY && state != SIMSM_STATE_EXITED;
}

static bool is_eligible(uint32_t state)
{
    return state == SIMSM_STATE_ISSUED || state == SIMSM_STATE_NOT_SELECTED;
}

bool track_is_wait(uint32_t state)
{
    return track_is_resident(state) && !is_eligible(state) && state != SIMSM_STATE_WAIT;
}

/*
 * Counts a warp in [from, to). `rows` has, for each sub-partition and cycle of the chunk, the
 * change of a number of warps.
 */
static void mark(const struct track *track, int32_t *rows, uint32_t sub, uint64_t from, uint64_t to)
{
    int32_t *row = rows + (size_t)sub * (TIMELINE_MOST_RECORDS + 1);
    uint64_t begin = track->data.begin;
    from = from > begin ? from - begin : 0;
    to -= begin;
    row[from < TIMELINE_MOST_RECORDS ? from : TIMELINE_MOST_RECORDS]++;
    row[to < TIMELINE_MOST_RECORDS ? to : TIMELINE_MOST_RECORDS]--;
}

static void add_spans(struct track *track, uint32_t slot)
{
    const struct timeline_data *data = &track->data;
    uint32_t sub = slot % track->run->info->sub_partitions;
    uint32_t index = slot / track->run->info->sub_partitions;
    for (uint32_t i = data->span_of[slot]; i < data->span_of[slot + 1]; i++) {
        const struct timeline_span *span = &data->spans[i];
        enum simsm_warp_state state = run_state(track->run, span->state);
        uint64_t from = span->from > data->begin ? span->from : data->begin;
        pyramid_add(&track->pyramid, slot, state, span->to);
        if (state != SIMSM_STATE_EMPTY && index >= track->slots_used)
            track->slots_used = index + 1;
        sums_add_time(&track->sums, sub, SUMS_STATE + state, from, span->to);
        if (is_eligible(state))
            mark(track, track->eligible, sub, from, span->to);
        if (track_is_wait(state) && span->to - span->from > track->longest.to - track->longest.from)
            track->longest = (struct track_wait){
                .from = span->from, .to = span->to, .slot = slot, .pc = span->pc, .state = state};
        if (track_is_resident(state))
            mark(track, track->resident, sub, from, span->to);
        if (span->pc < track->run->info->line_count && track_is_resident(state))
            track->lines[span->pc].states[state] += span->to - from;
    }
}

/*
 * Counts memory instructions that were in flight when the recording began: they are answered
 * without a recorded start. Instructions that are not answered within the recording remain unknown.
 */
static void count_before(struct track *track, uint32_t slot, const struct timeline_memory *memory)
{
    const struct timeline_info *info = track->run->info;
    if (!track->flying || memory->pc >= info->line_count)
        return;
    uint32_t *flying = &track->flying[(size_t)slot * info->line_count + memory->pc];
    if (!memory->done)
        (*flying)++;
    else if (*flying)
        (*flying)--;
    else
        track->before[slot % info->sub_partitions]++;
}

static void add_events(struct track *track, uint32_t slot)
{
    const struct timeline_data *data = &track->data;
    uint32_t sub = slot % track->run->info->sub_partitions;
    for (uint32_t i = data->issue_of[slot]; i < data->issue_of[slot + 1]; i++) {
        const struct timeline_issue *issue = &data->issues[i];
        uint32_t lanes = (uint32_t)__builtin_popcount(issue->mask);
        sums_add(&track->sums, sub, SUMS_ISSUES, issue->cycle, 1);
        sums_add(&track->sums, sub, SUMS_LANES, issue->cycle, lanes);
        if (issue->pc < track->run->info->line_count) {
            track->lines[issue->pc].issues++;
            track->lines[issue->pc].threads += lanes;
        }
    }
    for (uint32_t i = data->memory_of[slot]; i < data->memory_of[slot + 1]; i++) {
        sums_add_memory(&track->sums, sub, &data->memory[i]);
        count_before(track, slot, &data->memory[i]);
    }
}

/*
 * Adds the numbers of eligible and resident warps. Behind the last record nothing changes: the rest
 * of the chunk is like its last known cycle.
 */
static void add_counts(struct track *track)
{
    uint64_t length = track->data.end - track->data.begin;
    uint64_t known = length < TIMELINE_MOST_RECORDS ? length : TIMELINE_MOST_RECORDS;
    for (uint32_t sub = 0; sub < track->run->info->sub_partitions; sub++) {
        size_t at = (size_t)sub * (TIMELINE_MOST_RECORDS + 1);
        int32_t *eligible = track->eligible + at;
        int32_t *resident = track->resident + at;
        uint64_t *ready = track->ready + (size_t)sub * TRACK_READY;
        int32_t now_eligible = 0;
        int32_t now_resident = 0;
        for (uint64_t i = 0; i < known; i++) {
            now_eligible += eligible[i];
            now_resident += resident[i];
            SIMSM_CHECK(now_eligible >= 0 && now_eligible < TRACK_READY,
                        "%d eligible warps in sub-partition %u", now_eligible, sub);
            ready[now_eligible] += now_resident > 0;
            if (now_resident > 0)
                sums_add(&track->sums, sub, SUMS_BUSY, track->data.begin + i, 1);
        }
        if (now_resident > 0) {
            ready[now_eligible] += length - known;
            sums_add_time(&track->sums, sub, SUMS_BUSY, track->data.begin + known, track->data.end);
        }
        memset(eligible, 0, (TIMELINE_MOST_RECORDS + 1) * sizeof *eligible);
        memset(resident, 0, (TIMELINE_MOST_RECORDS + 1) * sizeof *resident);
    }
}

/* Does one step of decoding the next chunk. */
static enum simsm_status decode_some(struct track *track, struct simsm_error *error)
{
    struct chunk_building *b = &track->building;
    if (!b->slices)
        return timeline_slices_begin(&b->slices, track->run->reader, &track->chunks[track->built],
                                     &track->data, error);
    if (timeline_slices_next(b->slices))
        return SIMSM_OK;
    enum simsm_status status = timeline_slices_end(b->slices, error);
    *b = (struct chunk_building){.decoded = status == SIMSM_OK};
    return status;
}

/* Does one step of building. No step takes long. */
static enum simsm_status build_some(struct track *track, struct simsm_error *error)
{
    struct chunk_building *b = &track->building;
    if (!b->decoded)
        return decode_some(track, error);
    if (b->slot < track->run->info->slots) {
        add_spans(track, b->slot);
        add_events(track, b->slot++);
        return SIMSM_OK;
    }
    add_counts(track);
    track_add_works(track);
    track->built++;
    *b = (struct chunk_building){0};
    return SIMSM_OK;
}

static void finish(struct track *track)
{
    pyramid_end(&track->pyramid);
    sums_end(&track->sums);
    free(track->eligible);
    free(track->resident);
    free(track->flying);
    track->eligible = track->resident = NULL;
    track->flying = NULL;
    timeline_data_free(&track->data);
    track->done = true;
}

struct track *run_track(struct run *run, uint32_t sm, uint32_t budget_us, struct simsm_error *error)
{
    if (sm >= run->info->sms) {
        err_set(error, SIMSM_BAD_INPUT, "%s: there is no SM %u: the GPU has SMs 0 to %u",
                run->info->name, sm, run->info->sms - 1);
        return NULL;
    }
    struct track *track = run->tracks[sm];
    if (!track)
        track = run->tracks[sm] = create(run, sm, error);
    if (!track || track->done)
        return track;
    uint64_t until = track_now_us() + budget_us;
    while (track->built < track->chunk_count) {
        if (build_some(track, error) != SIMSM_OK)
            return NULL;
        if (budget_us != UINT32_MAX && track_now_us() >= until)
            break;
    }
    if (track->built == track->chunk_count)
        finish(track);
    return track;
}

uint32_t track_slots_used(const struct track *track)
{
    return track->slots_used ? track->slots_used : 1;
}

uint64_t track_built(const struct track *track)
{
    if (track->done)
        return track->run->end;
    return track->built ? track->chunks[track->built - 1].end : track->begin;
}

const struct track_line *track_lines(const struct track *track)
{
    return track->lines;
}

struct track_wait track_longest_wait(const struct track *track)
{
    return track->longest;
}

const uint64_t *track_ready_histogram(const struct track *track, uint32_t sub, uint32_t *count)
{
    *count = track->run->info->slots / track->run->info->sub_partitions + 1;
    return track->ready + (size_t)sub * TRACK_READY;
}
