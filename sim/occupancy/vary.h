/* Occupancy as a function of one input of a launch, the others held. */
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
    struct simsm_occupancy occupancy; /* 0 blocks: cannot run */
};

uint32_t vary_get(const struct simsm_launch *launch, enum vary_input input);

/* More or less shared memory is dynamic memory as far as there is any. Threads become 1-D. */
void vary_set(struct simsm_launch *launch, enum vary_input input, uint32_t value);

/*
 * Values, ascending, at which occupancy can change: whole warps, single registers, shared memory in
 * allocation units, carve-out choices. vary_count of them; `index` is below it.
 */
uint32_t vary_count(const struct simsm_config *config, enum vary_input input);
uint32_t vary_value(const struct simsm_config *config, enum vary_input input, uint32_t index);

/*
 * The nearest value above or below the launch's own at which more warps are resident. False if
 * there is none; else fills *better. The launch itself must be able to run.
 */
bool vary_next_better(const struct simsm_config *config, const struct simsm_launch *launch,
                      enum vary_input input, bool above, struct vary_point *better);

/* The largest value from the launch's own upwards that keeps as many blocks resident. */
uint32_t vary_room(const struct simsm_config *config, const struct simsm_launch *launch,
                   enum vary_input input);

/* The whole curve, vary_count points, in memory that the caller frees; NULL: out of memory. */
struct vary_point *vary_curve(const struct simsm_config *config, const struct simsm_launch *launch,
                              enum vary_input input);

#endif
