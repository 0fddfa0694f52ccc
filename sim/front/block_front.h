/*
 * A front made from a source of whole blocks, such as the executor or a recording.
 *
 * A block's instruction sequences are produced when the first of its warps begins. After its last
 * warp has left the SM, their memory serves another block. Memory is therefore bounded by the
 * number of resident blocks. Once the GPU has been full, memory is allocated only for sequences
 * that are longer than all earlier ones.
 */
#ifndef SIM_FRONT_BLOCK_FRONT_H
#define SIM_FRONT_BLOCK_FRONT_H

#include "front/front.h"
#include "front/packed_warp.h"

/* Bytes that a cursor of a block front has at least. */
enum { BLOCK_CURSOR = 64 };

struct block_source {
    /*
     * Fills warp[0..warps-1] with the instruction sequences of block `block`. The buffers are empty
     * and may own memory of an earlier block; the front frees them, also on failure. Blocks are
     * requested in any order, one call at a time. A simulation requests each block once; a walk
     * without time may request a block again. After a failure `produce` is not called again: all
     * warps that have yet to begin end at once, and front_status() returns the failure.
     */
    enum simsm_status (*produce)(void *context, uint64_t block, struct byte_buffer *warp,
                                 uint32_t warps, struct simsm_error *error);
    void (*close)(void *context);
    void *context;
    /* As front_stop_when(). NULL: producing a block never takes long. */
    void (*stop_when)(void *context, int (*stop)(void));
    /* The operations of the same name in struct front_ops; each may be NULL. */
    enum simsm_status (*begin_timed)(void *context, struct simsm_error *error);
    enum simsm_status (*finish)(void *context, struct simsm_error *error);
    /* After begin_timed: replaces operations of *ops if instructions are executed as they issue.
     * Their cursors have at most BLOCK_CURSOR bytes. NULL: they never are. */
    void (*issue_instead)(void *context, struct front_ops *ops);
};

/*
 * Makes a front from `source`. The front owns the source, also on failure. `launch`, `code` and
 * `text` are as in struct front; `code` and `text` belong to the source and live until its close().
 */
enum simsm_status block_front_open(struct front **front, const struct block_source *source,
                                   const struct simsm_launch *launch, const struct inst *code,
                                   const char *const *text, uint32_t code_size, const char *path,
                                   struct simsm_error *error);

/* Receives each block as it is produced, for example to write it into a recording. */
struct block_sink {
    /*
     * `warp` is as source.produce() has filled it. A failure counts as a failure to produce the
     * block.
     */
    enum simsm_status (*put)(void *context, uint64_t block, const struct byte_buffer *warp,
                             uint32_t warps, struct simsm_error *error);
    void *context;
};

/*
 * Passes every block that is produced from here on to `sink` as well, in the order of production.
 * The front must come from block_front_open(), and none of its warps may have begun.
 */
void block_front_copy(struct front *front, const struct block_sink *sink);

/* Produces all blocks, for their effects and for the sink. None of the warps may have begun. */
enum simsm_status block_front_produce_all(const struct front *front, struct simsm_error *error);

/* Returns the source of a front that block_front_open() made; NULL for any other front. */
const struct block_source *block_front_source(const struct front *front);

#endif
