/* What is known of a launch that has been timed, for its second execution: the place of each warp,
 * the cycles of its clock reads, and what it executed. */
#ifndef SIM_EXEC_WAITING_CLOCKS_H
#define SIM_EXEC_WAITING_CLOCKS_H

#include "front/packed_warp.h"
#include "simsm/error.h"

struct exec_clocks;

/* NULL: out of memory. */
struct exec_clocks *exec_clocks_create(uint64_t blocks, uint32_t warps);
void exec_clocks_destroy(struct exec_clocks *clocks);

/* Copies the instructions of a block's first execution, cursor[0..warps-1]. To be called once for
 * each block, before its first clock read. */
enum simsm_status exec_clocks_keep(struct exec_clocks *clocks, uint64_t block,
                                   const struct byte_buffer *cursor, struct simsm_error *error);

/* Notes the SM and the slot of a warp. */
void exec_clocks_place(struct exec_clocks *clocks, uint64_t block, uint32_t warp, uint32_t sm,
                       uint32_t slot);
/* Returns the SM and the slot of a warp; false: not known yet. */
bool exec_clocks_where(const struct exec_clocks *clocks, uint64_t block, uint32_t warp,
                       uint32_t *sm, uint32_t *slot);

/* Notes that clock read number `ordinal` (from 0) of a warp was issued at `cycle`. A later call for
 * the same read replaces the cycle. */
void exec_clocks_set(struct exec_clocks *clocks, uint64_t block, uint32_t warp, uint32_t ordinal,
                     uint64_t cycle);
/* Sets *cycle to the cycle of a clock read. Returns false if the warp has had fewer clock reads;
 * *cycle is then the cycle of its last one, or 0. */
bool exec_clocks_get(const struct exec_clocks *clocks, uint64_t block, uint32_t warp,
                     uint32_t ordinal, uint64_t *cycle);
/* Returns whether cycles are missing because memory ran out. */
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
