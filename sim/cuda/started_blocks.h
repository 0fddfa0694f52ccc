/*
 * A front around another one that remembers which blocks have begun, so that those that a stopped
 * run has left over can be executed: a program needs the results of all.
 */
#ifndef SIM_CUDA_STARTED_BLOCKS_H
#define SIM_CUDA_STARTED_BLOCKS_H

#include "front/front.h"

/* Puts the front around *front, which it owns from now on, also on failure. */
enum simsm_status started_blocks_open(struct front **front, struct simsm_error *error);

/* Begins and ends all blocks of `front`, made by started_blocks_open, that have not begun. */
enum simsm_status started_blocks_run_rest(const struct front *front, struct simsm_error *error);

#endif
