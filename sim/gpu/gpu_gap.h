/*
 * Where occupancy is lost: the empty warp places of one SM, by cause.
 *
 * Until the last block of the grid has started, an empty place waits for a block that is on its
 * way: refill. From then on nothing will fill it. Places that were empty at that moment are short
 * of blocks (a grid of less than one full wave, or a partial last wave); places that become empty
 * later belong to blocks that ended before others did.
 */
#ifndef SIM_GPU_GPU_GAP_H
#define SIM_GPU_GPU_GAP_H

#include <stdint.h>

#include "simsm/stats.h"

struct gap {
    uint32_t places;         /* warps that theory fills */
    uint32_t filled;         /* warps of resident blocks */
    uint32_t filled_at_last; /* of these, when the last block of the grid started */
    uint64_t since;          /* cycle up to which is accounted */
    uint64_t last_start;     /* when the last block started; UINT64_MAX while that is unknown */
    uint64_t empty_before, short_of_blocks, ended_early; /* warp places x cycles */
    uint64_t idle;   /* cycles without a block after the last block of the grid started */
    uint64_t active; /* cycles with a resident block */
};

void gap_init(struct gap *gap, uint32_t places);

/* The last block of the grid starts at `cycle`, not before anything already accounted. */
void gap_last_start(struct gap *gap, uint64_t cycle);

/* The SM's resident blocks change by `warps` at `cycle`; cycles must not go back. */
void gap_change(struct gap *gap, uint64_t cycle, int32_t warps);

/* Accounts up to `cycle`. */
void gap_settle(struct gap *gap, uint64_t cycle);

#endif
