/* The timeline reader: opens files, finds their blocks, and unpacks payloads. */
#include "timeline/timeline_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/err.h"
#include "base/infile.h"
#include "timeline/chunk_payload.h"
#include "timeline/timeline_figures.h"
#include "timeline/timeline_info.h"

/* A timeline that comes through a pipe is kept in memory, up to this size. */
static const size_t pipe_limit = (size_t)1 << 30;

/*
 * Files with later cycles are refused, so that sums of cycles cannot overflow. No run gets so far.
 */
static const uint64_t last_cycle = (uint64_t)1 << 48;

struct timeline_reader {
    struct info info;
    char name[256];
    int file; /* -1: the file is in memory */
    const uint8_t *memory;
    char *owned;
    uint64_t size;
    struct timeline_chunk *chunks; /* by SM, then by time */
    uint32_t chunk_count, chunk_room;
    uint32_t *chunk_of; /* [recorded SMs + 1] index of the SM's first chunk */
    uint64_t *sm_end;   /* [recorded SMs] end of the last chunk found; 0: none */
    uint8_t *packed, *raw;
    size_t packed_room, raw_room;
    struct overview_data overview;
    uint8_t *overview_raw; /* memory that `overview` points into */
    bool known;            /* the file has an overview */
    char damage[160];
};

static bool fetch(struct timeline_reader *reader, uint64_t offset, void *bytes, size_t size)
{
    if (offset > reader->size || size > reader->size - offset)
        return false;
    if (reader->file < 0) {
        memcpy(bytes, reader->memory + offset, size);
        return true;
    }
    for (size_t done = 0; done < size;) {
        ssize_t got =
            pread(reader->file, (char *)bytes + done, size - done, (off_t)(offset + done));
        if (got <= 0) {
            if (got < 0 && errno == EINTR)
                continue;
            return false;
        }
        done += (size_t)got;
    }
    return true;
}

/*
 * Reads the head of the block at `offset`. Returns false if the head or its payload do not lie
 * before `end`.
 */
static bool fetch_head(struct timeline_reader *reader, uint64_t offset, uint64_t end,
                       struct smtl_block *block)
{
    uint8_t bytes[SMTL_BLOCK_BYTES];
    if (offset > end || end - offset < sizeof bytes || !fetch(reader, offset, bytes, sizeof bytes))
        return false;
    return smtl_block_get(bytes, block) && block->packed <= end - offset - sizeof bytes;
}

static bool reserve(uint8_t **buffer, size_t *room, size_t size)
{
    if (size <= *room)
        return true;
    uint8_t *grown = realloc(*buffer, size);
    if (!grown)
        return false;
    *buffer = grown;
    *room = size;
    return true;
}

/*
 * Unpacks a payload into reader->raw; zstd verifies the checksum. Returns NULL, or a predicate that
 * says what is wrong.
 */
static const char *unpack(struct timeline_reader *reader, uint64_t offset, uint32_t packed,
                          uint32_t raw)
{
    if (packed > ZSTD_compressBound(raw))
        return "has impossible sizes";
    if (!reserve(&reader->packed, &reader->packed_room, packed + 1u))
        return "needs more memory than there is";
    if (!fetch(reader, offset + SMTL_BLOCK_BYTES, reader->packed, packed))
        return "cannot be read";
    if (ZSTD_getFrameContentSize(reader->packed, packed) != raw)
        return "is damaged";
    if (!reserve(&reader->raw, &reader->raw_room, raw + 1u))
        return "needs more memory than there is";
    size_t size = ZSTD_decompress(reader->raw, raw, reader->packed, packed);
    return ZSTD_isError(size) || size != raw ? "is damaged" : NULL;
}

/* Moves ownership of the unpacked payload from the reader to *owner. */
static struct smtl_cursor keep_raw(struct timeline_reader *reader, uint8_t **owner, uint32_t raw)
{
    *owner = reader->raw;
    struct smtl_cursor cursor = {.at = reader->raw, .end = reader->raw + raw};
    reader->raw = NULL;
    reader->raw_room = 0;
    return cursor;
}

/*
 * Adds a chunk to the list. Returns false if it cannot be a chunk: its sizes are out of bounds, or
 * it does not begin where the SM's last chunk ends.
 */
static bool add_chunk(struct timeline_reader *reader, const struct timeline_chunk *chunk)
{
    const struct timeline_info *view = &reader->info.view;
    uint32_t place = info_sm_place(&reader->info, chunk->sm);
    uint32_t most = 2 * SMTL_CHUNK_CYCLES * view->sub_partitions;
    if (place == view->sm_count || chunk->end <= chunk->begin || chunk->end > last_cycle ||
        chunk->raw > SMTL_MAX_CHUNK || chunk->changes > SMTL_GROUP_SLOTS * (uint64_t)chunk->raw ||
        chunk->issues > most || (reader->sm_end[place] && reader->sm_end[place] != chunk->begin))
        return false;
    if (reader->chunk_count == reader->chunk_room) {
        uint32_t room = reader->chunk_room ? reader->chunk_room * 2 : 256;
        struct timeline_chunk *grown = realloc(reader->chunks, room * sizeof *grown);
        if (!grown)
            return false;
        reader->chunks = grown;
        reader->chunk_room = room;
    }
    reader->chunks[reader->chunk_count++] = *chunk;
    reader->sm_end[place] = chunk->end;
    return true;
}

static const char *read_end(struct timeline_reader *reader, uint64_t offset,
                            const struct smtl_block *block, struct smtl_cursor *cursor)
{
    if (block->raw > SMTL_MAX_META)
        return "has impossible sizes";
    const char *wrong = unpack(reader, offset, block->packed, block->raw);
    if (wrong)
        return wrong;
    *cursor = keep_raw(reader, &reader->info.end, block->raw);
    wrong = info_read_end(&reader->info, cursor);
    if (wrong) {
        free(reader->info.end);
        reader->info.end = NULL;
    }
    return wrong;
}

static void clear_chunks(struct timeline_reader *reader)
{
    reader->chunk_count = 0;
    memset(reader->sm_end, 0, reader->info.view.sm_count * sizeof *reader->sm_end);
}

/*
 * Reads the overview block at `offset`. Returns the offset behind it, or 0 if there is no whole
 * overview.
 */
static uint64_t read_overview(struct timeline_reader *reader, uint64_t offset, uint64_t end)
{
    struct smtl_block block;
    if (!fetch_head(reader, offset, end, &block) || block.kind != SMTL_OVERVIEW || reader->known ||
        block.raw > SMTL_MAX_META || unpack(reader, offset, block.packed, block.raw))
        return 0;
    struct smtl_cursor cursor = keep_raw(reader, &reader->overview_raw, block.raw);
    reader->known = !overview_read(&reader->overview, cursor, reader->info.view.sms);
    if (!reader->known) {
        free(reader->overview_raw);
        reader->overview_raw = NULL;
        return 0;
    }
    return offset + SMTL_BLOCK_BYTES + (uint64_t)block.packed;
}

/* Reads the index of chunks. Chunks lie one after another from `offset` to `end`. */
static bool read_index(struct timeline_reader *reader, struct smtl_cursor *cursor, uint64_t offset,
                       uint64_t end)
{
    uint64_t count = smtl_take_varint(cursor);
    for (uint64_t i = 0; i < count && !cursor->failed; i++) {
        struct timeline_chunk chunk = {.offset = offset};
        chunk.sm = smtl_take_number(cursor, UINT32_MAX);
        chunk.begin = smtl_take_varint(cursor);
        uint64_t cycles = smtl_take_varint(cursor);
        chunk.end = cycles > UINT64_MAX - chunk.begin ? chunk.begin : chunk.begin + cycles;
        chunk.raw = smtl_take_number(cursor, UINT32_MAX);
        chunk.packed = smtl_take_number(cursor, UINT32_MAX);
        chunk.changes = smtl_take_number(cursor, UINT32_MAX);
        chunk.issues = smtl_take_number(cursor, UINT32_MAX);
        offset += SMTL_BLOCK_BYTES + (uint64_t)chunk.packed;
        if (cursor->failed || offset > end || !add_chunk(reader, &chunk))
            return false;
    }
    /* The overview lies between the last chunk and `end`. */
    if (cursor->failed || (cursor->at < cursor->end && !figures_read(&reader->info, cursor)))
        return false;
    return cursor->at == cursor->end && read_overview(reader, offset, end) == end;
}

/* Reads the index, which is in the last block. A whole file ends with the offset of that block. */
static bool read_by_index(struct timeline_reader *reader, uint64_t first)
{
    uint8_t trailer[SMTL_TRAILER_BYTES];
    struct smtl_block block;
    struct smtl_cursor cursor;
    if (reader->size < first + sizeof trailer ||
        !fetch(reader, reader->size - sizeof trailer, trailer, sizeof trailer) ||
        memcmp(trailer + 8, SMTL_END_MAGIC, SMTL_MAGIC_BYTES) != 0)
        return false;
    uint64_t offset = bytes_get_u64(trailer), end = reader->size - sizeof trailer;
    if (offset < first || !fetch_head(reader, offset, end, &block) || block.kind != SMTL_END ||
        offset + SMTL_BLOCK_BYTES + block.packed != end)
        return false;
    return !read_end(reader, offset, &block, &cursor) && read_index(reader, &cursor, first, offset);
}

static void note_damage(struct timeline_reader *reader, uint64_t offset, const char *what)
{
    (void)snprintf(reader->damage, sizeof reader->damage, "%s at byte %llu%s", what,
                   (unsigned long long)offset,
                   reader->chunk_count ? "; the part before it is shown" : "");
    reader->info.view.damage = reader->damage;
}

/*
 * Reads block after block from `offset` on, until the file ends or a block is damaged. For files
 * without a whole index.
 */
static void read_by_walking(struct timeline_reader *reader, uint64_t offset)
{
    struct smtl_block block;
    struct smtl_cursor cursor;
    while (fetch_head(reader, offset, reader->size, &block)) {
        if (block.kind == SMTL_END) {
            bool known = reader->info.view.ended;
            if (!known && read_end(reader, offset, &block, &cursor))
                note_damage(reader, offset, "the file's totals are damaged");
            else
                note_damage(reader, offset + SMTL_BLOCK_BYTES + block.packed,
                            "the file's index is damaged");
            return;
        }
        uint64_t behind = read_overview(reader, offset, reader->size);
        if (behind) {
            offset = behind;
            continue;
        }
        struct timeline_chunk chunk = {.sm = block.sm,
                                       .begin = block.begin,
                                       .end = block.end,
                                       .changes = block.changes,
                                       .issues = block.issues,
                                       .raw = block.raw,
                                       .packed = block.packed,
                                       .offset = offset};
        if (block.kind != SMTL_CHUNK || !add_chunk(reader, &chunk))
            break;
        offset += SMTL_BLOCK_BYTES + (uint64_t)block.packed;
    }
    note_damage(reader, offset, "the file is cut off or damaged");
}

/* Sorts the chunks by SM. Within an SM the order of the file is the order of time. */
static bool sort_chunks(struct timeline_reader *reader)
{
    uint32_t sms = reader->info.view.sm_count, n = 0;
    struct timeline_chunk *sorted = calloc(reader->chunk_count + 1u, sizeof *sorted);
    reader->chunk_of = calloc(sms + 1u, sizeof *reader->chunk_of);
    if (!sorted || !reader->chunk_of) {
        free(sorted);
        return false;
    }
    for (uint32_t i = 0; i < reader->chunk_count; i++)
        reader->chunk_of[info_sm_place(&reader->info, reader->chunks[i].sm)]++;
    for (uint32_t i = 0; i <= sms; i++) {
        uint32_t count = reader->chunk_of[i];
        reader->chunk_of[i] = n;
        n += count;
    }
    for (uint32_t i = 0; i < reader->chunk_count; i++)
        sorted[reader->chunk_of[info_sm_place(&reader->info, reader->chunks[i].sm)]++] =
            reader->chunks[i];
    memmove(reader->chunk_of + 1, reader->chunk_of, sms * sizeof *reader->chunk_of);
    reader->chunk_of[0] = 0;
    free(reader->chunks);
    reader->chunks = sorted;
    return true;
}

static enum simsm_status wrong_file(const struct timeline_reader *reader, const char *what,
                                    struct simsm_error *error)
{
    return err_at(error, SIMSM_BAD_INPUT, reader->name, 0, 0, "%s", what);
}

static enum simsm_status read_start(struct timeline_reader *reader, struct simsm_error *error)
{
    uint8_t start[SMTL_FILE_BYTES];
    if (!fetch(reader, 0, start, sizeof start)) {
        const char *what = reader->size ? "is no timeline (.smtl): it is too short to be one"
                                        : "is empty; a timeline (.smtl) is expected";
        return wrong_file(reader, what, error);
    }
    if (memcmp(start, SMTL_MAGIC, SMTL_MAGIC_BYTES) != 0)
        return wrong_file(reader, "is no timeline: its first bytes are not those of a .smtl file",
                          error);
    uint32_t version = bytes_get_u32(start + SMTL_MAGIC_BYTES);
    if (version != SMTL_VERSION && version != SMTL_VERSION_WORK)
        return err_at(error, SIMSM_BAD_INPUT, reader->name, 0, 0,
                      "is a timeline of format version %u; this simsm reads versions %d and %d: "
                      "read it with the simsm that wrote it, or record it again",
                      version, SMTL_VERSION, SMTL_VERSION_WORK);
    return SIMSM_OK;
}

static enum simsm_status read_all(struct timeline_reader *reader, struct simsm_error *error)
{
    struct smtl_block block;
    enum simsm_status status = read_start(reader, error);
    if (status != SIMSM_OK)
        return status;
    if (!fetch_head(reader, SMTL_FILE_BYTES, reader->size, &block) || block.kind != SMTL_META ||
        block.raw > SMTL_MAX_META)
        return wrong_file(
            reader, "is cut off or damaged in its head, so nothing can be read: record it again",
            error);
    const char *wrong = unpack(reader, SMTL_FILE_BYTES, block.packed, block.raw);
    if (wrong)
        return err_at(error, SIMSM_BAD_INPUT, reader->name, 0, 0, "its head %s", wrong);
    wrong = info_read_meta(&reader->info, keep_raw(reader, &reader->info.meta, block.raw));
    if (wrong)
        return err_at(error, SIMSM_BAD_INPUT, reader->name, 0, 0, "is damaged: %s", wrong);
    uint32_t sms = reader->info.view.sm_count;
    uint64_t first = SMTL_FILE_BYTES + SMTL_BLOCK_BYTES + (uint64_t)block.packed;
    reader->sm_end = calloc(sms, sizeof *reader->sm_end);
    if (!reader->sm_end)
        return err_no_memory(error);
    if (!read_by_index(reader, first)) {
        clear_chunks(reader);
        read_by_walking(reader, first);
    }
    return sort_chunks(reader) ? SIMSM_OK : err_no_memory(error);
}

static enum simsm_status open_with(struct timeline_reader **result, struct timeline_reader *reader,
                                   const char *name, struct simsm_error *error)
{
    (void)snprintf(reader->name, sizeof reader->name, "%s", name);
    reader->info.view.name = reader->name;
    enum simsm_status status = read_all(reader, error);
    if (status != SIMSM_OK) {
        timeline_read_close(reader);
        return status;
    }
    *result = reader;
    return SIMSM_OK;
}

enum simsm_status timeline_read_memory(struct timeline_reader **result, const void *data,
                                       size_t size, const char *name, struct simsm_error *error)
{
    struct timeline_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return err_no_memory(error);
    reader->file = -1;
    reader->memory = data;
    reader->size = size;
    return open_with(result, reader, name, error);
}

enum simsm_status timeline_read_open(struct timeline_reader **result, const char *path,
                                     struct simsm_error *error)
{
    struct stat known;
    struct timeline_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return err_no_memory(error);
    reader->file = -1;
    if (stat(path, &known) == 0 && S_ISREG(known.st_mode)) {
        reader->file = open(path, O_RDONLY | O_CLOEXEC);
        if (reader->file < 0) {
            free(reader);
            return err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "cannot read this timeline: %s",
                          strerror(errno));
        }
        reader->size = (uint64_t)known.st_size;
    } else {
        size_t size = 0;
        enum simsm_status status =
            infile_read(path, "timeline", pipe_limit, &reader->owned, &size, error);
        if (status != SIMSM_OK) {
            free(reader);
            return status;
        }
        reader->memory = (const uint8_t *)reader->owned;
        reader->size = size;
    }
    return open_with(result, reader, path, error);
}

void timeline_read_close(struct timeline_reader *reader)
{
    if (!reader)
        return;
    if (reader->file >= 0)
        (void)close(reader->file);
    info_free(&reader->info);
    free(reader->owned);
    free(reader->chunks);
    free(reader->chunk_of);
    free(reader->sm_end);
    overview_data_free(&reader->overview);
    free(reader->overview_raw);
    free(reader->packed);
    free(reader->raw);
    free(reader);
}

const struct timeline_info *timeline_read_info(const struct timeline_reader *reader)
{
    return &reader->info.view;
}

const struct overview_view *timeline_read_overview(const struct timeline_reader *reader)
{
    return reader->known ? &reader->overview.view : NULL;
}

const struct timeline_chunk *timeline_read_chunks(const struct timeline_reader *reader, uint32_t sm,
                                                  uint32_t *count)
{
    uint32_t place = info_sm_place(&reader->info, sm);
    *count = 0;
    if (place == reader->info.view.sm_count)
        return NULL;
    *count = reader->chunk_of[place + 1] - reader->chunk_of[place];
    return reader->chunks + reader->chunk_of[place];
}

const char *payload_take(struct timeline_reader *reader, const struct timeline_chunk *chunk,
                         struct payload *payload)
{
    struct smtl_block block;
    *payload = (struct payload){.info = &reader->info};
    if (!fetch_head(reader, chunk->offset, reader->size, &block) || block.kind != SMTL_CHUNK ||
        block.sm != chunk->sm || block.begin != chunk->begin || block.end != chunk->end ||
        block.raw != chunk->raw || block.packed != chunk->packed ||
        block.changes != chunk->changes || block.issues != chunk->issues)
        return "is damaged";
    const char *wrong = unpack(reader, chunk->offset, chunk->packed, chunk->raw);
    if (wrong)
        return wrong;
    payload->room = reader->raw_room;
    payload->bytes = keep_raw(reader, &payload->owner, chunk->raw);
    return NULL;
}

void payload_return(struct timeline_reader *reader, struct payload *payload)
{
    if (reader->raw) { /* the reader has got another buffer meanwhile */
        free(payload->owner);
        return;
    }
    reader->raw = payload->owner;
    reader->raw_room = payload->room;
}
