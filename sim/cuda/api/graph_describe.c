/* The parameters of graph nodes in the structs of the API; a graph as a Graphviz file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/outfile.h"
#include "cuda/cuda_code.h"
#include "cuda/cuda_launch.h"
#include "cuda/graph_api.h"

/*
 * Enters a call about a node of `kind`. Returns the node; NULL with *error set if the handle or
 * `out` is wrong, or if there is no device.
 */
static struct graph_node *enter(const char *function, void *handle, enum work_kind kind,
                                const void *out, enum cuda_error *error)
{
    struct runtime *rt = rt_enter(function);
    struct graph_node *node = rt ? graph_node_from(handle) : NULL;
    *error = rt ? CUDA_INVALID_VALUE : rt_refusal();
    if (!node || !out || node->work.kind != kind)
        return NULL;
    *error = CUDA_SUCCESS;
    return node;
}

/*
 * Fills node->arguments with pointers to the parameters that the node stores. The list belongs to
 * the node and is replaced by the next call. Returns false if out of memory.
 */
static bool list_arguments(struct graph_node *node)
{
    const struct launch *launch = &node->work.as.launch;
    const struct sass_kernel *sass = launch->kernel->sass;
    void **list = calloc(sass->params + 1, sizeof *list);
    if (!list)
        return false;
    for (uint32_t i = 0; i < sass->params; i++)
        list[i] = launch->params + sass->param[i].offset;
    free((void *)node->arguments);
    node->arguments = list;
    return true;
}

enum cuda_error cudaGraphKernelNodeGetParams(void *handle, struct cuda_kernel_node *params)
{
    enum cuda_error error;
    struct graph_node *node = enter(__func__, handle, WORK_KERNEL, params, &error);
    if (!node)
        return rt_leave(error);
    error = launch_check_loaded(&node->work.as.launch);
    if (error != CUDA_SUCCESS)
        return rt_leave(error);
    if (!list_arguments(node))
        return rt_leave(CUDA_MEMORY_ALLOCATION);
    const struct launch *launch = &node->work.as.launch;
    void *stub;
    memcpy(&stub, &launch->kernel->stub, sizeof stub);
    *params = (struct cuda_kernel_node){.function = stub,
                                        .grid = launch->grid,
                                        .block = launch->block,
                                        .shared = launch->shared,
                                        .arguments = node->arguments};
    return rt_leave(CUDA_SUCCESS);
}

static struct cuda_pitched_ptr pitched(const void *address, size_t pitch, size_t layer,
                                       const struct copy *copy)
{
    struct cuda_pitched_ptr side = {.pitch = pitch ? pitch : copy->width, .xsize = copy->width};
    side.ysize = layer ? layer / side.pitch : copy->height;
    memcpy(&side.ptr, &address, sizeof side.ptr);
    return side;
}

enum cuda_error cudaGraphMemcpyNodeGetParams(void *handle, struct cuda_copy_3d *params)
{
    enum cuda_error error;
    const struct graph_node *node = enter(__func__, handle, WORK_COPY, params, &error);
    if (!node)
        return rt_leave(error);
    const struct copy *copy = &node->work.as.copy;
    *params =
        (struct cuda_copy_3d){.src = pitched(copy->src, copy->src_pitch, copy->src_layer, copy),
                              .dst = pitched(copy->dst, copy->dst_pitch, copy->dst_layer, copy),
                              .extent = {copy->width, copy->height, copy->depth},
                              .kind = (int)copy->kind};
    return rt_leave(CUDA_SUCCESS);
}

/* A node stores only LAUNCH_COOPERATIVE; the other attributes are hints. */
enum cuda_error cudaGraphKernelNodeSetAttribute(void *handle, int id, const void *value)
{
    enum cuda_error error;
    struct graph_node *node = enter(__func__, handle, WORK_KERNEL, value, &error);
    int cooperative;
    if (node && id == LAUNCH_COOPERATIVE) {
        memcpy(&cooperative, value, sizeof cooperative);
        node->work.as.launch.cooperative = cooperative != 0;
    }
    return rt_leave(error);
}

enum cuda_error cudaGraphKernelNodeGetAttribute(void *handle, int id, void *value)
{
    enum cuda_error error;
    const struct graph_node *node = enter(__func__, handle, WORK_KERNEL, value, &error);
    if (!node)
        return rt_leave(error);
    const int cooperative = node->work.as.launch.cooperative;
    const size_t bytes = launch_attribute_bytes(id);
    if (bytes == 0)
        return rt_leave(CUDA_INVALID_VALUE);
    memset(value, 0, bytes);
    if (id == LAUNCH_COOPERATIVE)
        memcpy(value, &cooperative, sizeof cooperative);
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error cudaGraphKernelNodeCopyAttributes(void *to, void *from)
{
    enum cuda_error error;
    const struct graph_node *source = enter(__func__, from, WORK_KERNEL, to, &error);
    struct graph_node *target = source ? graph_node_from(to) : NULL;
    if (source && (!target || target->work.kind != WORK_KERNEL))
        error = CUDA_INVALID_VALUE;
    else if (source)
        target->work.as.launch.cooperative = source->work.as.launch.cooperative;
    return rt_leave(error);
}

/* Writes the node with its dependencies as lines of a Graphviz file. */
static void draw_node(FILE *file, const struct graph *graph, size_t index)
{
    static const char *const kinds[] = {"kernel", "memcpy", "memset", "host", "graph", "empty",
                                        "wait",   "record", "",       "",     "alloc", "free"};
    const struct graph_node *node = graph->node[index];
    const char *title =
        node->work.kind == WORK_KERNEL ? code_title(node->work.as.launch.kernel) : "";
    (void)fprintf(file, "  n%zu [label=\"%zu %s%s%s\"]\n", index, index, kinds[node->work.kind],
                  *title ? "\\n" : "", title);
    for (size_t before = 0; before < graph->count; before++)
        for (size_t d = 0; d < node->deps; d++)
            if (node->dep[d] == graph->node[before])
                (void)fprintf(file, "  n%zu -> n%zu\n", before, index);
}

/* `flags` is ignored: every flag asks for more details than this drawing has. */
enum cuda_error cudaGraphDebugDotPrint(void *handle, const char *path, unsigned flags)
{
    struct runtime *rt = rt_enter(__func__);
    const struct graph *graph = rt ? graph_from(handle) : NULL;
    (void)flags;
    if (!graph || !path)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    struct outfile out;
    struct simsm_error error;
    if (outfile_open(&out, outfile_is_stdout(path) ? "./-" : path, &error) == SIMSM_OK) {
        (void)fputs("digraph graph_1 {\n", out.file);
        for (size_t i = 0; i < graph->count; i++)
            draw_node(out.file, graph, i);
        (void)fputs("}\n", out.file);
        if (outfile_commit(&out, &error) == SIMSM_OK)
            return rt_leave(CUDA_SUCCESS);
    }
    char text[1100];
    return rt_leave(
        rt_report(CUDA_OPERATING_SYSTEM, "%s", simsm_error_text(&error, text, sizeof text)));
}
