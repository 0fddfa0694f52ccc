/* For the command only: what a simulation runs, as an observer that records code wants it. */
#ifndef SIM_API_SIMSM_FRONT_H
#define SIM_API_SIMSM_FRONT_H

#include "front/front.h"
#include "simsm/simsm.h"

/* Owned by the simulation. */
const struct front *simsm_front(const struct simsm *simulation);

#endif
