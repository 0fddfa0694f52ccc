/* What the files of this floor share beside simsm/occupancy.h. */
#ifndef SIM_OCCUPANCY_OCCUPANCY_H
#define SIM_OCCUPANCY_OCCUPANCY_H

#include "simsm/config.h"

/* Warps of a block as the check of its registers counts them. */
uint64_t occupancy_checked_warps(const struct simsm_config *config, uint64_t warps);

#endif
