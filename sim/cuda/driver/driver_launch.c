/* Launches through the driver API, and attributes of functions. */
#include <stdint.h>
#include <string.h>

#include "cuda/driver/driver.h"

enum { PARAMETERS_MOST = 4096 };

/* CU_LAUNCH_PARAM_*: the keys of `extra`, which describes a buffer with all parameters. */
enum { EXTRA_BUFFER = 1, EXTRA_SIZE = 2 };

struct driver_launch_config {
    unsigned grid[3], block[3], shared;
    void *stream;
    const struct cuda_launch_attribute *attributes;
    unsigned attribute_count;
};

enum cuda_error cudaFuncGetParamInfo(const void *kernel, size_t index, size_t *offset,
                                     size_t *size);
enum cuda_error cudaFuncGetAttributes(struct cuda_func_attributes *attributes, const void *kernel);
enum cuda_error cudaLaunchKernelExC(const struct cuda_launch_config *config, const void *kernel,
                                    void **parameters);
enum cuda_error cudaOccupancyMaxActiveClusters(int *clusters, const void *kernel,
                                               const struct cuda_launch_config *config);
enum cuda_error cudaOccupancyMaxPotentialClusterSize(int *size, const void *kernel,
                                                     const struct cuda_launch_config *config);

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                   void *stream, void **parameters, void **extra);
int cuLaunchCooperativeKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                              unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                              void *stream, void **parameters);
int cuLaunchKernelEx(const struct driver_launch_config *config, void *function, void **parameters,
                     void **extra);
int cuOccupancyMaxActiveClusters(int *clusters, void *function,
                                 const struct driver_launch_config *from);
int cuOccupancyMaxPotentialClusterSize(int *size, void *function,
                                       const struct driver_launch_config *from);
int cuFuncGetAttribute(int *value, int attribute, void *function);
int cuKernelGetFunction(void **function, void *kernel);
int cuLibraryGetModule(void **module, void *library);

/*
 * Fills list[] with pointers to the parameters in the buffer of `extra`. Fails if the buffer does
 * not hold all parameters.
 */
static int list_buffer(void *function, void **extra, void **list)
{
    uint8_t *buffer = NULL;
    size_t room = 0, offset, size;
    for (; extra[0]; extra += 2)
        if ((uintptr_t)extra[0] == EXTRA_BUFFER)
            buffer = extra[1];
        else if ((uintptr_t)extra[0] == EXTRA_SIZE && extra[1])
            memcpy(&room, extra[1], sizeof room);
    for (size_t i = 0;
         i < PARAMETERS_MOST && cudaFuncGetParamInfo(function, i, &offset, &size) == CUDA_SUCCESS;
         i++) {
        if (!buffer || offset > room || size > room - offset)
            return DRIVER_INVALID_VALUE;
        list[i] = buffer + offset;
    }
    return DRIVER_SUCCESS;
}

/*
 * Launches through the runtime. If `parameters` and `extra` are NULL, the runtime refuses kernels
 * that have parameters.
 */
static int launch(const struct cuda_launch_config *config, void *function, void **parameters,
                  void **extra)
{
    void *list[PARAMETERS_MOST];
    int result = DRIVER_SUCCESS;
    if (!parameters && extra) {
        result = list_buffer(function, extra, list);
        parameters = list;
    }
    return result == DRIVER_SUCCESS
               ? driver_result(cudaLaunchKernelExC(config, function, parameters))
               : result;
}

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                   void *stream, void **parameters, void **extra)
{
    const struct cuda_launch_config config = {.grid = {grid_x, grid_y, grid_z},
                                              .block = {block_x, block_y, block_z},
                                              .shared = shared,
                                              .stream = stream};
    return launch(&config, function, parameters, extra);
}

int cuLaunchCooperativeKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                              unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                              void *stream, void **parameters)
{
    const struct cuda_launch_attribute cooperative = {.id = LAUNCH_COOPERATIVE,
                                                      .value.cooperative = 1};
    const struct cuda_launch_config config = {.grid = {grid_x, grid_y, grid_z},
                                              .block = {block_x, block_y, block_z},
                                              .shared = shared,
                                              .stream = stream,
                                              .attributes = &cooperative,
                                              .attribute_count = 1};
    return launch(&config, function, parameters, NULL);
}

static struct cuda_launch_config config_of(const struct driver_launch_config *from)
{
    return (struct cuda_launch_config){.grid = {from->grid[0], from->grid[1], from->grid[2]},
                                       .block = {from->block[0], from->block[1], from->block[2]},
                                       .shared = from->shared,
                                       .stream = from->stream,
                                       .attributes = from->attributes,
                                       .attribute_count = from->attribute_count};
}

int cuLaunchKernelEx(const struct driver_launch_config *from, void *function, void **parameters,
                     void **extra)
{
    if (!from)
        return DRIVER_INVALID_VALUE;
    const struct cuda_launch_config config = config_of(from);
    return launch(&config, function, parameters, extra);
}

int cuOccupancyMaxActiveClusters(int *clusters, void *function,
                                 const struct driver_launch_config *from)
{
    if (!from)
        return DRIVER_INVALID_VALUE;
    const struct cuda_launch_config config = config_of(from);
    return driver_result(cudaOccupancyMaxActiveClusters(clusters, function, &config));
}

int cuOccupancyMaxPotentialClusterSize(int *size, void *function,
                                       const struct driver_launch_config *from)
{
    if (!from)
        return DRIVER_INVALID_VALUE;
    const struct cuda_launch_config config = config_of(from);
    return driver_result(cudaOccupancyMaxPotentialClusterSize(size, function, &config));
}

int cuFuncGetAttribute(int *value, int attribute, void *function)
{
    struct cuda_func_attributes a = {0};
    if (!value)
        return DRIVER_INVALID_VALUE;
    const enum cuda_error error = cudaFuncGetAttributes(&a, function);
    const int all[] = {a.max_threads,       (int)a.shared_bytes,   (int)a.const_bytes,
                       (int)a.local_bytes,  a.registers,           a.ptx_version,
                       a.binary_version,    a.cache_mode_ca,       a.max_dynamic_shared,
                       a.carveout_percent,  a.cluster_must_be_set, a.cluster_width,
                       a.cluster_height,    a.cluster_depth,       a.non_portable_cluster,
                       a.cluster_scheduling}; /* indexed by CU_FUNC_ATTRIBUTE_* */
    if (attribute < 0 || (size_t)attribute >= sizeof all / sizeof all[0])
        return DRIVER_INVALID_VALUE;
    *value = all[attribute];
    return driver_result(error);
}

/* A kernel is a function, and a library is a module: handles are passed through. */
int cuKernelGetFunction(void **function, void *kernel)
{
    if (function)
        *function = kernel;
    return function && kernel ? DRIVER_SUCCESS : DRIVER_INVALID_VALUE;
}

int cuLibraryGetModule(void **module, void *library)
{
    return cuKernelGetFunction(module, library);
}
