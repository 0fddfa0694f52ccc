/* Runs a point in the simulator, where clock reads return simulated cycles. */
#ifndef SIM_CALIBRATE_SIMULATE_H
#define SIM_CALIBRATE_SIMULATE_H

#include "calibrate/table.h"
#include "simsm/config.h"

/*
 * Simulates the point under this configuration, with the kernels of `cubin`, and computes its
 * number. `stop` is polled; NULL: not called.
 */
enum simsm_status simulate(const struct point *point, const char *cubin,
                           const struct simsm_config *config, int (*stop)(void),
                           struct measured *measured, struct simsm_error *error);

#endif
