/*
 * Memory functions of the driver that have no counterpart with the same parameters in the runtime.
 */
#include "cuda/abi.h"
#include "cuda/driver/driver.h"
#include "cuda/graph_abi.h"

/* Memory of one side of a copy, numbered as CUmemorytype: host, device, array, or any address. */
enum side_type { SIDE_HOST = 1, SIDE_DEVICE, SIDE_ARRAY, SIDE_UNIFIED };

struct driver_copy_side {
    size_t x, y; /* x in bytes, y in rows */
    int type;    /* enum side_type */
    void *host, *device, *array;
    size_t pitch;
};

struct driver_copy {
    struct driver_copy_side src, dst;
    size_t width, height; /* width in bytes, height in rows */
};

struct driver_array {
    size_t width, height;
    int format; /* CUarray_format */
    unsigned channels;
};

int cuMemsetD16_v2(void *dst, unsigned short value, size_t count);
int cuMemsetD32_v2(void *dst, unsigned value, size_t count);
int cuMemsetD16Async(void *dst, unsigned short value, size_t count, void *stream);
int cuMemsetD32Async(void *dst, unsigned value, size_t count, void *stream);
int cuMemsetD2D16_v2(void *dst, size_t pitch, unsigned short value, size_t width, size_t height);
int cuMemsetD2D32_v2(void *dst, size_t pitch, unsigned value, size_t width, size_t height);
int cuMemAllocPitch_v2(void **pointer, size_t *pitch, size_t width, size_t height,
                       unsigned element);
int cuMemcpy2D_v2(const struct driver_copy *copy);
int cuMemcpy2DUnaligned_v2(const struct driver_copy *copy);
int cuMemcpy2DAsync_v2(const struct driver_copy *copy, void *stream);
int cuArrayCreate_v2(void **array, const struct driver_array *description);
int cuPointerGetAttribute(void *value, int attribute, void *pointer);

/*
 * Fills memory through a graph of one node: only fills of graphs have elements of 2 and 4 bytes in
 * the runtime API.
 */
static int fill(const struct cuda_fill_node *node, void *stream)
{
    void *graph = NULL, *exec = NULL, *added;
    DRIVER_RUNTIME(create, "cudaGraphCreate", (void **, unsigned));
    DRIVER_RUNTIME(add, "cudaGraphAddMemsetNode",
                   (void **, void *, void *const *, size_t, const struct cuda_fill_node *));
    DRIVER_RUNTIME(instantiate, "cudaGraphInstantiateWithFlags",
                   (void **, void *, unsigned long long));
    DRIVER_RUNTIME(launch, "cudaGraphLaunch", (void *, void *));
    DRIVER_RUNTIME(destroy, "cudaGraphDestroy", (void *));
    DRIVER_RUNTIME(destroy_exec, "cudaGraphExecDestroy", (void *));
    if (!create || !add || !instantiate || !launch || !destroy || !destroy_exec)
        return DRIVER_NOT_SUPPORTED;
    int error = create(&graph, 0);
    error = error ? error : add(&added, graph, NULL, 0, node);
    error = error ? error : instantiate(&exec, graph, 0);
    error = error ? error : launch(exec, stream);
    if (exec)
        (void)destroy_exec(exec);
    if (graph)
        (void)destroy(graph);
    return driver_result(error);
}

static int fill_row(void *dst, unsigned value, unsigned element, size_t count, void *stream)
{
    const struct cuda_fill_node node = {
        .dst = dst, .value = value, .element = element, .width = count, .height = 1};
    return count ? fill(&node, stream) : DRIVER_SUCCESS;
}

int cuMemsetD16_v2(void *dst, unsigned short value, size_t count)
{
    return fill_row(dst, value, sizeof value, count, NULL);
}

int cuMemsetD32_v2(void *dst, unsigned value, size_t count)
{
    return fill_row(dst, value, sizeof value, count, NULL);
}

int cuMemsetD16Async(void *dst, unsigned short value, size_t count, void *stream)
{
    return fill_row(dst, value, sizeof value, count, stream);
}

int cuMemsetD32Async(void *dst, unsigned value, size_t count, void *stream)
{
    return fill_row(dst, value, sizeof value, count, stream);
}

static int fill_rows(void *dst, size_t pitch, unsigned value, unsigned element, size_t width,
                     size_t height)
{
    const struct cuda_fill_node node = {.dst = dst,
                                        .pitch = pitch,
                                        .value = value,
                                        .element = element,
                                        .width = width,
                                        .height = height};
    return width && height ? fill(&node, NULL) : DRIVER_SUCCESS;
}

int cuMemsetD2D16_v2(void *dst, size_t pitch, unsigned short value, size_t width, size_t height)
{
    return fill_rows(dst, pitch, value, sizeof value, width, height);
}

int cuMemsetD2D32_v2(void *dst, size_t pitch, unsigned value, size_t width, size_t height)
{
    return fill_rows(dst, pitch, value, sizeof value, width, height);
}

int cuMemAllocPitch_v2(void **pointer, size_t *pitch, size_t width, size_t height, unsigned element)
{
    DRIVER_RUNTIME(call, "cudaMallocPitch", (void **, size_t *, size_t, size_t));
    if (element != 4 && element != 8 && element != 16)
        return DRIVER_INVALID_VALUE;
    return call ? driver_result(call(pointer, pitch, width, height)) : DRIVER_NOT_SUPPORTED;
}

/* Returns the address of byte x of row y of a side that is not an array. */
static char *address_of(const struct driver_copy_side *side)
{
    char *base = side->type == SIDE_HOST ? side->host : side->device;
    return base + side->y * side->pitch + side->x;
}

/* Copies rows with the function of the runtime for the memories of both sides. */
static int copy_rows(const struct driver_copy *copy, void *stream)
{
    DRIVER_RUNTIME(plain, "cudaMemcpy2DAsync",
                   (void *, size_t, const void *, size_t, size_t, size_t, int, void *));
    DRIVER_RUNTIME(to, "cudaMemcpy2DToArrayAsync",
                   (void *, size_t, size_t, const void *, size_t, size_t, size_t, int, void *));
    DRIVER_RUNTIME(from, "cudaMemcpy2DFromArrayAsync",
                   (void *, size_t, const void *, size_t, size_t, size_t, size_t, int, void *));
    DRIVER_RUNTIME(both, "cudaMemcpy2DArrayToArray",
                   (void *, size_t, size_t, const void *, size_t, size_t, size_t, size_t, int));
    if (!copy || !plain || !to || !from || !both)
        return copy ? DRIVER_NOT_SUPPORTED : DRIVER_INVALID_VALUE;
    const struct driver_copy_side *src = &copy->src, *dst = &copy->dst;
    const size_t width = copy->width, height = copy->height;
    const size_t src_pitch = src->pitch ? src->pitch : width;
    const size_t dst_pitch = dst->pitch ? dst->pitch : width;
    if (src->type == SIDE_ARRAY && dst->type == SIDE_ARRAY)
        return driver_result(both(dst->array, dst->x, dst->y, src->array, src->x, src->y, width,
                                  height, COPY_DEVICE_TO_DEVICE));
    if (dst->type == SIDE_ARRAY)
        return driver_result(to(dst->array, dst->x, dst->y, address_of(src), src_pitch, width,
                                height, COPY_DEFAULT, stream));
    if (src->type == SIDE_ARRAY)
        return driver_result(from(address_of(dst), dst_pitch, src->array, src->x, src->y, width,
                                  height, COPY_DEFAULT, stream));
    return driver_result(plain(address_of(dst), dst_pitch, address_of(src), src_pitch, width,
                               height, COPY_DEFAULT, stream));
}

int cuMemcpy2D_v2(const struct driver_copy *copy)
{
    return copy_rows(copy, NULL);
}

int cuMemcpy2DUnaligned_v2(const struct driver_copy *copy)
{
    return copy_rows(copy, NULL);
}

int cuMemcpy2DAsync_v2(const struct driver_copy *copy, void *stream)
{
    return copy_rows(copy, stream);
}

/*
 * Finds the bits and the kind (0 signed, 1 unsigned, 2 float) of a CUarray_format. Returns false if
 * the format is not supported.
 */
static bool read_format(int format, int *bits, int *kind)
{
    static const struct {
        int format, bits, kind;
    } formats[] = {{0x01, 8, 1},  {0x02, 16, 1}, {0x03, 32, 1}, {0x08, 8, 0},
                   {0x09, 16, 0}, {0x0a, 32, 0}, {0x10, 16, 2}, {0x20, 32, 2}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i].format == format) {
            *bits = formats[i].bits;
            *kind = formats[i].kind;
            return true;
        }
    return false;
}

int cuArrayCreate_v2(void **array, const struct driver_array *description)
{
    struct cuda_channel channel = {0};
    int bits;
    DRIVER_RUNTIME(call, "cudaMallocArray",
                   (void **, const struct cuda_channel *, size_t, size_t, unsigned));
    if (!description || description->channels > 4 ||
        !read_format(description->format, &bits, &channel.kind))
        return DRIVER_INVALID_VALUE;
    for (unsigned i = 0; i < description->channels; i++)
        channel.bits[i] = bits;
    return call ? driver_result(call(array, &channel, description->width, description->height, 0))
                : DRIVER_NOT_SUPPORTED;
}

int cuPointerGetAttribute(void *value, int attribute, void *pointer)
{
    enum { MEMORY_TYPE = 2, DEVICE_POINTER, HOST_POINTER, IS_MANAGED = 8, ORDINAL };
    struct cuda_pointer_attributes found = {0};
    DRIVER_RUNTIME(ask, "cudaPointerGetAttributes", (struct cuda_pointer_attributes *, void *));
    int error = ask && value ? ask(&found, pointer) : CUDA_INVALID_VALUE;
    if (error || found.type == MEMORY_UNREGISTERED)
        return DRIVER_INVALID_VALUE;
    switch (attribute) {
    case MEMORY_TYPE:
        *(unsigned *)value = found.type == MEMORY_HOST ? SIDE_HOST : SIDE_DEVICE;
        return DRIVER_SUCCESS;
    case DEVICE_POINTER:
        *(void **)value = found.device_pointer;
        return DRIVER_SUCCESS;
    case HOST_POINTER:
        *(void **)value = found.host_pointer;
        return found.host_pointer ? DRIVER_SUCCESS : DRIVER_INVALID_VALUE;
    case IS_MANAGED:
        *(unsigned *)value = found.type == MEMORY_MANAGED;
        return DRIVER_SUCCESS;
    case ORDINAL:
        *(int *)value = found.device;
        return DRIVER_SUCCESS;
    default:
        return DRIVER_NOT_SUPPORTED;
    }
}
