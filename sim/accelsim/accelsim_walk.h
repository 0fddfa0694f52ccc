/*
 * Goes through the trace of one kernel, from its head to its last block:
 *   -key = value ...                            the head
 *   #BEGIN_TB, thread block = x,y,z             for each block of the grid
 *     warp = n, insts = k, k instructions       for each of its warps
 *   #END_TB
 */
#ifndef SIM_ACCELSIM_ACCELSIM_WALK_H
#define SIM_ACCELSIM_ACCELSIM_WALK_H

#include "accelsim/accelsim_code.h"
#include "accelsim/accelsim_header.h"
#include "accelsim/accelsim_lanes.h"

/* What is done with what the trace holds. */
struct visitor {
    void *context;
    /* What follows belongs to this warp of this block; a warp is left when the next one begins. */
    void (*warp)(void *context, uint64_t block, uint32_t warp);
    /* An instruction; `entry` is CODE_NONE for an EXIT that the trace lacks. */
    lanes_sink *instruction;
    /* All warps of this block have been there, each once. */
    enum simsm_status (*block)(void *context, uint64_t block, struct simsm_error *error);
};

/*
 * Reads `path`. The head goes to *header. With `collecting`, instructions that are new are added
 * to *code, of which only `binary` is set otherwise; without, *code is finished.
 */
enum simsm_status walk(const char *path, struct accelsim_header *header, struct accelsim_code *code,
                       bool collecting, const struct visitor *visitor, struct simsm_error *error);

#endif
