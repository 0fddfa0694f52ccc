/* Recording a front: all its warps are run, without time, and written. */
#ifndef SIM_RECORD_RECORD_FRONT_H
#define SIM_RECORD_RECORD_FRONT_H

#include "front/front.h"
#include "record/recording_write.h"

struct record_watch {
    /* Asked before each block, and now and then within one: non-zero ends the recording with that
     * status (SIMSM_INTERRUPTED), without a message. NULL: never. */
    enum simsm_status (*stop)(void *context, uint64_t blocks, uint64_t instructions);
    void *context;
};

/* What has been recorded. */
struct record_counts {
    uint64_t blocks, instructions; /* warp instructions */
    uint64_t packed_bytes;         /* before they are packed by zstd */
};

/*
 * Adds the launch of `front` to the recording. `counts` and `watch` may be NULL. Blocks are taken
 * in their order, and each once.
 */
enum simsm_status record_front(struct recording_writer *writer, const struct front *front,
                               const struct record_watch *watch, struct record_counts *counts,
                               struct simsm_error *error);

#endif
