/*
 * Where the warps of a launch were, when their clock reads were issued, and what they executed:
 * what is known of a launch that has been timed when it is executed again.
 */
#ifndef SIM_EXEC_WAITING_CLOCKS_H
#define SIM_EXEC_WAITING_CLOCKS_H

#include "front/packed_warp.h"
#include "simsm/error.h"

struct exec_clocks;

/* NULL: out of memory. */
struct exec_clocks *exec_clocks_create(uint64_t blocks, uint32_t warps);
void exec_clocks_destroy(struct exec_clocks *clocks);

/* The streams of a block, stream[0..warps-1], as they were executed first; they are copied. Once
 * for each block, before its first clock read. */
enum simsm_status exec_clocks_keep(struct exec_clocks *clocks, uint64_t block,
                                   const struct byte_buffer *cursor, struct simsm_error *error);

/* The warp is in this slot of this SM. */
void exec_clocks_place(struct exec_clocks *clocks, uint64_t block, uint32_t warp, uint32_t sm,
                       uint32_t slot);
/* Where it is; false: not known yet. */
bool exec_clocks_where(const struct exec_clocks *clocks, uint64_t block, uint32_t warp,
                       uint32_t *sm, uint32_t *slot);

/* Clock read number `ordinal` (from 0) of a warp was issued at `cycle`; a later word on the same
 * one takes the place of an earlier one. */
void exec_clocks_set(struct exec_clocks *clocks, uint64_t block, uint32_t warp, uint32_t ordinal,
                     uint64_t cycle);
/* The cycle, or that of the warp's last one (0: none), if there were fewer: then it says false. */
bool exec_clocks_get(const struct exec_clocks *clocks, uint64_t block, uint32_t warp,
                     uint32_t ordinal, uint64_t *cycle);
/* Memory ran out, and cycles are missing. */
bool exec_clocks_lost(const struct exec_clocks *clocks);

/* Where a warp does something else than in its kept stream. */
struct exec_difference {
    uint64_t block;
    uint32_t warp;
    uint32_t index; /* of the instruction that decided so; UINT32_MAX: not known */
};

/* Compares the streams of a block with the kept ones. True: they differ, as *difference says. */
bool exec_clocks_differ(const struct exec_clocks *clocks, uint64_t block,
                        const struct byte_buffer *cursor, const struct inst *code,
                        uint32_t code_size, struct exec_difference *difference);

#endif
