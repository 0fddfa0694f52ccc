/* Simulated time of what is not a kernel. Estimates: the simulator models kernels alone. */
#ifndef SIM_CUDA_TIME_ESTIMATES_H
#define SIM_CUDA_TIME_ESTIMATES_H

#include "cuda/journal.h"
#include "simsm/config.h"

/* ns for moving or filling `bytes`. */
double estimated_transfer_ns(const struct simsm_config *config, enum journal_transfer kind,
                             uint64_t bytes);

/* ns between two events that are recorded one right after the other; never 0, so that programs may
 * divide by it. */
double estimated_event_ns(void);

#endif
