/*
 * A front made from a source of whole blocks: an executor, a recording. A block's streams are
 * produced when the dispatcher asks for its first warp and freed when its last warp has ended, so
 * that memory is bounded by the blocks that are resident.
 */
#ifndef SIM_FRONT_STREAM_BLOCK_FRONT_H
#define SIM_FRONT_STREAM_BLOCK_FRONT_H

#include "front/front.h"
#include "front/stream/stream.h"

struct block_source {
    /*
     * Fills warp[0..warps-1] (empty at first; the front frees them) with the streams of block
     * `block`. Blocks are asked for in any order, each once, one call at a time.
     */
    enum simsm_status (*produce)(void *context, uint64_t block, struct stream_bytes *warp,
                                 uint32_t warps, struct simsm_error *error);
    void (*close)(void *context);
    void *context;
};

/*
 * Makes a front of `source`, which it owns from now on, also on failure. `launch`, `code` and
 * `text` as in struct front; they belong to the source and outlive the front's last call.
 */
enum simsm_status block_front_open(struct front **front, const struct block_source *source,
                                   const struct simsm_launch *launch, const struct inst *code,
                                   const char *const *text, uint32_t code_size, const char *path,
                                   struct simsm_error *error);

#endif
