/*
 * Reads the trace of one kernel, from its header to its last block:
 *
 *   -key = value ...                            the header
 *   #BEGIN_TB, thread block = x,y,z             for each block of the grid
 *     warp = n, insts = k, k instructions       for each of its warps
 *   #END_TB
 */
#ifndef SIM_ACCELSIM_ACCELSIM_WALK_H
#define SIM_ACCELSIM_ACCELSIM_WALK_H

#include "accelsim/accelsim_code.h"
#include "accelsim/accelsim_header.h"
#include "accelsim/accelsim_lanes.h"

/* The functions that walk() calls for the content of a trace. */
struct visitor {
    void *context;
    /* Begins a warp; the following instructions belong to it. The next call ends it. */
    void (*warp)(void *context, uint64_t block, uint32_t warp);
    /* Receives an instruction. `entry` is CODE_NONE for an EXIT that the trace lacks. */
    lanes_sink *instruction;
    /* Called after all warps of the block, each once. */
    enum simsm_status (*block)(void *context, uint64_t block, struct simsm_error *error);
};

/*
 * Reads the trace `path`. *header receives the header. With `collecting`, *code must be empty apart
 * from `binary`, and new instructions are added to it; without, *code must be finished.
 */
enum simsm_status walk(const char *path, struct accelsim_header *header, struct accelsim_code *code,
                       bool collecting, const struct visitor *visitor, struct simsm_error *error);

#endif
