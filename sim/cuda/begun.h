/*
 * A front around another one that remembers which blocks have begun, so that those that a stopped
 * run has left over can be executed: a program needs the results of all.
 */
#ifndef SIM_CUDA_BEGUN_H
#define SIM_CUDA_BEGUN_H

#include "front/front.h"

/* Puts the front around *front, which it owns from now on, also on failure. */
enum simsm_status begun_open(struct front **front, struct simsm_error *error);

/* Begins and ends all blocks of `front`, made by begun_open, that have not begun. */
enum simsm_status begun_finish(const struct front *front, struct simsm_error *error);

#endif
