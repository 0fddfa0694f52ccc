/* `simsm trace dump`: prints the instructions that warps execute, one per line. */
#ifndef SIM_CLI_TRACE_DUMP_H
#define SIM_CLI_TRACE_DUMP_H

#include "front/front.h"

/* The instructions to print. */
struct trace_dump {
    uint64_t block; /* linear index in the grid */
    uint32_t warp;  /* warp of the block; UINT32_MAX: all */
    uint64_t limit; /* instructions per warp */
};

/* Prints the warps of one block to stdout. Returns SIMSM_BAD_INPUT if the grid has no such block or
 * warp, or the failure of the front. */
enum simsm_status trace_dump(const struct front *front, const struct trace_dump *dump,
                             struct simsm_error *error);

#endif
