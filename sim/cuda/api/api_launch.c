/* Kernel launches: cudaLaunchKernel and its variants. */
#include "cuda/cuda_launch.h"
#include "cuda/cuda_stream.h"

/* Checks and packs a launch, then submits it to the stream. */
static enum cuda_error submit(const char *function, const struct launch_request *request,
                              void *stream)
{
    struct runtime *rt = rt_enter(function);
    if (!rt)
        return rt_leave(rt_refusal());
    struct stream_work work;
    enum cuda_error error = launch_prepare(rt, request, &work);
    return rt_leave(error == CUDA_SUCCESS ? stream_submit_and_free(rt, stream, &work) : error);
}

enum cuda_error cudaLaunchKernel(const void *stub, struct cuda_dim3 grid, struct cuda_dim3 block,
                                 void **arguments, size_t shared, void *stream)
{
    const struct launch_request request = {.stub = stub,
                                           .grid = grid,
                                           .block = block,
                                           .arguments = arguments,
                                           .shared = shared,
                                           .carveout_percent = -1};
    return submit(__func__, &request, stream);
}

enum cuda_error __cudaLaunchKernel(struct program_kernel *kernel, struct cuda_dim3 grid,
                                   struct cuda_dim3 block, void **arguments, size_t shared,
                                   void *stream)
{
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

enum cuda_error cudaLaunchCooperativeKernel(const void *stub, struct cuda_dim3 grid,
                                            struct cuda_dim3 block, void **arguments, size_t shared,
                                            void *stream)
{
    const struct launch_request request = {.stub = stub,
                                           .grid = grid,
                                           .block = block,
                                           .arguments = arguments,
                                           .shared = shared,
                                           .carveout_percent = -1,
                                           .cooperative = true};
    return submit(__func__, &request, stream);
}

/*
 * Copies the attributes that change the simulation from `config` to `request`; the other attributes
 * are hints.
 */
static void apply(const struct cuda_launch_config *config, struct launch_request *request)
{
    for (unsigned i = 0; i < config->attribute_count; i++) {
        const struct cuda_launch_attribute *a = &config->attributes[i];
        if (a->id == LAUNCH_COOPERATIVE)
            request->cooperative = a->value.cooperative != 0;
        else if (a->id == LAUNCH_DEPENDENT)
            request->dependent = a->value.dependent != 0;
        else if (a->id == LAUNCH_CARVEOUT)
            request->carveout_percent = (int)a->value.carveout_percent;
        else if (a->id == LAUNCH_CLUSTER)
            request->cluster = a->value.cluster;
    }
}

enum cuda_error cudaLaunchKernelExC(const struct cuda_launch_config *config, const void *stub,
                                    void **arguments)
{
    if (!config)
        return rt_set_last_error(CUDA_INVALID_VALUE);
    struct launch_request request = {.stub = stub,
                                     .grid = config->grid,
                                     .block = config->block,
                                     .arguments = arguments,
                                     .shared = config->shared,
                                     .carveout_percent = -1};
    apply(config, &request);
    return submit(__func__, &request, config->stream);
}

enum cuda_error cudaLaunchKernel_ptsz(const void *stub, struct cuda_dim3 grid,
                                      struct cuda_dim3 block, void **arguments, size_t shared,
                                      void *stream)
{
    return cudaLaunchKernel(stub, grid, block, arguments, shared, stream_per_thread(stream));
}

enum cuda_error __cudaLaunchKernel_ptsz(struct program_kernel *kernel, struct cuda_dim3 grid,
                                        struct cuda_dim3 block, void **arguments, size_t shared,
                                        void *stream)
{
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream_per_thread(stream));
}

enum cuda_error cudaLaunchCooperativeKernel_ptsz(const void *stub, struct cuda_dim3 grid,
                                                 struct cuda_dim3 block, void **arguments,
                                                 size_t shared, void *stream)
{
    return cudaLaunchCooperativeKernel(stub, grid, block, arguments, shared,
                                       stream_per_thread(stream));
}

enum cuda_error cudaLaunchKernelExC_ptsz(const struct cuda_launch_config *config, const void *stub,
                                         void **arguments)
{
    struct cuda_launch_config mine = config ? *config : (struct cuda_launch_config){0};
    mine.stream = stream_per_thread(mine.stream);
    return cudaLaunchKernelExC(config ? &mine : NULL, stub, arguments);
}

enum cuda_error cudaOccupancyMaxActiveClusters(int *clusters, const void *stub,
                                               const struct cuda_launch_config *config)
{
    struct runtime *rt = rt_enter(__func__);
    struct program_kernel *kernel;
    struct launch_request request = {.carveout_percent = -1};
    enum cuda_error error = rt ? code_kernel(rt, stub, &kernel) : rt_refusal();
    if (error == CUDA_SUCCESS && (!clusters || !config))
        error = CUDA_INVALID_VALUE;
    if (error != CUDA_SUCCESS)
        return rt_leave(error);
    apply(config, &request);
    return rt_leave(launch_count_clusters(rt, kernel, config, request.cluster, clusters));
}

enum cuda_error cudaOccupancyMaxPotentialClusterSize(int *size, const void *stub,
                                                     const struct cuda_launch_config *config)
{
    struct runtime *rt = rt_enter(__func__);
    struct program_kernel *kernel;
    enum cuda_error error = rt ? code_kernel(rt, stub, &kernel) : rt_refusal();
    if (error == CUDA_SUCCESS && (!size || !config))
        error = CUDA_INVALID_VALUE;
    if (error == CUDA_SUCCESS)
        *size = launch_most_cluster(kernel);
    return rt_leave(error);
}
