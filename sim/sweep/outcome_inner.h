/* What the files of an outcome share. */
#ifndef SIM_SWEEP_OUTCOME_INNER_H
#define SIM_SWEEP_OUTCOME_INNER_H

#include "sweep/outcome.h"

/* Simulates one launch, or samples all of them; fills all but times and memory. */
enum simsm_status outcome_one(const struct outcome_run *run, struct outcome *outcome,
                              struct simsm_error *error);
enum simsm_status outcome_sampled(const struct outcome_run *run, struct outcome *outcome,
                                  struct simsm_error *error);

#endif
