/*
 * Writes recordings (.smtr): kernel launches with the instruction sequences of all their warps.
 * docs/recording-format.md describes the file byte by byte. Memory is bounded by one chunk and a
 * few bytes for each run of blocks.
 *
 *     recording_create(&writer, "out.smtr", "simsm record ...", &error);
 *     recording_begin(writer, &launch, &error);            for each launch, in order:
 *     recording_put_block(writer, block, warp, n, &error);     for each block, in any order
 *     recording_finish(writer, &error);
 *
 * After an error only recording_abandon() may be called.
 */
#ifndef SIM_RECORD_RECORDING_WRITE_H
#define SIM_RECORD_RECORDING_WRITE_H

#include "front/front.h"
#include "front/packed_warp.h"

struct recording_writer;

/* A kernel launch and its static instructions, as in struct front. */
struct recording_launch {
    const struct simsm_launch *launch;
    const struct inst *code;
    const char *const *text; /* [code_size] */
    uint32_t code_size;
    const char *source;                /* path of the recorded file; NULL counts as "" */
    const char *paths;                 /* as in struct front; NULL counts as "" */
    const struct front_memory *memory; /* NULL: not known */
};

/*
 * Creates the recording `path`. The file is written under a temporary name and renamed when it is
 * complete. `command` is the command line, stored to show where a recording comes from; NULL counts
 * as "". On success recording_finish() or recording_abandon() must free the writer.
 */
enum simsm_status recording_create(struct recording_writer **writer, const char *path,
                                   const char *command, struct simsm_error *error);

/*
 * Ends the previous launch, of which all blocks must have been put, and begins the next one. Keeps
 * no pointer into *launch. Returns SIMSM_BAD_INPUT for static instructions that no core can run,
 * such as a register that does not exist.
 */
enum simsm_status recording_begin(struct recording_writer *writer,
                                  const struct recording_launch *launch, struct simsm_error *error);

/*
 * Adds the instruction sequences of all warps of a block, each ended by packed_writer_end(). The
 * caller owns the buffers. Each block of the grid must be put exactly once.
 */
enum simsm_status recording_put_block(struct recording_writer *writer, uint64_t block,
                                      const struct byte_buffer *warp, uint32_t warps,
                                      struct simsm_error *error);

/*
 * Ends the latest launch, of which all blocks must have been put, and flushes it to the file.
 * Optional before recording_begin() and recording_finish().
 */
enum simsm_status recording_end(struct recording_writer *writer, struct simsm_error *error);

/* Removes the latest launch, which has not ended, from the file. The file must not be a pipe. */
enum simsm_status recording_drop(struct recording_writer *writer, struct simsm_error *error);

/*
 * Writes the index and renames the file to its final name. Frees the writer, also on failure; on
 * failure the file is removed.
 */
enum simsm_status recording_finish(struct recording_writer *writer, struct simsm_error *error);

/* Removes the unfinished file and frees the writer. NULL is allowed. */
void recording_abandon(struct recording_writer *writer);

#endif
