/* The carve-out: the part of the unified L1 that is shared memory. */
#ifndef SIM_OCCUPANCY_CARVEOUT_H
#define SIM_OCCUPANCY_CARVEOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/config.h"

/* Returns true before Volta (7.0), where shared memory is separate from L1 and has a fixed size. */
bool carveout_is_fixed(const struct simsm_config *config);

/* Returns the smallest carve-out that holds `bytes`. In bytes. */
uint32_t carveout_for(const struct simsm_config *config, uint64_t bytes);

/*
 * Returns the carve-out in bytes for a kernel that asks for `asked` bytes (SIMSM_CARVEOUT_DEFAULT:
 * all) and needs `block` bytes for each block. It always holds at least one block.
 */
uint32_t carveout_asked(const struct simsm_config *config, uint32_t asked, uint64_t block);

#endif
