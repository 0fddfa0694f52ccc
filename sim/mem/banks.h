/* Bank conflicts: the number of passes that the lanes of one instruction take through the data
 * banks. */
#ifndef SIM_MEM_BANKS_H
#define SIM_MEM_BANKS_H

#include <stdint.h>

#include "model/inst.h"

enum { BANKS_MAX = 64 };

struct bank_passes {
    uint32_t passes; /* 0 if no lane takes part */
    uint32_t groups; /* parts of the warp with lanes: the passes without any conflict */
};

/*
 * Returns the passes of an access. `banks`: 1 to BANKS_MAX; `width`: bytes of each lane, 1 to 16.
 */
struct bank_passes banks_passes(const struct lane_addresses *addresses, uint32_t lanes,
                                uint32_t width, uint32_t banks);

/* As banks_passes, for a load from shared memory. If all lanes n and n^1, or all lanes n and n^2,
 * read the same address, two half-warps go together, or two pairs of quarter-warps. */
struct bank_passes banks_load_passes(const struct lane_addresses *addresses, uint32_t lanes,
                                     uint32_t width, uint32_t banks);

/* Returns an upper bound of banks_passes().passes at lower cost: lanes on one word count as
 * distinct words. */
uint32_t banks_bound(const struct lane_addresses *addresses, uint32_t lanes, uint32_t width,
                     uint32_t banks);

/* Turns of an atomic's lanes. Lanes take turns in a bank even if they access one word. */
struct bank_turns {
    uint32_t passes;  /* greatest number of lanes in one bank */
    uint32_t repeats; /* greatest number of lanes on one address */
};

struct bank_turns banks_turns(const struct lane_addresses *addresses, uint32_t lanes,
                              uint32_t banks);

#endif
