/*
 * Kernels whose blocks race through global memory: what a block does depends on how far others
 * are. All blocks that the GPU holds at a time are executed together, in rounds: in each, every
 * warp runs until it needs what it has asked global memory for, which takes all of them about as
 * long.
 */
#ifndef SIM_EXEC_WAITING_RACE_H
#define SIM_EXEC_WAITING_RACE_H

#include <stdbool.h>

struct exec_grid;

/* Finds out whether the kernel is such a one, and where its warps give way. */
void exec_race_find(struct exec_grid *grid);

/* A round of such a kernel. False: memory has not changed for many rounds, so that who spins has to
 * be found out; nothing was done. */
bool exec_race_round(struct exec_grid *grid);

#endif
