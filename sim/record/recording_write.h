/*
 * Writes recordings (.smtr): kernel launches with the instruction streams of all their warps.
 * docs/recording-format.md says what is in the file, byte by byte. Memory is bounded by a chunk of
 * streams and a few bytes for each run of blocks.
 *
 *     recording_create(&writer, "out.smtr", "simsm record ...", &error);
 *     recording_begin(writer, &launch, &error);            for each launch, in their order:
 *     recording_put_block(writer, block, warp, n, &error);     for each block, in any order
 *     recording_finish(writer, &error);
 *
 * After an error there is only recording_abandon.
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
    const char *source;                /* path of what is recorded; NULL counts as "" */
    const char *paths;                 /* as in struct front; NULL counts as "" */
    const struct front_memory *memory; /* NULL: not known */
};

/*
 * Begins the file `path`, which is written beside and renamed when it is whole. `command`, the
 * command line, is kept for those who wonder where a file came from; NULL counts as "".
 */
enum simsm_status recording_create(struct recording_writer **writer, const char *path,
                                   const char *command, struct simsm_error *error);

/*
 * Ends the launch before, of which all blocks must have been put, and begins the next one. Nothing
 * of *launch is kept. Static instructions that no core could run (a register that does not exist)
 * are SIMSM_BAD_INPUT.
 */
enum simsm_status recording_begin(struct recording_writer *writer,
                                  const struct recording_launch *launch, struct simsm_error *error);

/*
 * Adds the streams of all warps of a block, each ended by packed_writer_end; the caller keeps and
 * frees them. Each block of the grid is to be put once.
 */
enum simsm_status recording_put_block(struct recording_writer *writer, uint64_t block,
                                      const struct packed_bytes *warp, uint32_t warps,
                                      struct simsm_error *error);

/* Ends the launch that was begun last, of which all blocks must have been put, and sees to it that
 * it is in the file. Who begins the next one, or finishes, need not call it. */
enum simsm_status recording_end(struct recording_writer *writer, struct simsm_error *error);

/* Takes back the launch that was begun last and has not been ended. The file cannot be a pipe. */
enum simsm_status recording_drop(struct recording_writer *writer, struct simsm_error *error);

/* Writes the index and gives the file its name. Frees the writer, also on failure; then nothing is
 * left of the file. */
enum simsm_status recording_finish(struct recording_writer *writer, struct simsm_error *error);

/* Removes what has been written, and frees the writer. NULL is allowed. */
void recording_abandon(struct recording_writer *writer);

#endif
