/* The register budget that __launch_bounds__(threads, blocks) implies. */
#ifndef SIM_OCCUPANCY_BOUNDS_H
#define SIM_OCCUPANCY_BOUNDS_H

#include "simsm/occupancy.h"

/* Each step of the arithmetic, for a block of `threads` of which `blocks` are to be resident. */
struct bounds {
    uint32_t threads, blocks;
    uint32_t warps_per_block, warps;
    uint32_t warps_per_sub;     /* warps that the fullest sub-partition holds */
    uint32_t registers_per_sub; /* registers of one sub-partition */
    uint32_t share;             /* registers for one warp, before rounding down to the unit */
    uint32_t block_share;       /* the same by the limit on a block's registers */
    uint32_t per_warp;          /* the smaller of both, rounded down */
    uint32_t registers;         /* per thread: the budget */
};

/* Fills *bounds. An error if so many blocks cannot be resident, whatever the registers. */
enum simsm_status bounds_registers(const struct simsm_config *config, uint32_t threads,
                                   uint32_t blocks, struct bounds *bounds,
                                   struct simsm_error *error);

#endif
