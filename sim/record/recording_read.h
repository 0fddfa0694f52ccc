/* A recording that is open for reading: its index, and its parts, checked and decompressed. */
#ifndef SIM_RECORD_RECORDING_READ_H
#define SIM_RECORD_RECORDING_READ_H

#include <stdio.h>

#include "record/recording_format.h"
#include "record/recording_launch.h"

/* Blocks that are consecutive both in the grid and in a chunk. */
struct record_run {
    uint64_t first, count;
    uint32_t chunk; /* index in the launch */
    uint32_t place; /* index of the first block among the blocks of the chunk */
};

struct record_chunk {
    uint64_t offset; /* offset of its head in the file */
    uint32_t packed;
    uint32_t blocks;
};

/* The index entry of a launch. */
struct record_launch {
    uint64_t offset;
    uint32_t packed;
    uint32_t chunks, runs;
    struct record_chunk *chunk; /* [chunks] in file order */
    struct record_run *run;     /* [runs] */
};

struct record_file {
    FILE *file;
    char path[256]; /* for messages */
    uint64_t size;
    struct record_launch *launch; /* [launches] */
    uint32_t launches;
    struct byte_buffer packed; /* compressed bytes of the part that is being read */
    struct ZSTD_DCtx_s *zstd;
};

/* Returns whether a file that begins with these bytes is a recording, complete or not. */
bool record_file_probe(const uint8_t *bytes, size_t size);

/*
 * Opens a recording and reads its index. `input` must be able to seek; the record_file owns it,
 * also on failure. `path` is for messages. On success *file must be closed with
 * record_file_close().
 */
enum simsm_status record_file_open(struct record_file **file, FILE *input, const char *path,
                                   struct simsm_error *error);
/* Closes the file. NULL is allowed. */
void record_file_close(struct record_file *file);

/*
 * Reads the description of launch `number` (from 0). On success the caller frees it with
 * launch_read_free().
 */
enum simsm_status record_file_launch(struct record_file *file, uint32_t number,
                                     struct launch_read *launch, struct simsm_error *error);

/* Reads chunk `chunk` of launch `number` into `payload`, replacing its content. */
enum simsm_status record_file_chunk(struct record_file *file, uint32_t number, uint32_t chunk,
                                    struct byte_buffer *payload, struct simsm_error *error);

#endif
