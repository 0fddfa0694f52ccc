/* Runs one launch of a program as --sample has it: timed, timed in part, or only executed. */
#ifndef SIM_CUDA_LAUNCH_SAMPLING_H
#define SIM_CUDA_LAUNCH_SAMPLING_H

#include "cuda/launch_timing.h"

/*
 * As launch_time. What a launch does decides whether it is timed, and which of its blocks: it is
 * executed, taken back, and executed again while it is timed; what its first execution printed is
 * dropped then. A launch that is timed in any case is executed once.
 */
enum simsm_status launch_time_sampled(struct runtime *rt, struct exec_launch *launch,
                                      const struct launch_watch *watch, struct journal_launch *row,
                                      char **note, struct simsm_error *error);

#endif
