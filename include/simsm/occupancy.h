/*
 * Theoretical occupancy: how many blocks and warps of a kernel fit into one SM, and what limits
 * them. A pure function of a configuration and a launch, equal to NVIDIA's cuda_occupancy.h.
 */
#ifndef SIMSM_OCCUPANCY_H
#define SIMSM_OCCUPANCY_H

#include "simsm/config.h"
#include "simsm/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

enum simsm_limit {
    SIMSM_LIMIT_WARPS, /* warp slots and threads of the SM */
    SIMSM_LIMIT_REGISTERS,
    SIMSM_LIMIT_SHARED, /* shared memory at the carve-out */
    SIMSM_LIMIT_BLOCKS, /* block places of the SM */
    SIMSM_LIMIT_COUNT
};

#define SIMSM_NO_LIMIT UINT32_MAX

/* What of a kernel is resident on one SM at a time, and what limits it. It owns nothing. */
struct simsm_occupancy {
    uint32_t blocks; /* resident blocks per SM: the smallest limit; 0 on error */
    uint32_t warps;  /* resident warps per SM */
    uint32_t warps_per_block;
    uint32_t max_warps;                /* warp slots of the SM */
    uint32_t limit[SIMSM_LIMIT_COUNT]; /* blocks that each resource allows; SIMSM_NO_LIMIT */
    uint32_t limiters;                 /* bit per enum simsm_limit that binds */
    uint32_t registers_per_warp;       /* as allocated */
    uint32_t shared_per_block;         /* bytes, as allocated, reserved bytes included */
    uint32_t carveout;                 /* bytes of shared memory that the SM is set to */
};

extern const char *const simsm_limit_names[SIMSM_LIMIT_COUNT];

/*
 * Fills *result. A launch that can never run (too many threads, registers or shared bytes for one
 * block) is an error that says which and by how much; *result then has 0 blocks, and 0 as the limit
 * of whatever is exceeded.
 */
enum simsm_status simsm_occupancy(const struct simsm_config *config,
                                  const struct simsm_launch *launch, struct simsm_occupancy *result,
                                  struct simsm_error *error);

#ifdef __cplusplus
}
#endif

#endif
