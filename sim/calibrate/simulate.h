/* Running a point in the simulator, where clock reads take simulated values. */
#ifndef SIM_CALIBRATE_SIMULATE_H
#define SIM_CALIBRATE_SIMULATE_H

#include "calibrate/table.h"
#include "simsm/config.h"

/*
 * The number that the point gives under this configuration, with the kernels of `cubin`. *note (to
 * be freed) becomes NULL, or says that what the kernel does depends on the values of clocks. `stop`
 * is asked now and then, NULL: nobody.
 */
enum simsm_status simulate(const struct point *point, const char *cubin,
                           const struct simsm_config *config, int (*stop)(void),
                           struct measured *measured, char **note, struct simsm_error *error);

#endif
