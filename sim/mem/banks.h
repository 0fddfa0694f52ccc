/*
 * Bank conflicts: how many passes the lanes of one instruction take through the data banks.
 *
 * Modelled: 4-byte banks; passes = the greatest number of distinct words that one bank has to
 * deliver; lanes on one word share a pass, in loads and in stores. 64-bit accesses are two
 * half-warps and 128-bit ones four quarter-warps, each with its own passes (CUDA programming guide;
 * the L1 data path of an H200 follows the same rule).
 */
#ifndef SIM_MEM_BANKS_H
#define SIM_MEM_BANKS_H

#include <stdint.h>

#include "model/inst.h"

enum { BANKS_MAX = 64 };

struct bank_passes {
    uint32_t passes; /* 0 without lanes */
    uint32_t groups; /* parts of the warp that have lanes: passes without any conflict */
};

/* `banks`: 1 to BANKS_MAX; `width`: bytes of each lane, 1 to 16. */
struct bank_passes banks_passes(const struct lane_addresses *addresses, uint32_t lanes,
                                uint32_t width, uint32_t banks);

/*
 * The same for a load from shared memory: where all lanes n and n^1, or all lanes n and n^2, want
 * the same address, two halves go together, or the first two and the last two quarters (NVIDIA on
 * its developer forum, topic 77228, for compute capability 7; the wavefronts of an H200 agree).
 */
struct bank_passes banks_load_passes(const struct lane_addresses *addresses, uint32_t lanes,
                                     uint32_t width, uint32_t banks);

/*
 * A cheap upper bound of banks_passes().passes: it counts lanes on one word as if they were
 * distinct.
 */
uint32_t banks_bound(const struct lane_addresses *addresses, uint32_t lanes, uint32_t width,
                     uint32_t banks);

/* For atomics, whose lanes take turns in a bank even on one word. */
struct bank_turns {
    uint32_t passes;  /* greatest number of lanes in one bank */
    uint32_t repeats; /* greatest number of lanes on one address */
};

struct bank_turns banks_turns(const struct lane_addresses *addresses, uint32_t lanes,
                              uint32_t banks);

#endif
