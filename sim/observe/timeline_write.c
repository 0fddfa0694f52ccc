/* The timeline writer: splits events into chunks, packs them and writes the file. */
#include "observe/timeline_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/check.h"
#include "base/err.h"
#include "base/outfile.h"
#include "front/clusters.h"
#include "model/op.h"
#include "observe/event_feed.h"
#include "observe/recorder.h"
#include "observe/run_description.h"
#include "timeline/timeline_figures.h"
#include "timeline/timeline_overview.h"

/*
 * ROOM_ALL: bytes for the chunks of all SMs together. ROOM_LEAST and ROOM_MOST: bytes for a slot.
 */
enum { ROOM_ALL = 24 << 20, ROOM_LEAST = 2048, ROOM_MOST = 16384 };

enum phase { BEFORE, RECORDING, AFTER };

struct sm_record {
    enum phase phase;
    struct recorder recorder;
};

struct timeline {
    struct simsm_observer observer;
    struct feed *feed; /* from timeline_describe to timeline_finish only the feed's taker touches
                          the members below */
    struct simsm_config config;
    struct outfile out;
    uint64_t offset; /* bytes written */
    uint64_t from, to;
    uint32_t sm_count;
    uint32_t *sm;              /* [sm_count] recorded SMs */
    struct sm_record *records; /* [sm_count] */
    uint32_t *record_of;       /* [SMs of the GPU] index in `records`; UINT32_MAX: not recorded */
    uint32_t *wants;           /* [SMs of the GPU] a bit for each kind of event */
    struct overview overview;  /* the simulating thread adds samples */
    ZSTD_CCtx *zstd;
    struct byte_buffer payload, packed;
    struct byte_buffer index; /* of chunks, for the last block */
    uint64_t chunks;
    struct simsm_error refusal; /* status SIMSM_OK: no event was refused */
};

static uint32_t room_of(uint32_t sms, uint32_t slots)
{
    uint32_t room = (uint32_t)((uint64_t)ROOM_ALL / ((uint64_t)sms * slots));
    return room < ROOM_LEAST ? ROOM_LEAST : room > ROOM_MOST ? ROOM_MOST : room;
}

static enum simsm_status write_bytes(struct timeline *timeline, const void *bytes, size_t size,
                                     struct simsm_error *error)
{
    errno = 0;
    if (fwrite(bytes, 1, size, timeline->out.file) != size)
        return err_at(error, SIMSM_FAILED, timeline->out.path, 0, 0, "writing failed: %s",
                      errno ? strerror(errno) : "an earlier write did not succeed");
    timeline->offset += size;
    return SIMSM_OK;
}

/* Packs timeline->payload and writes it behind the block's head, which gets the sizes. */
static enum simsm_status write_block(struct timeline *timeline, struct smtl_block *block,
                                     struct simsm_error *error)
{
    struct byte_buffer *payload = &timeline->payload, *packed = &timeline->packed;
    uint32_t limit = block->kind == SMTL_CHUNK ? SMTL_MAX_CHUNK : SMTL_MAX_META;
    if (payload->failed)
        return err_no_memory(error);
    if (payload->size > limit)
        return err_at(error, SIMSM_FAILED, timeline->out.path, 0, 0,
                      "a part of the timeline has %zu bytes, the format allows %u; record fewer "
                      "cycles or SMs",
                      payload->size, limit);
    size_t bound = ZSTD_compressBound(payload->size);
    if (packed->room < bound) {
        free(packed->data);
        packed->data = malloc(bound);
        packed->room = packed->data ? bound : 0;
        if (!packed->data)
            return err_no_memory(error);
    }
    size_t size =
        ZSTD_compress2(timeline->zstd, packed->data, packed->room, payload->data, payload->size);
    if (ZSTD_isError(size))
        return err_set(error, SIMSM_FAILED, "zstd cannot pack a part of the timeline: %s",
                       ZSTD_getErrorName(size));
    block->raw = (uint32_t)payload->size;
    block->packed = (uint32_t)size;
    uint8_t head[SMTL_BLOCK_BYTES];
    smtl_block_put(head, block);
    enum simsm_status status = write_bytes(timeline, head, sizeof head, error);
    return status != SIMSM_OK ? status : write_bytes(timeline, packed->data, size, error);
}

static enum simsm_status contradiction(const struct recorder *recorder, struct simsm_error *error)
{
    return err_set(error, SIMSM_FAILED,
                   "timeline: slot %u of SM %u %s at cycle %llu; this is a fault of the "
                   "simulator, please report it",
                   recorder->refused_slot, recorder->sm, recorder->refusal,
                   (unsigned long long)recorder->refused_cycle);
}

/*
 * Adds a chunk to the index. Chunks lie one after another behind the meta block, so their sizes
 * give their offsets.
 */
static void index_block(struct byte_buffer *index, const struct smtl_block *block)
{
    buffer_add_varint(index, block->sm);
    buffer_add_varint(index, block->begin);
    buffer_add_varint(index, block->end - block->begin);
    buffer_add_varint(index, block->raw);
    buffer_add_varint(index, block->packed);
    buffer_add_varint(index, block->changes);
    buffer_add_varint(index, block->issues);
}

/* Closes and writes the chunk of one SM. The next chunk begins at `end`. */
static enum simsm_status write_chunk(struct timeline *timeline, struct recorder *recorder,
                                     uint64_t end, struct simsm_error *error)
{
    SIMSM_CHECK(end > recorder->begin, "SM %u: a chunk of cycles %llu to %llu", recorder->sm,
                (unsigned long long)recorder->begin, (unsigned long long)end);
    if (!recorder_close(recorder, end))
        return contradiction(recorder, error);
    timeline->payload.size = 0;
    recorder_payload(recorder, &timeline->payload);
    struct smtl_block block = {.kind = SMTL_CHUNK,
                               .sm = recorder->sm,
                               .changes = recorder->changes,
                               .issues = recorder->issues,
                               .begin = recorder->begin,
                               .end = end};
    enum simsm_status status = write_block(timeline, &block, error);
    if (status != SIMSM_OK)
        return status;
    index_block(&timeline->index, &block);
    timeline->chunks++;
    recorder_begin(recorder, end);
    return SIMSM_OK;
}

/*
 * Called before an event at a new cycle. Ends the chunk if it is full, and begins or ends the
 * recorded range.
 */
static enum simsm_status advance(struct timeline *timeline, struct sm_record *record,
                                 uint64_t cycle, struct simsm_error *error)
{
    struct recorder *recorder = &record->recorder;
    if (record->phase == BEFORE &&
        (cycle >= timeline->from || recorder_must_close(recorder, cycle))) {
        bool begins = cycle >= timeline->from;
        uint64_t begin = begins ? timeline->from : cycle;
        if (!recorder_close(recorder, begin))
            return contradiction(recorder, error);
        recorder_begin(recorder, begin);
        if (begins) {
            recorder_count_from(recorder, begin);
            record->phase = RECORDING;
        }
    }
    if (record->phase == RECORDING && cycle >= timeline->to) {
        record->phase = AFTER;
        recorder_count_until(recorder, timeline->to);
        return write_chunk(timeline, recorder, timeline->to, error);
    }
    if (record->phase == RECORDING && recorder_must_close(recorder, cycle))
        return write_chunk(timeline, recorder, cycle, error);
    return SIMSM_OK;
}

/* Returns the next cycle at which `advance` has something to do. */
static uint64_t next_turn(const struct timeline *timeline, const struct sm_record *record)
{
    uint64_t range = record->phase == BEFORE ? timeline->from : timeline->to;
    uint64_t chunk = record->recorder.begin + SMTL_CHUNK_CYCLES;
    return range < chunk ? range : chunk;
}

static void take_blocks(struct timeline *timeline, uint32_t sm, const struct simsm_event *events,
                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        overview_event(&timeline->overview, sm, &events[i]);
}

static int take_events(void *context, uint32_t sm, const struct simsm_event *events, size_t count)
{
    struct timeline *timeline = context;
    SIMSM_CHECK(sm < timeline->config.gpu_sms, "SM %u of %u", sm, timeline->config.gpu_sms);
    if (timeline->record_of[sm] == UINT32_MAX) {
        take_blocks(timeline, sm, events, count);
        return 0;
    }
    struct sm_record *record = &timeline->records[timeline->record_of[sm]];
    struct recorder *recorder = &record->recorder;
    const struct simsm_event *event = events, *end = events + count;
    while (event < end) {
        if (event->cycle > recorder->now &&
            advance(timeline, record, event->cycle, &timeline->refusal) != SIMSM_OK)
            return 1;
        if (record->phase == AFTER) {
            take_blocks(timeline, sm, event, (size_t)(end - event));
            return 0;
        }
        event = recorder_push(recorder, event, end, next_turn(timeline, record));
        if (!event) {
            (void)contradiction(recorder, &timeline->refusal);
            return 1;
        }
    }
    return 0;
}

static int batch(void *context, uint32_t sm, const struct simsm_event *events, size_t count)
{
    struct timeline *timeline = context;
    if (sm >= timeline->config.gpu_sms)
        return 0;
    if (!timeline->feed) {
        err_set(&timeline->refusal, SIMSM_FAILED, "a timeline was run before it was described");
        return 1;
    }
    return feed_push(timeline->feed, sm, events, count);
}

static int sample(void *context, uint64_t cycle, const uint64_t *counters)
{
    struct timeline *timeline = context;
    overview_sample(&timeline->overview, cycle, counters);
    return 0;
}

static void destroy(struct timeline *timeline)
{
    feed_stop(timeline->feed);
    outfile_abandon(&timeline->out);
    for (uint32_t i = 0; timeline->records && i < timeline->sm_count; i++)
        recorder_free(&timeline->records[i].recorder);
    free(timeline->records);
    free(timeline->record_of);
    free(timeline->wants);
    overview_free(&timeline->overview);
    free(timeline->sm);
    ZSTD_freeCCtx(timeline->zstd);
    buffer_free(&timeline->payload);
    buffer_free(&timeline->packed);
    buffer_free(&timeline->index);
    free(timeline);
}

static bool setup_records(struct timeline *timeline, const struct timeline_options *options)
{
    uint32_t sms = timeline->config.gpu_sms, slots = timeline->config.sm_warp_slots;
    uint32_t count = options && options->sm ? options->sm_count : sms;
    timeline->sm = calloc(count ? count : 1, sizeof *timeline->sm);
    timeline->records = calloc(count ? count : 1, sizeof *timeline->records);
    timeline->record_of = malloc(sms * sizeof *timeline->record_of);
    timeline->wants = calloc(sms, sizeof *timeline->wants);
    if (!timeline->sm || !timeline->records || !timeline->record_of || !timeline->wants ||
        !overview_init(&timeline->overview, sms))
        return false;
    for (uint32_t i = 0; i < sms; i++)
        timeline->wants[i] = 1u << SIMSM_EVENT_BLOCK_START | 1u << SIMSM_EVENT_BLOCK_END;
    timeline->sm_count = count;
    memset(timeline->record_of, 0xff, sms * sizeof *timeline->record_of);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t sm = options && options->sm ? options->sm[i] : i;
        timeline->sm[i] = sm;
        timeline->record_of[sm] = i;
        timeline->wants[sm] = (1u << SIMSM_EVENT_COUNT) - 1;
        timeline->records[i].phase = timeline->from ? BEFORE : RECORDING;
        if (!recorder_init(&timeline->records[i].recorder, sm, slots,
                           timeline->config.sm_sub_partitions, room_of(count, slots)))
            return false;
        timeline->records[i].recorder.overview = &timeline->overview;
        recorder_begin(&timeline->records[i].recorder, 0);
    }
    return true;
}

enum simsm_status timeline_check(const struct simsm_config *config,
                                 const struct timeline_options *options, struct simsm_error *error)
{
    for (uint32_t i = 0; options->sm && i < options->sm_count; i++) {
        if (options->sm[i] >= config->gpu_sms || (i && options->sm[i] <= options->sm[i - 1]))
            return err_set(error, SIMSM_BAD_INPUT,
                           "timeline: SM %u cannot be recorded; give SMs below %u, ascending",
                           options->sm[i], config->gpu_sms);
    }
    if (options->sm && !options->sm_count)
        return err_set(error, SIMSM_BAD_INPUT,
                       "timeline: the list of SMs to record is empty; name at least one SM");
    if (options->to && options->to <= options->from)
        return err_set(
            error, SIMSM_BAD_INPUT,
            "timeline: the range of cycles %llu:%llu is empty; its end must be above its start",
            (unsigned long long)options->from, (unsigned long long)options->to);
    return SIMSM_OK;
}

enum simsm_status timeline_create(struct timeline **result, const char *path,
                                  const struct simsm_config *config,
                                  const struct timeline_options *options, struct simsm_error *error)
{
    enum simsm_status status = options ? timeline_check(config, options, error) : SIMSM_OK;
    if (status != SIMSM_OK)
        return status;
    struct timeline *timeline = calloc(1, sizeof *timeline);
    if (!timeline)
        return err_no_memory(error);
    timeline->config = *config;
    timeline->from = options ? options->from : 0;
    timeline->to = options && options->to ? options->to : UINT64_MAX;
    timeline->zstd = ZSTD_createCCtx();
    if (!timeline->zstd || !setup_records(timeline, options)) {
        destroy(timeline);
        return err_no_memory(error);
    }
    timeline->observer = (struct simsm_observer){.wants = (1u << SIMSM_EVENT_COUNT) - 1,
                                                 .batch = batch,
                                                 .context = timeline,
                                                 .sample = sample,
                                                 .sample_cycles = OVERVIEW_CYCLES,
                                                 .sm_wants = timeline->wants,
                                                 .terse = true};
    (void)ZSTD_CCtx_setParameter(timeline->zstd, ZSTD_c_compressionLevel, 1);
    (void)ZSTD_CCtx_setParameter(timeline->zstd, ZSTD_c_checksumFlag, 1);
    status = outfile_open(&timeline->out, path, error);
    if (status != SIMSM_OK) {
        destroy(timeline);
        return status;
    }
    *result = timeline;
    return SIMSM_OK;
}

const struct simsm_observer *timeline_observer(struct timeline *timeline)
{
    return &timeline->observer;
}

/* Returns the version of the file: kernels without work beside the warps need the older one only,
 * which more readers know. */
static uint32_t version_of(const struct front *front)
{
    for (uint32_t i = 0; i < front->code_size; i++)
        if (op_is_copy(front->code[i].op) || front->code[i].op == SIMSM_OP_GMMA ||
            (cluster_size(&front->launch) > 1 && op_is_mbarrier(front->code[i].op)))
            return SMTL_VERSION_WORK;
    return SMTL_VERSION;
}

enum simsm_status timeline_describe(struct timeline *timeline, const struct timeline_about *about,
                                    struct simsm_error *error)
{
    struct recorded_range recording = {.from = timeline->from,
                                       .to = timeline->to,
                                       .sm = timeline->sm,
                                       .sm_count = timeline->sm_count,
                                       .slots = timeline->config.sm_warp_slots};
    uint8_t start[SMTL_FILE_BYTES] = SMTL_MAGIC;
    bytes_put_u32(start + SMTL_MAGIC_BYTES, version_of(about->front));
    bytes_put_u32(start + SMTL_MAGIC_BYTES + 4, 0);
    timeline->payload.size = 0;
    enum simsm_status status =
        run_description_write(&timeline->payload, &timeline->config, about, &recording, error);
    if (status == SIMSM_OK)
        status = write_bytes(timeline, start, sizeof start, error);
    if (status == SIMSM_OK)
        status = write_block(timeline, &(struct smtl_block){.kind = SMTL_META}, error);
    if (status != SIMSM_OK)
        return status;
    timeline->feed = feed_start(take_events, timeline);
    return timeline->feed ? SIMSM_OK : err_no_memory(error);
}

bool timeline_refused(const struct timeline *timeline, struct simsm_error *error)
{
    if (timeline->feed && !feed_refused(timeline->feed))
        return false;
    if (timeline->refusal.status == SIMSM_OK)
        return false;
    *error = timeline->refusal;
    return true;
}

static enum simsm_status write_overview(struct timeline *timeline, const struct simsm_stats *stats,
                                        struct simsm_error *error)
{
    overview_sample(&timeline->overview, stats->cycles, stats->counter);
    timeline->payload.size = 0;
    overview_payload(&timeline->overview, &timeline->payload);
    return write_block(timeline, &(struct smtl_block){.kind = SMTL_OVERVIEW}, error);
}

/* Writes the last block: totals of the run and of each recorded SM, and the index of chunks. */
static enum simsm_status write_end(struct timeline *timeline, const struct simsm_stats *stats,
                                   struct simsm_error *error)
{
    struct byte_buffer *payload = &timeline->payload;
    uint64_t offset = timeline->offset;
    payload->size = 0;
    buffer_add_varint(payload, stats->complete);
    buffer_add_varint(payload, stats->cycles);
    buffer_add_varint(payload, SIMSM_COUNTER_COUNT);
    for (int i = 0; i < SIMSM_COUNTER_COUNT; i++) {
        buffer_add_text(payload, simsm_counters[i].name);
        buffer_add_varint(payload, stats->counter[i]);
    }
    for (uint32_t i = 0; i < timeline->sm_count; i++) {
        const struct recorder_totals *totals = &timeline->records[i].recorder.totals;
        buffer_add_varint(payload, totals->issues);
        buffer_add_varint(payload, totals->changes);
        for (int s = 0; s < SIMSM_STATE_COUNT; s++)
            buffer_add_varint(payload, totals->states[s]);
    }
    buffer_add_varint(payload, timeline->chunks);
    buffer_add(payload, timeline->index.data, timeline->index.size);
    payload->failed |= timeline->index.failed;
    figures_add(payload, stats);
    enum simsm_status status = write_block(timeline, &(struct smtl_block){.kind = SMTL_END}, error);
    if (status != SIMSM_OK)
        return status;
    uint8_t trailer[SMTL_TRAILER_BYTES];
    bytes_put_u64(trailer, offset);
    memcpy(trailer + 8, SMTL_END_MAGIC, SMTL_MAGIC_BYTES);
    return write_bytes(timeline, trailer, sizeof trailer, error);
}

/* Writes the last chunk of an SM. The run may have ended before the recorded range begins. */
static enum simsm_status write_rest(struct timeline *timeline, struct sm_record *record,
                                    uint64_t cycles, struct simsm_error *error)
{
    struct recorder *recorder = &record->recorder;
    enum simsm_status status = SIMSM_OK;
    if (record->phase == BEFORE && cycles > timeline->from)
        status = advance(timeline, record, timeline->from, error);
    if (status != SIMSM_OK || record->phase != RECORDING)
        return status;
    uint64_t end = recorder_end(recorder, cycles);
    end = end < timeline->to ? end : timeline->to;
    recorder_count_until(recorder, end);
    return write_chunk(timeline, recorder, end, error);
}

enum simsm_status timeline_finish(struct timeline *timeline, const struct simsm_stats *stats,
                                  struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    bool described = timeline->feed != NULL;
    feed_stop(timeline->feed);
    timeline->feed = NULL;
    if (timeline_refused(timeline, error))
        status = error->status;
    else if (!described)
        status = err_set(error, SIMSM_FAILED, "a timeline was finished before it was described");
    for (uint32_t i = 0; i < timeline->sm_count && status == SIMSM_OK; i++)
        status = write_rest(timeline, &timeline->records[i], stats->cycles, error);
    if (status == SIMSM_OK)
        status = write_overview(timeline, stats, error);
    if (status == SIMSM_OK)
        status = write_end(timeline, stats, error);
    if (status == SIMSM_OK)
        status = outfile_commit(&timeline->out, error);
    destroy(timeline);
    return status;
}

void timeline_abandon(struct timeline *timeline)
{
    if (timeline)
        destroy(timeline);
}
