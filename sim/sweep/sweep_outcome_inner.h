/* Shared by the files that compute an outcome. */
#ifndef SIM_SWEEP_SWEEP_OUTCOME_INNER_H
#define SIM_SWEEP_SWEEP_OUTCOME_INNER_H

#include "sample/sample_blocks.h"
#include "sweep/sweep_outcome.h"

/* Simulates one launch; fills all fields but times and memory. `blocks` chooses the blocks that are
 * timed; NULL: all. */
enum simsm_status outcome_launch(const struct outcome_run *run, struct block_sampler *blocks,
                                 struct sweep_outcome *outcome, struct simsm_error *error);

/* Samples all launches of run->trace; fills all fields but times and memory. */
enum simsm_status outcome_sampled(const struct outcome_run *run, struct sweep_outcome *outcome,
                                  struct simsm_error *error);

#endif
