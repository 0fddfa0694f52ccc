/*
 * A front made from a source of whole blocks: an executor, a recording. A block's streams are
 * produced when the first of its warps begins; when its last warp has left the SM their memory
 * is that of the next block, so that it is bounded by the blocks that are resident and nothing
 * is allocated once the GPU has been full, but for streams that are longer than those before.
 */
#ifndef SIM_FRONT_BLOCK_FRONT_H
#define SIM_FRONT_BLOCK_FRONT_H

#include "front/front.h"
#include "front/packed_warp.h"

struct block_source {
    /*
     * Fills warp[0..warps-1] (empty at first, perhaps with memory of a block before; the front
     * frees them, also on failure) with the streams of block `block`. Blocks are asked for in any
     * order, one call at a time; a run asks for each once, but who walks a front without time may
     * ask for one again. After a failure it is not called any more: all streams that are still to
     * begin end at once, and the front's status is the failure.
     */
    enum simsm_status (*produce)(void *context, uint64_t block, struct packed_bytes *warp,
                                 uint32_t warps, struct simsm_error *error);
    void (*close)(void *context);
    void *context;
    /* As front_stop_when; NULL: producing a block never takes long. */
    void (*stop_when)(void *context, int (*stop)(void));
    /* As those of struct front_ops; each may be NULL. `place` and `clock` may be called by any
     * thread. */
    enum simsm_status (*keep_clocks)(void *context, struct simsm_error *error);
    void (*place)(void *context, uint64_t block, uint32_t warp, uint32_t sm, uint32_t slot);
    void (*clock)(void *context, uint64_t block, uint32_t warp, uint32_t ordinal, uint64_t cycle);
    enum simsm_status (*timed)(void *context, char **note, struct simsm_error *error);
};

/*
 * Makes a front of `source`, which it owns from now on, also on failure. `launch`, `code` and
 * `text` as in struct front; code and text belong to the source and last until its close.
 */
enum simsm_status block_front_open(struct front **front, const struct block_source *source,
                                   const struct simsm_launch *launch, const struct inst *code,
                                   const char *const *text, uint32_t code_size, const char *path,
                                   struct simsm_error *error);

/* Where blocks go beside the front: into a recording. */
struct block_sink {
    /* `warp` as source.produce has filled it. A failure is one of producing the block. */
    enum simsm_status (*put)(void *context, uint64_t block, const struct packed_bytes *warp,
                             uint32_t warps, struct simsm_error *error);
    void *context;
};

/* From now on each block also goes to `sink` when it is produced, in that order. The front was made
 * by block_front_open, and none of its warps has begun. */
void block_front_copy(struct front *front, const struct block_sink *sink);

/* What a front was made from; NULL: not by block_front_open. */
const struct block_source *block_front_source(const struct front *front);

#endif
