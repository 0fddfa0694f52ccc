/* Functions that the files of this folder share. */
#ifndef SIM_OCCUPANCY_OCCUPANCY_H
#define SIM_OCCUPANCY_OCCUPANCY_H

#include "simsm/config.h"

/* Returns the warps of a block as the launch check of its registers counts them. */
uint64_t occupancy_checked_warps(const struct simsm_config *config, uint64_t warps);

#endif
