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
 * are hints. Returns false if the launch has clusters of more than one block.
 */
static bool apply(const struct cuda_launch_config *config, struct launch_request *request)
{
    for (unsigned i = 0; i < config->attribute_count; i++) {
        const struct cuda_launch_attribute *a = &config->attributes[i];
        const struct cuda_dim3 *cluster = &a->value.cluster;
        if (a->id == LAUNCH_COOPERATIVE)
            request->cooperative = a->value.cooperative != 0;
        else if (a->id == LAUNCH_DEPENDENT)
            request->dependent = a->value.dependent != 0;
        else if (a->id == LAUNCH_CARVEOUT)
            request->carveout_percent = (int)a->value.carveout_percent;
        else if (a->id == LAUNCH_CLUSTER && (cluster->x > 1 || cluster->y > 1 || cluster->z > 1))
            return false;
    }
    return true;
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
    if (apply(config, &request))
        return submit(__func__, &request, config->stream);
    rt_lock(__func__);
    return rt_leave(rt_report(CUDA_NOT_SUPPORTED, "clusters of thread blocks are not supported"));
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
