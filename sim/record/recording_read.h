/* A recording that is open for reading: its index, and its blocks, checked and unpacked. */
#ifndef SIM_RECORD_RECORDING_READ_H
#define SIM_RECORD_RECORDING_READ_H

#include <stdio.h>

#include "record/recording_format.h"
#include "record/recording_launch.h"

/* Blocks of the grid that follow one another, in a chunk and in the grid. */
struct record_run {
    uint64_t first, count;
    uint32_t chunk; /* of the launch */
    uint32_t place; /* of the first one among the chunk's blocks */
};

struct record_chunk {
    uint64_t offset; /* of its head in the file */
    uint32_t packed;
    uint32_t blocks;
};

/* What the index says of a launch. */
struct record_launch {
    uint64_t offset;
    uint32_t packed;
    uint32_t chunks, runs;
    struct record_chunk *chunk; /* [chunks] in the order of the file */
    struct record_run *run;     /* [runs] */
};

struct record_file {
    FILE *file;
    char path[256]; /* for messages */
    uint64_t size;
    struct record_launch *launch; /* [launches] */
    uint32_t launches;
    struct packed_bytes packed; /* room for what is unpacked next */
    struct ZSTD_DCtx_s *zstd;
};

/* Whether a file that begins with these bytes is a recording, whole or not. */
bool record_file_probe(const uint8_t *bytes, size_t size);

/*
 * Reads the index. `stream` can seek and is the file's from now on, also on failure; `path` is for
 * messages. On success *file must be closed.
 */
enum simsm_status record_file_open(struct record_file **file, FILE *input, const char *path,
                                   struct simsm_error *error);
/* NULL is allowed. */
void record_file_close(struct record_file *file);

/* Reads the description of launch `number`; to be freed with launch_read_free. */
enum simsm_status record_file_launch(struct record_file *file, uint32_t number,
                                     struct launch_read *launch, struct simsm_error *error);

/* Reads a chunk of launch `number` into `payload`, in place of what was there. */
enum simsm_status record_file_chunk(struct record_file *file, uint32_t number, uint32_t chunk,
                                    struct packed_bytes *payload, struct simsm_error *error);

#endif
