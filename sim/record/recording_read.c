/* Opens a recording, reads its index, and reads and decompresses its parts. */
#include "record/recording_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <zstd.h>

#include "base/check.h"
#include "base/err.h"
#include "front/packing.h"

enum { FIRST_ROOM = 8 };

bool record_file_probe(const uint8_t *bytes, size_t size)
{
    return size >= SMTR_MAGIC_BYTES && memcmp(bytes, SMTR_MAGIC, SMTR_MAGIC_BYTES) == 0;
}

static enum simsm_status damaged(const struct record_file *file, uint64_t offset, const char *wrong,
                                 struct simsm_error *error)
{
    return err_at(error, SIMSM_BAD_INPUT, file->path, 0, 0,
                  "the recording is damaged at byte %llu: %s; record it again",
                  (unsigned long long)offset, wrong);
}

static enum simsm_status read_at(struct record_file *file, uint64_t offset, void *bytes,
                                 size_t size, struct simsm_error *error)
{
    errno = 0;
    if (size > file->size || offset > file->size - size)
        return damaged(file, offset, "the file ends before this part", error);
    if (fseeko(file->file, (off_t)offset, SEEK_SET) == 0 &&
        fread(bytes, 1, size, file->file) == size)
        return SIMSM_OK;
    return err_at(error, SIMSM_BAD_INPUT, file->path, 0, 0, "cannot read this recording: %s",
                  errno ? strerror(errno) : "the file has become shorter");
}

static enum simsm_status unpack(struct record_file *file, uint64_t offset,
                                const struct smtr_block *block, struct byte_buffer *payload,
                                struct simsm_error *error)
{
    const uint8_t *packed = file->packed.data;
    if (ZSTD_getFrameContentSize(packed, block->packed) != block->raw)
        return damaged(file, offset, "a part does not have the size that its head says", error);
    payload->size = 0;
    uint8_t *room = buffer_reserve(payload, block->raw ? block->raw : 1);
    if (!room)
        return err_no_memory(error);
    size_t size = ZSTD_decompressDCtx(file->zstd, room, block->raw, packed, block->packed);
    if (ZSTD_isError(size))
        return damaged(file, offset, ZSTD_getErrorName(size), error);
    payload->size = size;
    return SIMSM_OK;
}

/*
 * Reads and decompresses the part at `offset`. Its head must match `expected`; an expected->packed
 * of 0 matches any size.
 */
static enum simsm_status read_block(struct record_file *file, uint64_t offset,
                                    const struct smtr_block *expected, struct byte_buffer *payload,
                                    struct simsm_error *error)
{
    uint8_t head[SMTR_BLOCK_BYTES];
    struct smtr_block block;
    uint32_t most = expected->kind == SMTR_CHUNK ? SMTR_MAX_CHUNK : SMTR_MAX_OTHER;
    enum simsm_status status = read_at(file, offset, head, sizeof head, error);
    if (status != SIMSM_OK)
        return status;
    if (!smtr_block_get(head, &block))
        return damaged(file, offset, "the head of a part is invalid", error);
    if (block.kind != expected->kind || block.launch != expected->launch || block.raw > most ||
        (expected->packed && block.packed != expected->packed) || block.blocks != expected->blocks)
        return damaged(file, offset, "this is not the expected part", error);
    if (block.packed > file->size - offset)
        return damaged(file, offset, "a part goes beyond the end of the file", error);
    file->packed.size = 0;
    uint8_t *room = buffer_reserve(&file->packed, block.packed ? block.packed : 1);
    if (!room)
        return err_no_memory(error);
    status = read_at(file, offset + sizeof head, room, block.packed, error);
    return status == SIMSM_OK ? unpack(file, offset, &block, payload, error) : status;
}

/*
 * Makes room for one more entry of `size` bytes in an array of `count` entries. Returns NULL if
 * memory runs out. Arrays grow as the index is read, so that a damaged count cannot cause a large
 * allocation.
 */
static void *grow(void *array, uint32_t count, size_t size)
{
    if (count < FIRST_ROOM ? count : count & (count - 1))
        return array;
    return realloc(array, (count < FIRST_ROOM ? FIRST_ROOM : 2 * (size_t)count) * size);
}

static const char *take_run(struct record_launch *launch, struct smtr_cursor *cursor,
                            uint64_t *next)
{
    struct record_run *grown = grow(launch->run, launch->runs, sizeof *grown);
    if (!grown)
        return "out of memory for the index";
    launch->run = grown;
    uint64_t first = *next + (uint64_t)bytes_unzigzag(smtr_take_number(cursor, UINT64_MAX));
    uint64_t count = smtr_take_number(cursor, UINT32_MAX);
    struct record_chunk *chunk = &launch->chunk[launch->chunks - 1];
    if (cursor->failed || !count || first > INT64_MAX || chunk->blocks + count > UINT32_MAX)
        return "the index is damaged";
    launch->run[launch->runs++] = (struct record_run){
        .first = first, .count = count, .chunk = launch->chunks - 1, .place = chunk->blocks};
    chunk->blocks += (uint32_t)count;
    *next = first + count;
    return NULL;
}

static const char *take_chunk(struct record_launch *launch, struct smtr_cursor *cursor,
                              uint64_t *offset, uint64_t *next)
{
    struct record_chunk *grown = grow(launch->chunk, launch->chunks, sizeof *grown);
    if (!grown)
        return "out of memory for the index";
    launch->chunk = grown;
    uint32_t packed = (uint32_t)smtr_take_number(cursor, UINT32_MAX);
    launch->chunk[launch->chunks++] = (struct record_chunk){.offset = *offset, .packed = packed};
    *offset += SMTR_BLOCK_BYTES + (uint64_t)packed;
    uint64_t runs = smtr_take_number(cursor, UINT32_MAX);
    const char *wrong = cursor->failed || !runs ? "the index is damaged" : NULL;
    for (uint64_t i = 0; i < runs && !wrong; i++)
        wrong = take_run(launch, cursor, next);
    return wrong;
}

static const char *take_launch(struct record_file *file, struct smtr_cursor *cursor,
                               uint64_t *offset)
{
    struct record_launch *grown = grow(file->launch, file->launches, sizeof *grown);
    if (!grown)
        return "out of memory for the index";
    file->launch = grown;
    struct record_launch *launch = &file->launch[file->launches++];
    uint64_t next = 0;
    *launch = (struct record_launch){.offset = *offset};
    launch->packed = (uint32_t)smtr_take_number(cursor, UINT32_MAX);
    *offset += SMTR_BLOCK_BYTES + (uint64_t)launch->packed;
    uint64_t chunks = smtr_take_number(cursor, UINT32_MAX);
    const char *wrong = cursor->failed ? "the index is damaged" : NULL;
    for (uint64_t i = 0; i < chunks && !wrong; i++)
        wrong = take_chunk(launch, cursor, offset, &next);
    return wrong;
}

static enum simsm_status read_index(struct record_file *file, struct simsm_error *error)
{
    uint8_t trailer[SMTR_TRAILER_BYTES];
    uint64_t at = SMTR_FILE_BYTES;
    struct byte_buffer payload = {0};
    enum simsm_status status =
        read_at(file, file->size - sizeof trailer, trailer, sizeof trailer, error);
    if (status != SIMSM_OK)
        return status;
    if (memcmp(trailer + 8, SMTR_END_MAGIC, SMTR_MAGIC_BYTES) != 0)
        return err_at(error, SIMSM_BAD_INPUT, file->path, 0, 0,
                      "the recording is cut off: it ends after %llu bytes without the index that a "
                      "whole one has at its end; record it again",
                      (unsigned long long)file->size);
    uint64_t offset = bytes_get_u64(trailer);
    status = read_block(file, offset, &(struct smtr_block){.kind = SMTR_INDEX}, &payload, error);
    if (status == SIMSM_OK) {
        struct smtr_cursor cursor = {.at = payload.data, .end = payload.data + payload.size};
        const char *wrong = NULL;
        uint64_t launches = smtr_take_number(&cursor, SMTR_MAX_LAUNCHES);
        for (uint64_t i = 0; i < launches && !wrong; i++)
            wrong = take_launch(file, &cursor, &at);
        if (!wrong && (cursor.failed || !launches || cursor.at != cursor.end || at != offset))
            wrong = "the index is damaged";
        if (wrong)
            status = damaged(file, offset, wrong, error);
    }
    buffer_free(&payload);
    return status;
}

static enum simsm_status read_start(struct record_file *file, struct simsm_error *error)
{
    uint8_t start[SMTR_FILE_BYTES];
    off_t size = fseeko(file->file, 0, SEEK_END) == 0 ? ftello(file->file) : -1;
    if (size < 0)
        return err_at(error, SIMSM_BAD_INPUT, file->path, 0, 0,
                      "reading a recording needs a file that can seek: %s; copy it to a disk",
                      strerror(errno));
    file->size = (uint64_t)size;
    if (file->size < SMTR_FILE_BYTES + SMTR_TRAILER_BYTES)
        return err_at(error, SIMSM_BAD_INPUT, file->path, 0, 0,
                      "the recording is cut off: it has only %llu bytes",
                      (unsigned long long)file->size);
    enum simsm_status status = read_at(file, 0, start, sizeof start, error);
    if (status != SIMSM_OK)
        return status;
    if (!record_file_probe(start, sizeof start))
        return err_at(error, SIMSM_BAD_INPUT, file->path, 0, 0, "is not a recording");
    uint32_t version = bytes_get_u32(start + SMTR_MAGIC_BYTES);
    if (version == 1 || version == 3 || version == SMTR_VERSION)
        return SIMSM_OK;
    return err_at(
        error, SIMSM_BAD_INPUT, file->path, 0, 0,
        "is a recording of version %u of the format; this program reads versions 1, 3 and %d: "
        "record it again",
        version, SMTR_VERSION);
}

enum simsm_status record_file_open(struct record_file **result, FILE *input, const char *path,
                                   struct simsm_error *error)
{
    struct record_file *file = calloc(1, sizeof *file);
    if (!file) {
        (void)fclose(input);
        return err_no_memory(error);
    }
    file->file = input;
    (void)snprintf(file->path, sizeof file->path, "%s", path);
    file->zstd = ZSTD_createDCtx();
    enum simsm_status status = file->zstd ? read_start(file, error) : err_no_memory(error);
    if (status == SIMSM_OK)
        status = read_index(file, error);
    if (status == SIMSM_OK)
        *result = file;
    else
        record_file_close(file);
    return status;
}

void record_file_close(struct record_file *file)
{
    if (!file)
        return;
    for (uint32_t i = 0; i < file->launches; i++) {
        free(file->launch[i].chunk);
        free(file->launch[i].run);
    }
    free(file->launch);
    buffer_free(&file->packed);
    (void)ZSTD_freeDCtx(file->zstd);
    (void)fclose(file->file);
    free(file);
}

enum simsm_status record_file_launch(struct record_file *file, uint32_t number,
                                     struct launch_read *launch, struct simsm_error *error)
{
    SIMSM_CHECK(number < file->launches, "launch %u of %u", number, file->launches);
    const struct record_launch *from = &file->launch[number];
    const struct smtr_block expected = {
        .kind = SMTR_LAUNCH, .launch = number, .packed = from->packed};
    struct byte_buffer payload = {0};
    enum simsm_status status = read_block(file, from->offset, &expected, &payload, error);
    if (status == SIMSM_OK) {
        const char *wrong = launch_take(
            launch, (struct smtr_cursor){.at = payload.data, .end = payload.data + payload.size});
        if (wrong)
            status = damaged(file, from->offset, wrong, error);
    }
    buffer_free(&payload);
    return status;
}

enum simsm_status record_file_chunk(struct record_file *file, uint32_t number, uint32_t chunk,
                                    struct byte_buffer *payload, struct simsm_error *error)
{
    SIMSM_CHECK(number < file->launches && chunk < file->launch[number].chunks,
                "launch %u of %u, chunk %u", number, file->launches, chunk);
    const struct record_chunk *from = &file->launch[number].chunk[chunk];
    const struct smtr_block expected = {
        .kind = SMTR_CHUNK, .launch = number, .packed = from->packed, .blocks = from->blocks};
    return read_block(file, from->offset, &expected, payload, error);
}
