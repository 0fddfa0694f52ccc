/* The registers per thread that __launch_bounds__(threads, blocks) leaves. */
#ifndef SIM_OCCUPANCY_BOUNDS_H
#define SIM_OCCUPANCY_BOUNDS_H

#include "simsm/occupancy.h"

/* The steps of the computation, for `blocks` resident blocks of `threads` threads. */
struct bounds {
    uint32_t threads, blocks;
    uint32_t warps_per_block, warps;
    uint32_t warps_per_sub;     /* warps in the fullest sub-partition */
    uint32_t registers_per_sub; /* registers of one sub-partition */
    uint32_t share;             /* registers for one warp, before rounding down to the unit */
    uint32_t block_share;       /* the share that the limit of registers per block leaves */
    uint32_t per_warp;          /* the smaller share, rounded down to the unit */
    uint32_t registers;         /* registers per thread */
};

/* Fills *bounds. Returns SIMSM_BAD_INPUT if so many blocks cannot be resident with any registers.
 */
enum simsm_status bounds_registers(const struct simsm_config *config, uint32_t threads,
                                   uint32_t blocks, struct bounds *bounds,
                                   struct simsm_error *error);

#endif
