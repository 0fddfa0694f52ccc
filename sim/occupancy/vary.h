/* Occupancy as a function of one input of a launch; the other inputs stay the same. */
#ifndef SIM_OCCUPANCY_VARY_H
#define SIM_OCCUPANCY_VARY_H

#include <stdbool.h>
#include <stddef.h>

#include "simsm/occupancy.h"

enum vary_input {
    VARY_THREADS,   /* per block */
    VARY_REGISTERS, /* per thread */
    VARY_SHARED,    /* bytes per block, static and dynamic */
    VARY_CARVEOUT,  /* bytes per SM */
    VARY_COUNT
};

struct vary_point {
    uint32_t value;
    struct simsm_occupancy occupancy; /* 0 blocks: the launch cannot run */
};

uint32_t vary_get(const struct simsm_launch *launch, enum vary_input input);

/* Sets one input. A change of shared memory changes the dynamic part as far as there is one. A
 * change of threads makes the block one-dimensional. */
void vary_set(struct simsm_launch *launch, enum vary_input input, uint32_t value);

/*
 * The values of an input at which occupancy can change, ascending: whole warps, single registers,
 * allocation units of shared memory, possible carve-outs. vary_count returns their number; `index`
 * is below it.
 */
uint32_t vary_count(const struct simsm_config *config, enum vary_input input);
uint32_t vary_value(const struct simsm_config *config, enum vary_input input, uint32_t index);

/*
 * Fills *better with the nearest value, above or below that of the launch, at which more warps are
 * resident. Returns false if there is none. The launch itself must be able to run.
 */
bool vary_next_better(const struct simsm_config *config, const struct simsm_launch *launch,
                      enum vary_input input, bool above, struct vary_point *better);

/* Returns the largest value, not below that of the launch, that keeps as many blocks resident. */
uint32_t vary_room(const struct simsm_config *config, const struct simsm_launch *launch,
                   enum vary_input input);

/* Returns the curve, vary_count points, which the caller frees; NULL if memory runs out. */
struct vary_point *vary_curve(const struct simsm_config *config, const struct simsm_launch *launch,
                              enum vary_input input);

#endif
