/*
 * Kernels whose blocks race through global memory: what a block does depends on the progress of
 * other blocks. All blocks that the GPU holds at a time are executed together, in rounds. In each
 * round every warp runs until it needs an answer from global memory, as answers take about equally
 * long.
 */
#ifndef SIM_EXEC_WAITING_RACE_H
#define SIM_EXEC_WAITING_RACE_H

#include <stdbool.h>

struct exec_grid;

/* Finds out whether the kernel races, and at which instructions its warps end their turns. */
void exec_race_find(struct exec_grid *grid);

/* Executes a round of a kernel that races. Returns false, and does nothing, if memory has not
 * changed for many rounds: spinning groups must then be found in another way. */
bool exec_race_round(struct exec_grid *grid);

#endif
