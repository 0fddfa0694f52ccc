/* Counters of the model that all grids share. Only sums, so that the order in which SMs add does
 * not matter. */
#ifndef SIM_MODEL_TALLY_H
#define SIM_MODEL_TALLY_H

#include "simsm/stats.h"

struct tally {
    uint64_t counter[SIMSM_COUNTER_COUNT];
    uint64_t states[SIMSM_STATE_COUNT];
    uint64_t lanes[SIMSM_WARP_LANES + 1];
    uint64_t longest_warps, blocks_inst; /* as in struct simsm_stats */
    uint64_t block_inst_max;             /* the greatest, not a sum */
};

#define TALLY(tally, id, n) ((tally)->counter[SIMSM_COUNTER_##id] += (n))

#endif
