#include "occupancy/vary.h"

#include <stdlib.h>

uint32_t vary_get(const struct simsm_launch *launch, enum vary_input input)
{
    switch (input) {
    case VARY_THREADS:
        return simsm_block_threads(launch);
    case VARY_REGISTERS:
        return launch->registers;
    case VARY_SHARED:
        return launch->shared_static + launch->shared_dynamic;
    default:
        return launch->carveout;
    }
}

void vary_set(struct simsm_launch *launch, enum vary_input input, uint32_t value)
{
    switch (input) {
    case VARY_THREADS:
        launch->block[0] = value;
        launch->block[1] = launch->block[2] = 1;
        break;
    case VARY_REGISTERS:
        launch->registers = value;
        break;
    case VARY_SHARED:
        if (launch->shared_static > value)
            launch->shared_static = value;
        launch->shared_dynamic = value - launch->shared_static;
        break;
    default:
        launch->carveout = value;
    }
}

static uint32_t shared_unit(const struct simsm_config *config)
{
    return config->sm_shared_unit ? config->sm_shared_unit : 1;
}

/* Returns the units of shared memory that the reserved bytes fill: no kernel uses less. */
static uint32_t units_reserved(const struct simsm_config *config)
{
    return config->sm_shared_reserved / shared_unit(config);
}

static uint32_t shared_most(const struct simsm_config *config)
{
    uint32_t plain = config->sm_shared_per_block, optin = config->sm_shared_per_block_optin;
    return plain > optin ? plain : optin;
}

uint32_t vary_count(const struct simsm_config *config, enum vary_input input)
{
    switch (input) {
    case VARY_THREADS:
        return config->sm_max_threads_per_block / SIMSM_WARP_LANES;
    case VARY_REGISTERS:
        return config->sm_max_registers_per_thread;
    case VARY_SHARED:
        return (shared_most(config) + config->sm_shared_reserved) / shared_unit(config) -
               units_reserved(config) + 1;
    default:
        return config->sm_carveouts_count;
    }
}

uint32_t vary_value(const struct simsm_config *config, enum vary_input input, uint32_t index)
{
    switch (input) {
    case VARY_THREADS:
        return (index + 1) * SIMSM_WARP_LANES;
    case VARY_REGISTERS:
        return index + 1;
    case VARY_SHARED:
        return index == 0 ? 0
                          : (index + units_reserved(config)) * shared_unit(config) -
                                config->sm_shared_reserved;
    default:
        return config->sm_carveouts[index];
    }
}

/* Returns the occupancy of the launch with one input changed. */
static struct vary_point at(const struct simsm_config *config, const struct simsm_launch *launch,
                            enum vary_input input, uint32_t value)
{
    struct vary_point point = {.value = value};
    struct simsm_launch changed = *launch;
    vary_set(&changed, input, value);
    (void)simsm_occupancy(config, &changed, &point.occupancy, NULL);
    return point;
}

bool vary_next_better(const struct simsm_config *config, const struct simsm_launch *launch,
                      enum vary_input input, bool above, struct vary_point *better)
{
    uint32_t own = vary_get(launch, input), count = vary_count(config, input);
    uint32_t warps = at(config, launch, input, own).occupancy.warps;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t value = vary_value(config, input, above ? i : count - 1 - i);
        if (above ? value <= own : value >= own)
            continue;
        *better = at(config, launch, input, value);
        if (better->occupancy.warps > warps)
            return true;
    }
    return false;
}

uint32_t vary_room(const struct simsm_config *config, const struct simsm_launch *launch,
                   enum vary_input input)
{
    uint32_t own = vary_get(launch, input), count = vary_count(config, input), room = own;
    uint32_t blocks = at(config, launch, input, own).occupancy.blocks;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t value = vary_value(config, input, i);
        if (value <= own)
            continue;
        if (at(config, launch, input, value).occupancy.blocks < blocks)
            break;
        room = value;
    }
    return room;
}

struct vary_point *vary_curve(const struct simsm_config *config, const struct simsm_launch *launch,
                              enum vary_input input)
{
    uint32_t count = vary_count(config, input);
    struct vary_point *points = calloc(count ? count : 1, sizeof *points);
    for (uint32_t i = 0; points && i < count; i++)
        points[i] = at(config, launch, input, vary_value(config, input, i));
    return points;
}
