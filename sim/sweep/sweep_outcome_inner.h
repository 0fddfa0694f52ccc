/* What the files of an outcome share. */
#ifndef SIM_SWEEP_SWEEP_OUTCOME_INNER_H
#define SIM_SWEEP_SWEEP_OUTCOME_INNER_H

#include "sample/sample_blocks.h"
#include "sweep/sweep_outcome.h"

/*
 * Simulates one launch, or samples all of them; fills all but times and memory. `blocks`: what has
 * begun to say which blocks are timed; NULL: all are.
 */
enum simsm_status outcome_launch(const struct outcome_run *run, struct block_sampler *blocks,
                                 struct sweep_outcome *outcome, struct simsm_error *error);
enum simsm_status outcome_sampled(const struct outcome_run *run, struct sweep_outcome *outcome,
                                  struct simsm_error *error);

#endif
