#ifndef SIM_GPU_LAUNCH_CHECK_H
#define SIM_GPU_LAUNCH_CHECK_H

#include "gpu/gpu_state.h"

/*
 * Verifies what must hold of any run that has been settled: states tile time, issues are
 * instructions, requests are answered, the occupancy gap's terms add up. Names the broken one.
 */
enum simsm_status check_invariants(const struct gpu *gpu, struct simsm_error *error);

#endif
