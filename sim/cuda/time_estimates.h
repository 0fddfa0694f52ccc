/* Estimates of the simulated time of everything but kernels. Only kernels are simulated. */
#ifndef SIM_CUDA_TIME_ESTIMATES_H
#define SIM_CUDA_TIME_ESTIMATES_H

#include "cuda/journal.h"
#include "simsm/config.h"

/* Returns the ns of a copy or fill of `bytes` bytes. */
double estimated_transfer_ns(const struct simsm_config *config, enum journal_transfer kind,
                             uint64_t bytes);

/*
 * Returns the ns between two events that are recorded in direct succession. Never 0, so that
 * programs may divide by the time.
 */
double estimated_event_ns(void);

#endif
