/* Records a front: runs all its warps without time and writes their instruction sequences. */
#ifndef SIM_RECORD_RECORD_FRONT_H
#define SIM_RECORD_RECORD_FRONT_H

#include "front/front.h"
#include "record/recording_write.h"

struct record_watch {
    /*
     * Called before each block and every 2^20 instructions. A non-zero status (SIMSM_INTERRUPTED)
     * ends the recording with this status, without a message. NULL: not called.
     */
    enum simsm_status (*stop)(void *context, uint64_t blocks, uint64_t instructions);
    void *context;
};

/* What has been recorded so far. */
struct record_counts {
    uint64_t blocks, instructions; /* warp instructions */
    uint64_t packed_bytes;         /* bytes before compression with zstd */
};

/*
 * Adds the launch of `front` to the recording, its blocks in ascending order and each once.
 * `counts` and `watch` may be NULL. Returns the status of `watch` if it ended the recording.
 */
enum simsm_status record_front(struct recording_writer *writer, const struct front *front,
                               const struct record_watch *watch, struct record_counts *counts,
                               struct simsm_error *error);

#endif
