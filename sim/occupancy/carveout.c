#include "occupancy/carveout.h"

#include "simsm/kernel.h"

bool carveout_is_fixed(const struct simsm_config *config)
{
    return config->gpu_compute_capability < 70 || config->sm_carveouts_count == 0;
}

uint32_t carveout_for(const struct simsm_config *config, uint64_t bytes)
{
    if (carveout_is_fixed(config))
        return config->sm_shared_bytes;
    for (uint32_t i = 0; i < config->sm_carveouts_count; i++) {
        if (config->sm_carveouts[i] >= bytes)
            return config->sm_carveouts[i];
    }
    return config->sm_shared_bytes;
}

uint32_t carveout_asked(const struct simsm_config *config, uint32_t asked, uint64_t block)
{
    uint32_t size =
        carveout_for(config, asked < config->sm_shared_bytes ? asked : config->sm_shared_bytes);
    return size < block ? carveout_for(config, block) : size;
}
