/* Nodes of graphs whose parameters differ from those of the runtime API. */
#include <string.h>

#include "cuda/cuda_code.h"
#include "cuda/driver/driver.h"
#include "cuda/driver/driver_array.h"
#include "cuda/graph_api.h"

enum cuda_error cudaGraphAddKernelNode(void **node, void *graph, void *const *from, size_t count,
                                       const struct cuda_kernel_node *params);
enum cuda_error cudaGraphKernelNodeGetParams(void *node, struct cuda_kernel_node *params);
enum cuda_error cudaGraphKernelNodeSetParams(void *node, const struct cuda_kernel_node *params);
enum cuda_error cudaGraphExecKernelNodeSetParams(void *exec, void *node,
                                                 const struct cuda_kernel_node *params);
enum cuda_error cudaGraphAddMemcpyNode(void **node, void *graph, void *const *from, size_t count,
                                       const struct cuda_copy_3d *params);
enum cuda_error cudaGraphMemcpyNodeGetParams(void *node, struct cuda_copy_3d *params);
enum cuda_error cudaGraphMemcpyNodeSetParams(void *node, const struct cuda_copy_3d *params);
enum cuda_error cudaGraphExecMemcpyNodeSetParams(void *exec, void *node,
                                                 const struct cuda_copy_3d *params);

int cuGraphAddKernelNode_v2(void **node, void *graph, void *const *from, size_t count,
                            const struct driver_kernel_node *params);
int cuGraphKernelNodeGetParams(void *node, struct cuda_kernel_node *params);
int cuGraphKernelNodeGetParams_v2(void *node, struct driver_kernel_node *params);
int cuGraphKernelNodeSetParams_v2(void *node, const struct driver_kernel_node *params);
int cuGraphExecKernelNodeSetParams_v2(void *exec, void *node,
                                      const struct driver_kernel_node *params);
int cuGraphAddMemcpyNode(void **node, void *graph, void *const *from, size_t count,
                         const struct driver_copy_3d *params, void *context);
int cuGraphMemcpyNodeGetParams(void *node, struct driver_copy_3d *params);
int cuGraphMemcpyNodeSetParams(void *node, const struct driver_copy_3d *params);
int cuGraphExecMemcpyNodeSetParams(void *exec, void *node, const struct driver_copy_3d *params,
                                   void *context);
int cuGraphAddNode(void **node, void *graph, void *const *from, size_t count,
                   const struct driver_node_params *params);
int cuGraphAddNode_v2(void **node, void *graph, void *const *from, const struct cuda_edge *edges,
                      size_t count, const struct driver_node_params *params);
int cuGraphNodeSetParams(void *node, const struct driver_node_params *params);
int cuGraphExecNodeSetParams(void *exec, void *node, const struct driver_node_params *params);
int cuGraphInstantiate(void **exec, void *graph, void **error_node, char *log, size_t size);
int cuGraphInstantiate_v2(void **exec, void *graph, void **error_node, char *log, size_t size);

static struct cuda_kernel_node kernel_of(const struct driver_kernel_node *params)
{
    struct cuda_kernel_node node = params->node;
    node.function = node.function ? node.function : params->kernel;
    return node;
}

int cuGraphAddKernelNode_v2(void **node, void *graph, void *const *from, size_t count,
                            const struct driver_kernel_node *params)
{
    if (!params)
        return DRIVER_INVALID_VALUE;
    const struct cuda_kernel_node made = kernel_of(params);
    return driver_result(cudaGraphAddKernelNode(node, graph, from, count, &made));
}

/* The runtime's answer has the address of the host function, where the driver's has a handle. */
int cuGraphKernelNodeGetParams(void *node, struct cuda_kernel_node *params)
{
    const int result = driver_result(cudaGraphKernelNodeGetParams(node, params));
    if (result == DRIVER_SUCCESS)
        params->function = code_find_kernel(code_of_program(), params->function);
    return result;
}

int cuGraphKernelNodeGetParams_v2(void *node, struct driver_kernel_node *params)
{
    if (!params)
        return DRIVER_INVALID_VALUE;
    *params = (struct driver_kernel_node){.context = NULL};
    const int result = cuGraphKernelNodeGetParams(node, &params->node);
    params->kernel = params->node.function; /* the one that NVIDIA's runtime reads */
    return result;
}

int cuGraphKernelNodeSetParams_v2(void *node, const struct driver_kernel_node *params)
{
    if (!params)
        return DRIVER_INVALID_VALUE;
    const struct cuda_kernel_node made = kernel_of(params);
    return driver_result(cudaGraphKernelNodeSetParams(node, &made));
}

int cuGraphExecKernelNodeSetParams_v2(void *exec, void *node,
                                      const struct driver_kernel_node *params)
{
    if (!params)
        return DRIVER_INVALID_VALUE;
    const struct cuda_kernel_node made = kernel_of(params);
    return driver_result(cudaGraphExecKernelNodeSetParams(exec, node, &made));
}

int cuGraphAddMemcpyNode(void **node, void *graph, void *const *from, size_t count,
                         const struct driver_copy_3d *params, void *context)
{
    struct cuda_copy_3d made;
    const int result = driver_copy_3d(params, &made);
    (void)context;
    return result == DRIVER_SUCCESS
               ? driver_result(cudaGraphAddMemcpyNode(node, graph, from, count, &made))
               : result;
}

/* `host_kind`: the kind of copies between device and host in which this side is the host's. */
static struct driver_side_3d side_of(const struct cuda_pitched_ptr *memory, int kind, int host_kind)
{
    struct driver_side_3d side = {.pitch = memory->pitch, .height = memory->ysize};
    const bool host = kind == host_kind || kind == COPY_HOST_TO_HOST;
    side.type = kind == COPY_DEFAULT ? SIDE_UNIFIED : host ? SIDE_HOST : SIDE_DEVICE;
    *(host ? &side.host : &side.device) = memory->ptr;
    return side;
}

/* A node has stored its copy as one of addresses, also where the program named an array. */
int cuGraphMemcpyNodeGetParams(void *node, struct driver_copy_3d *params)
{
    struct cuda_copy_3d made;
    if (!params)
        return DRIVER_INVALID_VALUE;
    const int result = driver_result(cudaGraphMemcpyNodeGetParams(node, &made));
    if (result != DRIVER_SUCCESS)
        return result;
    *params = (struct driver_copy_3d){
        .src = side_of(&made.src, made.kind, COPY_HOST_TO_DEVICE),
        .dst = side_of(&made.dst, made.kind, COPY_DEVICE_TO_HOST),
        .width = made.extent.width,
        .height = made.extent.height,
        .depth = made.extent.depth,
    };
    return result;
}

int cuGraphMemcpyNodeSetParams(void *node, const struct driver_copy_3d *params)
{
    struct cuda_copy_3d made;
    const int result = driver_copy_3d(params, &made);
    return result == DRIVER_SUCCESS ? driver_result(cudaGraphMemcpyNodeSetParams(node, &made))
                                    : result;
}

int cuGraphExecMemcpyNodeSetParams(void *exec, void *node, const struct driver_copy_3d *params,
                                   void *context)
{
    struct cuda_copy_3d made;
    const int result = driver_copy_3d(params, &made);
    (void)context;
    return result == DRIVER_SUCCESS
               ? driver_result(cudaGraphExecMemcpyNodeSetParams(exec, node, &made))
               : result;
}

/* Translates the parameters of a node of any kind. */
static int translate(const struct driver_node_params *from, struct cuda_node_params *to)
{
    _Static_assert(sizeof *from == sizeof *to, "nodes have the same size in both APIs");
    if (!from)
        return DRIVER_INVALID_VALUE;
    memcpy(to, from, sizeof *to);
    if (from->type == WORK_KERNEL)
        to->as.kernel = kernel_of(&from->as.kernel);
    return from->type == WORK_COPY ? driver_copy_3d(&from->as.copy.copy, &to->as.copy.copy)
                                   : DRIVER_SUCCESS;
}

int cuGraphAddNode_v2(void **node, void *graph, void *const *from, const struct cuda_edge *edges,
                      size_t count, const struct driver_node_params *params)
{
    struct cuda_node_params made;
    const int result = translate(params, &made);
    return result == DRIVER_SUCCESS
               ? driver_result(graph_api_add_node(__func__, node, graph, from, edges, count, &made))
               : result;
}

int cuGraphAddNode(void **node, void *graph, void *const *from, size_t count,
                   const struct driver_node_params *params)
{
    return cuGraphAddNode_v2(node, graph, from, NULL, count, params);
}

int cuGraphNodeSetParams(void *node, const struct driver_node_params *params)
{
    struct cuda_node_params made;
    const int result = translate(params, &made);
    return result == DRIVER_SUCCESS ? driver_result(graph_api_set_node(__func__, NULL, node, &made))
                                    : result;
}

int cuGraphExecNodeSetParams(void *exec, void *node, const struct driver_node_params *params)
{
    struct cuda_node_params made;
    const int result = exec ? translate(params, &made) : DRIVER_INVALID_VALUE;
    return result == DRIVER_SUCCESS ? driver_result(graph_api_set_node(__func__, exec, node, &made))
                                    : result;
}

int cuGraphInstantiate_v2(void **exec, void *graph, void **error_node, char *log, size_t size)
{
    if (error_node)
        *error_node = NULL;
    if (log && size)
        log[0] = '\0';
    return driver_result(graph_api_instantiate(__func__, exec, graph));
}

int cuGraphInstantiate(void **exec, void *graph, void **error_node, char *log, size_t size)
{
    return cuGraphInstantiate_v2(exec, graph, error_node, log, size);
}
