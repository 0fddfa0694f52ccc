/*
 * Which clusters of blocks a kernel may be launched in, and how many fit onto the GPU. Errors and
 * numbers as measured on an H100 (cuda/probe/clusters.cu, answers).
 */
#include "config/gpcs.h"
#include "cuda/cuda_launch.h"
#include "simsm/occupancy.h"

enum { PORTABLE = 8, MOST = 16 };

struct cuda_dim3 launch_required_cluster(const struct program_kernel *kernel)
{
    const uint32_t *compiled = kernel->sass->cluster;
    return compiled[0] ? (struct cuda_dim3){compiled[0], compiled[1], compiled[2]}
                       : kernel->cluster;
}

int launch_most_cluster(const struct program_kernel *kernel)
{
    return kernel->non_portable_cluster ? MOST : PORTABLE;
}

static uint64_t blocks_of(const struct cuda_dim3 *cluster)
{
    return (uint64_t)cluster->x * cluster->y * cluster->z;
}

static bool same(const struct cuda_dim3 *a, const struct cuda_dim3 *b)
{
    return a->x == b->x && a->y == b->y && a->z == b->z;
}

enum cuda_error launch_check_clusters(const struct launch *launch)
{
    const struct cuda_dim3 *cluster = &launch->cluster, *grid = &launch->grid;
    const struct program_kernel *kernel = launch->kernel;
    const struct cuda_dim3 required = launch_required_cluster(kernel);
    const uint64_t most = (uint64_t)launch_most_cluster(kernel);
    if (!cluster->x && !cluster->y && !cluster->z)
        return CUDA_SUCCESS;
    if (code_sm(kernel) < 90)
        return rt_report(CUDA_NOT_SUPPORTED, "%s is compiled for sm_%u, which has no clusters",
                         kernel->plain, code_sm(kernel));
    if (required.x && !same(&required, cluster))
        return rt_report(CUDA_INVALID_CLUSTER_SIZE,
                         "clusters of (%u,%u,%u) blocks; %s must have (%u,%u,%u)", cluster->x,
                         cluster->y, cluster->z, kernel->plain, required.x, required.y, required.z);
    if (!blocks_of(cluster) || blocks_of(cluster) > most)
        return rt_report(CUDA_INVALID_CLUSTER_SIZE,
                         "clusters of (%u,%u,%u) blocks; %s may have 1 to %llu blocks in one%s",
                         cluster->x, cluster->y, cluster->z, kernel->plain,
                         (unsigned long long)most,
                         most < MOST ? ": allow more with cudaFuncSetAttribute" : "");
    if (grid->x % cluster->x || grid->y % cluster->y || grid->z % cluster->z)
        return rt_report(CUDA_INVALID_CLUSTER_SIZE,
                         "a grid of (%u,%u,%u) blocks is not made of clusters of (%u,%u,%u)",
                         grid->x, grid->y, grid->z, cluster->x, cluster->y, cluster->z);
    return CUDA_SUCCESS;
}

enum cuda_error launch_check_places(const struct runtime *rt, const struct launch *launch,
                                    uint32_t blocks_per_sm)
{
    const uint32_t size = (uint32_t)blocks_of(&launch->cluster);
    if (size <= 1 || gpcs_clusters(&rt->config, size, blocks_per_sm))
        return CUDA_SUCCESS;
    return rt_report(CUDA_INVALID_CLUSTER_SIZE,
                     "a cluster of %u blocks needs as many SMs of one GPC with room, and no GPC of "
                     "the %u SMs simulated has them, as SMs are spread over all GPCs: use a "
                     "smaller cluster, or the SMs of the whole GPU (without --sms)",
                     size, rt->config.gpu_sms);
}

enum cuda_error launch_count_clusters(const struct runtime *rt, struct program_kernel *kernel,
                                      const struct cuda_launch_config *config,
                                      struct cuda_dim3 cluster, int *clusters)
{
    static const struct cuda_dim3 one = {1, 1, 1};
    struct launch launch = {.kernel = kernel,
                            .grid = config->grid,
                            .block = config->block,
                            .cluster = cluster.x ? cluster : launch_required_cluster(kernel),
                            .shared = (uint32_t)config->shared,
                            .carveout_percent = kernel->carveout_percent};
    struct simsm_launch described;
    struct simsm_occupancy occupancy;
    launch.cluster = launch.cluster.x ? launch.cluster : one;
    /* A GPU also counts clusters that it would not launch, of more than 16 blocks. */
    const bool uncommon = kernel->non_portable_cluster && blocks_of(&launch.cluster) > MOST;
    const enum cuda_error error = uncommon ? CUDA_SUCCESS : launch_check_clusters(&launch);
    if (error != CUDA_SUCCESS)
        return error;
    launch_describe(rt, &launch, &described);
    const bool fits = simsm_occupancy(&rt->config, &described, &occupancy, NULL) == SIMSM_OK;
    *clusters = fits ? (int)gpcs_clusters(&rt->config, (uint32_t)blocks_of(&launch.cluster),
                                          occupancy.blocks)
                     : 0;
    return CUDA_SUCCESS;
}
