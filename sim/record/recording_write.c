/* Writes recordings: launches, chunks of blocks, the index. */
#include "record/recording_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#include <zstd.h>

#include "base/err.h"
#include "base/outfile.h"
#include "front/packing.h"
#include "record/recording_format.h"
#include "record/recording_launch.h"

/* Consecutive blocks of the grid, put in this order. */
struct block_run {
    uint64_t first, count;
};

/* The launch that is being written. */
struct open_launch {
    bool begun;
    uint64_t offset;      /* offset of the launch's first part in the file */
    size_t index;         /* bytes of the index before this launch */
    uint64_t blocks, put; /* blocks of the grid; blocks put so far */
    uint32_t warps;
    uint64_t next;             /* block that would continue the latest run of the index */
    struct byte_buffer chunks; /* the index entries of its chunks, without their count */
    uint64_t chunk_count;
    struct block_run *done; /* [done_count] all blocks put so far */
    size_t done_count, done_room;
};

/*
 * The chunk that is being filled. In the file all lengths precede the sequences, so both are
 * collected separately.
 */
struct open_chunk {
    struct byte_buffer lengths, sequences;
    struct block_run *run; /* [runs] */
    size_t runs, run_room;
    uint32_t blocks;
};

struct recording_writer {
    struct outfile out;
    char *command;
    uint64_t offset; /* bytes written */
    struct open_launch launch;
    struct open_chunk chunk;
    struct byte_buffer payload, packed, index;
    uint32_t launches; /* launches begun */
    ZSTD_CCtx *zstd;
};

static void destroy(struct recording_writer *writer)
{
    outfile_abandon(&writer->out);
    buffer_free(&writer->launch.chunks);
    buffer_free(&writer->chunk.lengths);
    buffer_free(&writer->chunk.sequences);
    buffer_free(&writer->payload);
    buffer_free(&writer->packed);
    buffer_free(&writer->index);
    free(writer->launch.done);
    free(writer->chunk.run);
    free(writer->command);
    (void)ZSTD_freeCCtx(writer->zstd);
    free(writer);
}

static enum simsm_status write_bytes(struct recording_writer *writer, const void *bytes,
                                     size_t size, struct simsm_error *error)
{
    errno = 0;
    if (fwrite(bytes, 1, size, writer->out.file) != size)
        return err_at(error, SIMSM_FAILED, writer->out.path, 0, 0, "writing failed: %s",
                      errno ? strerror(errno) : "an earlier write did not succeed");
    writer->offset += size;
    return SIMSM_OK;
}

/* Compresses writer->payload and writes it after its head. Fills in the sizes in *block. */
static enum simsm_status write_block(struct recording_writer *writer, struct smtr_block *block,
                                     struct simsm_error *error)
{
    struct byte_buffer *payload = &writer->payload, *packed = &writer->packed;
    packed->size = 0;
    uint8_t *room = buffer_reserve(packed, ZSTD_compressBound(payload->size));
    if (payload->failed || !room)
        return err_no_memory(error);
    size_t size = ZSTD_compress2(writer->zstd, room, packed->room, payload->data, payload->size);
    if (ZSTD_isError(size))
        return err_set(error, SIMSM_FAILED, "zstd cannot pack a part of the recording: %s",
                       ZSTD_getErrorName(size));
    block->raw = (uint32_t)payload->size;
    block->packed = (uint32_t)size;
    uint8_t head[SMTR_BLOCK_BYTES];
    smtr_block_put(head, block);
    enum simsm_status status = write_bytes(writer, head, sizeof head, error);
    return status != SIMSM_OK ? status : write_bytes(writer, packed->data, size, error);
}

enum simsm_status recording_create(struct recording_writer **result, const char *path,
                                   const char *command, struct simsm_error *error)
{
    if (strcmp(path, "-") == 0)
        return err_set(error, SIMSM_BAD_INPUT,
                       "a recording cannot go to the standard output; name a file");
    struct recording_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return err_no_memory(error);
    writer->zstd = ZSTD_createCCtx();
    writer->command = strdup(command ? command : "");
    enum simsm_status status = writer->zstd && writer->command ? SIMSM_OK : err_no_memory(error);
    if (status == SIMSM_OK)
        status = outfile_open(&writer->out, path, error);
    if (status == SIMSM_OK) {
        uint8_t start[SMTR_FILE_BYTES] = SMTR_MAGIC;
        bytes_put_u32(start + SMTR_MAGIC_BYTES, SMTR_VERSION);
        (void)ZSTD_CCtx_setParameter(writer->zstd, ZSTD_c_compressionLevel, ZSTD_CLEVEL_DEFAULT);
        (void)ZSTD_CCtx_setParameter(writer->zstd, ZSTD_c_checksumFlag, 1);
        status = write_bytes(writer, start, sizeof start, error);
    }
    if (status == SIMSM_OK)
        *result = writer;
    else
        destroy(writer);
    return status;
}

/* Adds `block` to a list of runs. Returns false if memory runs out. */
static bool add_to_runs(struct block_run **runs, size_t *count, size_t *room, uint64_t block)
{
    struct block_run *last = *count ? &(*runs)[*count - 1] : NULL;
    if (last && last->first + last->count == block) {
        last->count++;
        return true;
    }
    if (*count == *room) {
        size_t more = *room ? *room * 2 : 16;
        struct block_run *grown = realloc(*runs, more * sizeof *grown);
        if (!grown)
            return false;
        *runs = grown;
        *room = more;
    }
    (*runs)[(*count)++] = (struct block_run){.first = block, .count = 1};
    return true;
}

/* Appends the index entry of a chunk that has been written. */
static void index_chunk(struct open_launch *launch, const struct open_chunk *chunk, uint32_t packed)
{
    buffer_add_varint(&launch->chunks, packed);
    buffer_add_varint(&launch->chunks, chunk->runs);
    for (size_t i = 0; i < chunk->runs; i++) {
        const struct block_run *run = &chunk->run[i];
        buffer_add_varint(&launch->chunks, bytes_zigzag((int64_t)(run->first - launch->next)));
        buffer_add_varint(&launch->chunks, run->count);
        launch->next = run->first + run->count;
    }
    launch->chunk_count++;
}

static enum simsm_status close_chunk(struct recording_writer *writer, struct simsm_error *error)
{
    struct open_chunk *chunk = &writer->chunk;
    struct byte_buffer *payload = &writer->payload;
    if (!chunk->blocks)
        return SIMSM_OK;
    payload->size = 0;
    buffer_add(payload, chunk->lengths.data, chunk->lengths.size);
    buffer_add(payload, chunk->sequences.data, chunk->sequences.size);
    payload->failed |= chunk->lengths.failed | chunk->sequences.failed;
    struct smtr_block block = {
        .kind = SMTR_CHUNK, .launch = writer->launches - 1, .blocks = chunk->blocks};
    enum simsm_status status = write_block(writer, &block, error);
    if (status != SIMSM_OK)
        return status;
    index_chunk(&writer->launch, chunk, block.packed);
    chunk->lengths.size = chunk->sequences.size = 0;
    chunk->runs = chunk->blocks = 0;
    return SIMSM_OK;
}

static int compare_first(const void *a, const void *b)
{
    const struct block_run *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Checks that each block of the grid has been put exactly once. */
static enum simsm_status check_blocks(const struct recording_writer *writer,
                                      struct simsm_error *error)
{
    const struct open_launch *launch = &writer->launch;
    uint64_t next = 0;
    if (launch->done_count > 1)
        qsort(launch->done, launch->done_count, sizeof *launch->done, compare_first);
    for (size_t i = 0; i < launch->done_count; i++) {
        const struct block_run *run = &launch->done[i];
        if (run->first < next)
            return err_at(error, SIMSM_BAD_INPUT, writer->out.path, 0, 0,
                          "launch %u: block %llu has been recorded twice", writer->launches - 1,
                          (unsigned long long)run->first);
        if (run->first > next)
            break;
        next = run->first + run->count;
    }
    if (next == launch->blocks)
        return SIMSM_OK;
    return err_at(error, SIMSM_BAD_INPUT, writer->out.path, 0, 0,
                  "launch %u: block %llu has not been recorded; there are %llu of the grid's %llu",
                  writer->launches - 1, (unsigned long long)next, (unsigned long long)launch->put,
                  (unsigned long long)launch->blocks);
}

/* Resets the writer for the next launch. */
static void reset_launch(struct recording_writer *writer)
{
    struct open_launch *launch = &writer->launch;
    struct open_chunk *chunk = &writer->chunk;
    launch->chunks.size = 0;
    launch->chunk_count = launch->done_count = 0;
    launch->put = launch->next = 0;
    launch->begun = false;
    chunk->lengths.size = chunk->sequences.size = 0;
    chunk->runs = chunk->blocks = 0;
}

static enum simsm_status end_launch(struct recording_writer *writer, struct simsm_error *error)
{
    struct open_launch *launch = &writer->launch;
    if (!launch->begun)
        return SIMSM_OK;
    enum simsm_status status = close_chunk(writer, error);
    if (status == SIMSM_OK)
        status = check_blocks(writer, error);
    buffer_add_varint(&writer->index, launch->chunk_count);
    buffer_add(&writer->index, launch->chunks.data, launch->chunks.size);
    writer->index.failed |= launch->chunks.failed;
    reset_launch(writer);
    return status;
}

static enum simsm_status flush(struct recording_writer *writer, struct simsm_error *error)
{
    errno = 0;
    if (fflush(writer->out.file) == 0)
        return SIMSM_OK;
    return err_at(error, SIMSM_FAILED, writer->out.path, 0, 0, "writing failed: %s",
                  strerror(errno));
}

enum simsm_status recording_end(struct recording_writer *writer, struct simsm_error *error)
{
    enum simsm_status status = end_launch(writer, error);
    return status == SIMSM_OK ? flush(writer, error) : status;
}

enum simsm_status recording_drop(struct recording_writer *writer, struct simsm_error *error)
{
    FILE *file = writer->out.file;
    if (!writer->launch.begun)
        return SIMSM_OK;
    enum simsm_status status = flush(writer, error);
    if (status != SIMSM_OK)
        return status;
    if (ftruncate(fileno(file), (off_t)writer->launch.offset) != 0 ||
        fseeko(file, (off_t)writer->launch.offset, SEEK_SET) != 0)
        return err_at(error, SIMSM_FAILED, writer->out.path, 0, 0,
                      "a launch that failed cannot be taken out of the file: %s", strerror(errno));
    writer->offset = writer->launch.offset;
    writer->index.size = writer->launch.index;
    writer->launches--;
    reset_launch(writer);
    return SIMSM_OK;
}

static enum simsm_status check_launch(const struct recording_writer *writer,
                                      const struct recording_launch *launch,
                                      struct simsm_error *error)
{
    const char *wrong = launch_shape_wrong(launch->launch);
    if (!wrong)
        wrong = launch_code_wrong(launch->code, launch->code_size);
    if (!wrong && writer->launches == SMTR_MAX_LAUNCHES)
        wrong = "a recording has at most a million launches";
    if (!wrong)
        return SIMSM_OK;
    return err_at(error, SIMSM_BAD_INPUT, launch->source, 0, 0, "kernel %s cannot be recorded: %s",
                  launch->launch->name, wrong);
}

enum simsm_status recording_begin(struct recording_writer *writer,
                                  const struct recording_launch *launch, struct simsm_error *error)
{
    enum simsm_status status = end_launch(writer, error);
    if (status == SIMSM_OK)
        status = check_launch(writer, launch, error);
    if (status != SIMSM_OK)
        return status;
    writer->payload.size = 0;
    launch_write(&writer->payload, launch, writer->command);
    if (writer->payload.size > SMTR_MAX_OTHER)
        return err_at(error, SIMSM_FAILED, launch->source, 0, 0,
                      "cannot be recorded: its listing is larger than %u MiB",
                      SMTR_MAX_OTHER >> 20);
    struct smtr_block block = {.kind = SMTR_LAUNCH, .launch = writer->launches};
    writer->launch.offset = writer->offset;
    writer->launch.index = writer->index.size;
    status = write_block(writer, &block, error);
    if (status != SIMSM_OK)
        return status;
    buffer_add_varint(&writer->index, block.packed);
    writer->launches++;
    writer->launch.begun = true;
    writer->launch.blocks = simsm_grid_blocks(launch->launch);
    writer->launch.warps = simsm_block_warps(launch->launch);
    return SIMSM_OK;
}

static enum simsm_status check_put(const struct recording_writer *writer, uint64_t block,
                                   const struct byte_buffer *warp, uint32_t warps, uint64_t *size,
                                   struct simsm_error *error)
{
    const struct open_launch *launch = &writer->launch;
    const char *path = writer->out.path;
    if (!launch->begun || block >= launch->blocks || warps != launch->warps)
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0,
                      "block %llu with %u warps is not one of the launch's %llu with %u",
                      (unsigned long long)block, warps, (unsigned long long)launch->blocks,
                      launch->warps);
    for (uint32_t w = 0; w < warps; w++) {
        if (warp[w].failed)
            return err_at(error, SIMSM_FAILED, path, 0, 0,
                          "block %llu, warp %u: out of memory for its instructions, or they take "
                          "more than %zu MiB",
                          (unsigned long long)block, w, PACKED_MAX_BYTES >> 20);
        *size += warp[w].size + BYTES_VARINT_MAX;
    }
    if (*size > SMTR_MAX_CHUNK)
        return err_at(error, SIMSM_FAILED, path, 0, 0,
                      "the instructions of block %llu take %llu MiB; a recording has room for %u",
                      (unsigned long long)block, (unsigned long long)(*size >> 20),
                      SMTR_MAX_CHUNK >> 20);
    return SIMSM_OK;
}

enum simsm_status recording_put_block(struct recording_writer *writer, uint64_t block,
                                      const struct byte_buffer *warp, uint32_t warps,
                                      struct simsm_error *error)
{
    struct open_chunk *chunk = &writer->chunk;
    struct open_launch *launch = &writer->launch;
    uint64_t size = 0;
    enum simsm_status status = check_put(writer, block, warp, warps, &size, error);
    if (status == SIMSM_OK && chunk->lengths.size + chunk->sequences.size + size > SMTR_MAX_CHUNK)
        status = close_chunk(writer, error);
    if (status != SIMSM_OK)
        return status;
    for (uint32_t w = 0; w < warps; w++) {
        buffer_add_varint(&chunk->lengths, warp[w].size);
        buffer_add(&chunk->sequences, warp[w].data, warp[w].size);
    }
    if (!add_to_runs(&chunk->run, &chunk->runs, &chunk->run_room, block) ||
        !add_to_runs(&launch->done, &launch->done_count, &launch->done_room, block) ||
        chunk->lengths.failed || chunk->sequences.failed)
        return err_no_memory(error);
    launch->put++;
    chunk->blocks++;
    return chunk->lengths.size + chunk->sequences.size < SMTR_CHUNK_BYTES
               ? SIMSM_OK
               : close_chunk(writer, error);
}

/* Writes the index of all launches, and the trailer with the offset of the index. */
static enum simsm_status write_index(struct recording_writer *writer, struct simsm_error *error)
{
    uint64_t offset = writer->offset;
    struct byte_buffer *payload = &writer->payload;
    payload->size = 0;
    buffer_add_varint(payload, writer->launches);
    buffer_add(payload, writer->index.data, writer->index.size);
    payload->failed |= writer->index.failed;
    if (payload->size > SMTR_MAX_OTHER)
        return err_at(
            error, SIMSM_FAILED, writer->out.path, 0, 0,
            "the index of the recording is too large: blocks were recorded in too irregular "
            "an order");
    enum simsm_status status = write_block(writer, &(struct smtr_block){.kind = SMTR_INDEX}, error);
    if (status != SIMSM_OK)
        return status;
    uint8_t trailer[SMTR_TRAILER_BYTES];
    bytes_put_u64(trailer, offset);
    memcpy(trailer + 8, SMTR_END_MAGIC, SMTR_MAGIC_BYTES);
    return write_bytes(writer, trailer, sizeof trailer, error);
}

enum simsm_status recording_finish(struct recording_writer *writer, struct simsm_error *error)
{
    enum simsm_status status = end_launch(writer, error);
    if (status == SIMSM_OK && !writer->launches)
        status =
            err_at(error, SIMSM_BAD_INPUT, writer->out.path, 0, 0, "there is no launch to record");
    if (status == SIMSM_OK)
        status = write_index(writer, error);
    if (status == SIMSM_OK)
        status = outfile_commit(&writer->out, error);
    destroy(writer);
    return status;
}

void recording_abandon(struct recording_writer *writer)
{
    if (writer)
        destroy(writer);
}
