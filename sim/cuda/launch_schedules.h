/* `simsm check --schedules N`: executes a launch several times and compares what it leaves. */
#ifndef SIM_CUDA_LAUNCH_SCHEDULES_H
#define SIM_CUDA_LAUNCH_SCHEDULES_H

#include "cuda/cuda_launch.h"

/*
 * Executes the launch as launch_execute() does, and then under other schedules, whose effects are
 * taken back. A difference becomes a finding. Launches that allocate or free memory in the kernel
 * are executed once.
 */
enum simsm_status launch_under_schedules(struct runtime *rt, struct exec_launch *launch,
                                         struct journal_launch *row, struct simsm_error *error);

#endif
