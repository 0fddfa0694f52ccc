/* Slurm, by its commands sbatch and squeue. */
#ifndef SIM_SWEEP_SLURM_H
#define SIM_SWEEP_SLURM_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/error.h"

enum { SLURM_JOB = 32 };

/* An array of jobs that run `script` with SLURM_ARRAY_TASK_ID from 1 to `tasks`. */
struct slurm_array {
    const char *script, *name;
    const char *output;         /* where each says what it has to say; %a is its number */
    uint32_t tasks, processors; /* of each task */
    const char *const *options; /* [option_count] for sbatch, as they are */
    uint32_t option_count;
};

/* Its number becomes `job`. */
enum simsm_status slurm_submit(const struct slurm_array *array, char job[SLURM_JOB],
                               struct simsm_error *error);

/* How many tasks of the job have not ended; none: it is over. SIMSM_FAILED: Slurm does not answer.
 */
enum simsm_status slurm_tasks(const char *job, uint32_t *waiting, uint32_t *running,
                              struct simsm_error *error);

#endif
