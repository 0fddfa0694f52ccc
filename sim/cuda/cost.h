/* Simulated time of what is not a kernel. Estimates: the simulator models kernels alone. */
#ifndef SIM_CUDA_COST_H
#define SIM_CUDA_COST_H

#include "cuda/journal.h"
#include "simsm/config.h"

/* ns for moving or filling `bytes`. */
double cost_transfer(const struct simsm_config *config, enum journal_transfer kind, uint64_t bytes);

/* ns between two events that are recorded one right after the other; never 0, so that programs may
 * divide by it. */
double cost_event(void);

#endif
