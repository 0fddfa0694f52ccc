/*
 * Theoretical occupancy: how many blocks and warps of a kernel fit into one SM, and what limits
 * them. Depends on the configuration and the launch alone. Equal to NVIDIA's cuda_occupancy.h.
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

/* The theoretical occupancy of a launch. Holds no pointers. */
struct simsm_occupancy {
    uint32_t blocks; /* resident blocks per SM: the smallest of limit[]; 0 on error */
    uint32_t warps;  /* resident warps per SM */
    uint32_t warps_per_block;
    uint32_t max_warps;                /* warp slots of the SM */
    uint32_t limit[SIMSM_LIMIT_COUNT]; /* blocks that each resource allows, or SIMSM_NO_LIMIT */
    uint32_t limiters;                 /* one bit for each enum simsm_limit that equals `blocks` */
    uint32_t registers_per_warp;       /* as allocated */
    uint32_t shared_per_block;         /* bytes, as allocated, reserved bytes included */
    uint32_t carveout;                 /* bytes of shared memory that the SM is set to */
};

extern const char *const simsm_limit_names[SIMSM_LIMIT_COUNT];

/*
 * Fills *result. Returns SIMSM_BAD_INPUT for a launch that can never run: one block has too many
 * threads, registers or bytes of shared memory. *error says which and by how much; *result then has
 * 0 blocks, and limit[] is 0 for each resource that is exceeded.
 */
enum simsm_status simsm_occupancy(const struct simsm_config *config,
                                  const struct simsm_launch *launch, struct simsm_occupancy *result,
                                  struct simsm_error *error);

#ifdef __cplusplus
}
#endif

#endif
