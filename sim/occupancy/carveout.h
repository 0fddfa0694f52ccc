/* The part of the unified L1 that an SM gives to shared memory. */
#ifndef SIM_OCCUPANCY_CARVEOUT_H
#define SIM_OCCUPANCY_CARVEOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/config.h"

/* Before Volta (7.0), shared memory is a memory of its own and wishes have no effect. */
bool carveout_is_fixed(const struct simsm_config *config);

/* The smallest size, in bytes, that shared memory can be set to and that holds `bytes`. */
uint32_t carveout_for(const struct simsm_config *config, uint64_t bytes);

/*
 * The size for a kernel that asks for `asked` bytes (SIMSM_CARVEOUT_DEFAULT: all) and takes
 * `block` bytes a block: a wish that would keep a single block out is raised to hold one.
 */
uint32_t carveout_asked(const struct simsm_config *config, uint32_t asked, uint64_t block);

#endif
