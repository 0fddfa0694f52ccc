/* The version of the simulator with the hash of its sources. */
#include "sweep/version.h"

#include "simsm/simsm.h"
#include "sweep/sweep_sources.h" /* written by the build (sources.cmake) */

const char sweep_version[] = SIMSM_VERSION "+" SWEEP_SOURCES;
