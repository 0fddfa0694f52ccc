/* Attributes of kernels, and occupancy: how many blocks of a kernel fit into an SM. */
#include <string.h>

#include "cuda/abi/abi_functions.h"
#include "cuda/cuda_code.h"
#include "cuda/cuda_launch.h"
#include "simsm/occupancy.h"

/*
 * Describes a launch of one block of `threads` threads with `shared` bytes of dynamic shared
 * memory.
 */
static void describe(const struct runtime *rt, struct program_kernel *kernel, uint32_t threads,
                     size_t shared, struct simsm_launch *launch)
{
    const struct launch one = {.kernel = kernel,
                               .grid = {1, 1, 1},
                               .block = {threads, 1, 1},
                               .shared = shared > UINT32_MAX ? UINT32_MAX : (uint32_t)shared,
                               .carveout_percent = kernel->carveout_percent};
    launch_describe(rt, &one, launch);
}

/*
 * Returns how many blocks of `threads` threads and `shared` bytes of dynamic shared memory fit into
 * an SM; 0: not even one block.
 */
static uint32_t resident_blocks(const struct runtime *rt, struct program_kernel *kernel,
                                uint32_t threads, size_t shared)
{
    struct simsm_launch launch;
    struct simsm_occupancy occupancy;
    describe(rt, kernel, threads, shared, &launch);
    return simsm_occupancy(&rt->config, &launch, &occupancy, NULL) == SIMSM_OK ? occupancy.blocks
                                                                               : 0;
}

static void fill_attributes(const struct runtime *rt, struct program_kernel *kernel,
                            struct cuda_func_attributes *attributes)
{
    const struct simsm_config *config = &rt->config;
    const struct cuda_dim3 cluster = launch_required_cluster(kernel);
    struct simsm_launch launch;
    uint32_t threads = config->sm_max_threads_per_block;
    if (kernel->sass->max_threads && kernel->sass->max_threads < threads)
        threads = kernel->sass->max_threads;
    while (threads > 32 && resident_blocks(rt, kernel, threads, 0) == 0)
        threads -= 32;
    describe(rt, kernel, threads, 0, &launch);
    *attributes = (struct cuda_func_attributes){
        .shared_bytes = launch.shared_static,
        .const_bytes = kernel->sass->constant2_bytes,
        .local_bytes = kernel->sass->local_bytes,
        .max_threads = (int)threads,
        .registers = (int)kernel->sass->registers,
        .ptx_version = (int)code_sm(kernel),
        .binary_version = (int)code_sm(kernel),
        .max_dynamic_shared =
            (int)(kernel->max_dynamic_shared ? kernel->max_dynamic_shared
                                             : config->sm_shared_per_block - launch.shared_static),
        .carveout_percent = kernel->carveout_percent,
        .cluster_must_be_set = cluster.x != 0,
        .cluster_width = (int)cluster.x,
        .cluster_height = (int)cluster.y,
        .cluster_depth = (int)cluster.z,
        .cluster_scheduling = kernel->cluster_scheduling,
        .non_portable_cluster = kernel->non_portable_cluster,
    };
}

enum cuda_error rt_get_function_attributes(const char *function,
                                           struct cuda_func_attributes *attributes,
                                           const void *stub, size_t size)
{
    struct runtime *rt = rt_enter(function);
    struct program_kernel *kernel;
    struct cuda_func_attributes filled;
    enum cuda_error error = rt ? code_kernel(rt, stub, &kernel) : rt_refusal();
    if (error == CUDA_SUCCESS && !attributes)
        error = CUDA_INVALID_VALUE;
    if (error == CUDA_SUCCESS) {
        fill_attributes(rt, kernel, &filled);
        memcpy(attributes, &filled, size);
    }
    return rt_leave(error);
}

static enum cuda_error set_cluster_attribute(struct program_kernel *kernel, int attribute,
                                             int value)
{
    uint32_t *const width[] = {&kernel->cluster.x, &kernel->cluster.y, &kernel->cluster.z};
    if (value < 0)
        return CUDA_INVALID_VALUE;
    switch (attribute) {
    case FUNC_CLUSTER_WIDTH:
    case FUNC_CLUSTER_HEIGHT:
    case FUNC_CLUSTER_DEPTH:
        for (unsigned d = 0; d < 3; d++) /* extents that were not set are 1 */
            *width[d] = *width[d] ? *width[d] : 1;
        *width[attribute - FUNC_CLUSTER_WIDTH] = (uint32_t)value;
        return CUDA_SUCCESS;
    case FUNC_NON_PORTABLE_CLUSTER:
        kernel->non_portable_cluster = value != 0;
        return CUDA_SUCCESS;
    case FUNC_CLUSTER_SCHEDULING:
        kernel->cluster_scheduling = value;
        return CUDA_SUCCESS;
    default:
        return CUDA_INVALID_VALUE;
    }
}

static enum cuda_error set_attribute(const struct runtime *rt, struct program_kernel *kernel,
                                     int attribute, int value)
{
    struct simsm_launch launch;
    describe(rt, kernel, 32, 0, &launch);
    uint32_t room = rt->config.sm_shared_per_block_optin;
    room = room > launch.shared_static ? room - launch.shared_static : 0;
    if (attribute == FUNC_MAX_DYNAMIC_SHARED) {
        if (value < 0 || (uint32_t)value > room)
            return rt_report(CUDA_INVALID_VALUE,
                             "%d bytes of dynamic shared memory for %s; %s allows %u", value,
                             kernel->plain, rt->config.gpu_name, room);
        kernel->max_dynamic_shared = (uint32_t)value;
        return CUDA_SUCCESS;
    }
    if (attribute == FUNC_CARVEOUT) {
        if (value < -1 || value > 100)
            return CUDA_INVALID_VALUE;
        kernel->carveout_percent = value;
        return CUDA_SUCCESS;
    }
    return set_cluster_attribute(kernel, attribute, value);
}

enum cuda_error cudaFuncSetAttribute(const void *stub, int attribute, int value)
{
    struct runtime *rt = rt_enter(__func__);
    struct program_kernel *kernel;
    enum cuda_error error = rt ? code_kernel(rt, stub, &kernel) : rt_refusal();
    return rt_leave(error == CUDA_SUCCESS ? set_attribute(rt, kernel, attribute, value) : error);
}

/*
 * Checks that the kernel exists, for functions that set a hint about caches. The hints have no
 * effect, as on GPUs since Volta.
 */
static enum cuda_error check_kernel(const char *function, const void *stub)
{
    struct runtime *rt = rt_enter(function);
    struct program_kernel *kernel;
    return rt_leave(rt ? code_kernel(rt, stub, &kernel) : rt_refusal());
}

enum cuda_error cudaFuncSetCacheConfig(const void *stub, int config)
{
    (void)config;
    return check_kernel(__func__, stub);
}

enum cuda_error cudaFuncSetSharedMemConfig(const void *stub, int config)
{
    (void)config;
    return check_kernel(__func__, stub);
}

enum cuda_error cudaFuncGetName(const char **name, const void *stub)
{
    struct runtime *rt = rt_enter(__func__);
    const struct program_kernel *kernel = rt ? code_find_kernel(rt->code, stub) : NULL;
    if (!rt || !name || !kernel)
        return rt_leave(!rt     ? rt_refusal()
                        : !name ? CUDA_INVALID_VALUE
                                : CUDA_INVALID_DEVICE_FUNCTION);
    *name = kernel->name;
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error cudaFuncGetParamInfo(const void *stub, size_t index, size_t *offset, size_t *size)
{
    struct runtime *rt = rt_enter(__func__);
    struct program_kernel *kernel;
    enum cuda_error error = rt ? code_kernel(rt, stub, &kernel) : rt_refusal();
    if (error == CUDA_SUCCESS && (!offset || index >= kernel->sass->params))
        error = CUDA_INVALID_VALUE;
    if (error != CUDA_SUCCESS)
        return rt_leave(error);
    *offset = kernel->sass->param[index].offset;
    if (size)
        *size = kernel->sass->param[index].size;
    return rt_leave(CUDA_SUCCESS);
}

static enum cuda_error count_blocks(const char *function, int *blocks, const void *stub,
                                    int threads, size_t shared)
{
    struct runtime *rt = rt_enter(function);
    struct program_kernel *kernel;
    enum cuda_error error = rt ? code_kernel(rt, stub, &kernel) : rt_refusal();
    if (error == CUDA_SUCCESS && (!blocks || threads <= 0))
        error = CUDA_INVALID_VALUE;
    if (error == CUDA_SUCCESS)
        *blocks = (int)resident_blocks(rt, kernel, (uint32_t)threads, shared);
    return rt_leave(error);
}

enum cuda_error cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *stub,
                                                              int threads, size_t shared)
{
    return count_blocks(__func__, blocks, stub, threads, shared);
}

enum cuda_error cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                                       const void *stub,
                                                                       int threads, size_t shared,
                                                                       unsigned flags)
{
    (void)flags;
    return count_blocks(__func__, blocks, stub, threads, shared);
}

/*
 * Returns the most dynamic shared memory (bytes) with which `blocks` blocks fit into an SM.
 * Bisects.
 */
static size_t most_shared(const struct runtime *rt, struct program_kernel *kernel, uint32_t blocks,
                          uint32_t threads)
{
    uint32_t low = 0, high = rt->config.sm_shared_per_block_optin + 1;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (resident_blocks(rt, kernel, threads, middle) >= blocks)
            low = middle;
        else
            high = middle;
    }
    return low;
}

enum cuda_error cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared, const void *stub,
                                                          int blocks, int threads)
{
    struct runtime *rt = rt_enter(__func__);
    struct program_kernel *kernel;
    enum cuda_error error = rt ? code_kernel(rt, stub, &kernel) : rt_refusal();
    if (error == CUDA_SUCCESS &&
        (!shared || blocks <= 0 || threads <= 0 ||
         resident_blocks(rt, kernel, (uint32_t)threads, 0) < (uint32_t)blocks))
        error = CUDA_INVALID_VALUE;
    if (error == CUDA_SUCCESS)
        *shared = most_shared(rt, kernel, (uint32_t)blocks, (uint32_t)threads);
    return rt_leave(error);
}
