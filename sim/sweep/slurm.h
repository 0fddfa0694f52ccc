/* Jobs of the batch system Slurm, through its commands sbatch and squeue. */
#ifndef SIM_SWEEP_SLURM_H
#define SIM_SWEEP_SLURM_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/error.h"

enum { SLURM_JOB = 32 };

/* An array of jobs. Job N runs `script` with SLURM_ARRAY_TASK_ID = N, from 1 to `tasks`. */
struct slurm_array {
    const char *script, *name;
    const char *output;         /* log file; %a stands for the number of the task */
    uint32_t tasks, processors; /* processors per task */
    const char *const *options; /* [option_count] further options of sbatch */
    uint32_t option_count;
};

/* Submits the array and writes the number of the job into `job`. Returns SIMSM_FAILED with the
 * output of sbatch if it refuses. */
enum simsm_status slurm_submit(const struct slurm_array *array, char job[SLURM_JOB],
                               struct simsm_error *error);

/* Counts the tasks of a job that wait and run. Both are 0 if the job has ended. Returns
 * SIMSM_FAILED if Slurm does not answer. */
enum simsm_status slurm_tasks(const char *job, uint32_t *waiting, uint32_t *running,
                              struct simsm_error *error);

#endif
