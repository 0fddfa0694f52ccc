/*
 * Where occupancy is lost: the empty warp places of one SM, by cause.
 *
 * Until the last block of the grid has started, an empty place waits for a block on its way:
 * refill. From then on no block will fill it. Places that were empty at that moment are short of
 * blocks: the grid has less than one full wave, or a partial last wave. Places that become empty
 * later belong to blocks that ended before others did: the tail.
 */
#ifndef SIM_GPU_GPU_GAP_H
#define SIM_GPU_GPU_GAP_H

#include <stdint.h>

#include "simsm/stats.h"

struct gap {
    uint32_t places;         /* warps of full theoretical occupancy */
    uint32_t filled;         /* warps of resident blocks */
    uint32_t filled_at_last; /* warps of resident blocks when the grid's last block started */
    uint64_t since;          /* cycle up to which is accounted */
    uint64_t last_start;     /* cycle at which the last block starts; UINT64_MAX while unknown */
    uint64_t empty_before, short_of_blocks, ended_early; /* warp places x cycles */
    uint64_t idle;   /* cycles without a block after the start of the grid's last block */
    uint64_t active; /* cycles with a resident block */
};

void gap_init(struct gap *gap, uint32_t places);

/* Sets the start of the grid's last block, which must not be before the cycles accounted so far. */
void gap_last_start(struct gap *gap, uint64_t cycle);

/* Changes the warps of resident blocks by `warps` at `cycle`, which must not be before the cycles
 * accounted so far. */
void gap_change(struct gap *gap, uint64_t cycle, int32_t warps);

/* Accounts the cycles up to `cycle`. */
void gap_settle(struct gap *gap, uint64_t cycle);

#endif
