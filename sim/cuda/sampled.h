/* Runs one launch of a program as --sample has it: executed to see what it does, then timed or not.
 */
#ifndef SIM_CUDA_SAMPLED_H
#define SIM_CUDA_SAMPLED_H

#include "cuda/timed.h"

/* As timed_run. A launch that is to be timed is taken back and executed again, so that its blocks
 * are made when they are needed; what its first execution printed is dropped then. */
enum simsm_status sampled_run(struct runtime *rt, struct exec_launch *launch,
                              const struct watch *watch, struct journal_launch *row, char **note,
                              struct simsm_error *error);

#endif
