/*
 * A front around another front that notes which blocks have started. When a simulation stops early,
 * the other blocks can be executed without timing: a program needs the results of all blocks.
 */
#ifndef SIM_CUDA_STARTED_BLOCKS_H
#define SIM_CUDA_STARTED_BLOCKS_H

#include "front/front.h"

/*
 * Puts the new front around *front. The new front owns the old one; on failure, the old one is
 * closed.
 */
enum simsm_status started_blocks_open(struct front **front, struct simsm_error *error);

/*
 * Executes every block of `front` that has not started. `front` must be from started_blocks_open.
 */
enum simsm_status started_blocks_run_rest(const struct front *front, struct simsm_error *error);

#endif
