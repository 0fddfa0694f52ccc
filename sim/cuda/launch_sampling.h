/* Launches that are executed on trial: with --sample, and to find those that repeat others. */
#ifndef SIM_CUDA_LAUNCH_SAMPLING_H
#define SIM_CUDA_LAUNCH_SAMPLING_H

#include "cuda/launch_timing.h"

/*
 * Runs a launch; parameters and errors are those of launch_time. The work of a launch decides
 * whether and how many of its blocks are timed. Therefore a launch is executed on trial, undone,
 * and executed again while it is timed; the output of the trial is then dropped. A launch that must
 * be timed in any case is executed once.
 */
enum simsm_status launch_time_sampled(struct runtime *rt, struct exec_launch *launch,
                                      const struct launch_watch *watch, struct journal_launch *row,
                                      struct simsm_error *error);

/*
 * Times a launch, unless it repeats an earlier one exactly (launch_copies.h): it is then executed
 * without time and has the figures of that launch. rt->copies must not be NULL.
 */
enum simsm_status launch_time_once(struct runtime *rt, struct exec_launch *launch,
                                   const struct launch_watch *watch, struct journal_launch *row,
                                   struct simsm_error *error);

#endif
