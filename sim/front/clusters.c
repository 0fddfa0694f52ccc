#include "front/clusters.h"

uint32_t cluster_size(const struct simsm_launch *launch)
{
    return launch->cluster[0] * launch->cluster[1] * launch->cluster[2];
}

uint64_t cluster_block(const struct simsm_launch *launch, uint64_t order, uint32_t *rank)
{
    const uint32_t size = cluster_size(launch), *in = launch->cluster;
    uint64_t id[3];
    *rank = 0;
    if (!size)
        return order;
    uint64_t cluster = order / size;
    uint32_t left = *rank = (uint32_t)(order % size);
    for (unsigned d = 0; d < 3; d++) {
        const uint32_t clusters = launch->grid[d] / in[d];
        id[d] = cluster % clusters * in[d] + left % in[d];
        cluster /= clusters;
        left /= in[d];
    }
    return id[0] + launch->grid[0] * (id[1] + launch->grid[1] * id[2]);
}

uint32_t cluster_rank_of(const struct simsm_launch *launch, uint64_t index)
{
    const uint32_t *in = launch->cluster;
    uint32_t rank = 0, unit = 1;
    for (unsigned d = 0; d < 3 && cluster_size(launch); d++) {
        rank += (uint32_t)(index % launch->grid[d] % in[d]) * unit;
        unit *= in[d];
        index /= launch->grid[d];
    }
    return rank;
}
