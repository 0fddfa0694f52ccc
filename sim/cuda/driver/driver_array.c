/* Arrays: create, describe, copy. */
#include "cuda/driver/driver_array.h"

#include "cuda/driver/driver.h"

enum cuda_error cudaMalloc3DArray(void **array, const struct cuda_channel *channel,
                                  struct cuda_extent extent, unsigned flags);
enum cuda_error cudaMallocMipmappedArray(void **mipmap, const struct cuda_channel *channel,
                                         struct cuda_extent extent, unsigned levels,
                                         unsigned flags);
enum cuda_error cudaArrayGetInfo(struct cuda_channel *channel, struct cuda_extent *extent,
                                 unsigned *flags, void *array);
enum cuda_error cudaMemcpyToArrayAsync(void *array, size_t x, size_t y, const void *src,
                                       size_t bytes, int kind, void *stream);
enum cuda_error cudaMemcpyFromArrayAsync(void *dst, const void *array, size_t x, size_t y,
                                         size_t bytes, int kind, void *stream);
enum cuda_error cudaMemcpy2DArrayToArray(void *dst, size_t dst_x, size_t dst_y, const void *src,
                                         size_t src_x, size_t src_y, size_t width, size_t height,
                                         int kind);
enum cuda_error cudaMemcpy3D(const struct cuda_copy_3d *copy);
enum cuda_error cudaMemcpy3DAsync(const struct cuda_copy_3d *copy, void *stream);

int cuArrayCreate_v2(void **array, const struct driver_array *description);
int cuArray3DCreate_v2(void **array, const struct driver_array_3d *description);
int cuMipmappedArrayCreate(void **mipmap, const struct driver_array_3d *description,
                           unsigned levels);
int cuArrayGetDescriptor_v2(struct driver_array *description, void *array);
int cuArray3DGetDescriptor_v2(struct driver_array_3d *description, void *array);
int cuMemcpyHtoA_v2(void *array, size_t offset, const void *src, size_t size);
int cuMemcpyDtoA_v2(void *array, size_t offset, const void *src, size_t size);
int cuMemcpyAtoH_v2(void *dst, void *array, size_t offset, size_t size);
int cuMemcpyAtoD_v2(void *dst, void *array, size_t offset, size_t size);
int cuMemcpyHtoAAsync_v2(void *array, size_t offset, const void *src, size_t size, void *stream);
int cuMemcpyAtoHAsync_v2(void *dst, void *array, size_t offset, size_t size, void *stream);
int cuMemcpyAtoA_v2(void *dst, size_t dst_offset, void *src, size_t src_offset, size_t size);
int cuMemcpy3D_v2(const struct driver_copy_3d *copy);
int cuMemcpy3DAsync_v2(const struct driver_copy_3d *copy, void *stream);
int cuMemcpy3DPeer(const struct driver_copy_3d *copy);
int cuMemcpy3DPeerAsync(const struct driver_copy_3d *copy, void *stream);

/* Each CUarray_format: the bits of a component, and its kind (0 signed, 1 unsigned, 2 float). */
static const struct {
    int format, bits, kind;
} formats[] = {{0x01, 8, 1},  {0x02, 16, 1}, {0x03, 32, 1}, {0x08, 8, 0},
               {0x09, 16, 0}, {0x0a, 32, 0}, {0x10, 16, 2}, {0x20, 32, 2}};

bool driver_channel(int format, unsigned channels, struct cuda_channel *channel)
{
    *channel = (struct cuda_channel){.kind = 0};
    for (size_t f = 0; f < sizeof formats / sizeof formats[0] && channels <= 4; f++) {
        if (formats[f].format != format)
            continue;
        channel->kind = formats[f].kind;
        for (unsigned i = 0; i < channels; i++)
            channel->bits[i] = formats[f].bits;
        return true;
    }
    return false;
}

bool driver_format(const struct cuda_channel *channel, int *format, unsigned *channels)
{
    *channels = 0;
    while (*channels < 4 && channel->bits[*channels])
        ++*channels;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i].bits == channel->bits[0] && formats[i].kind == channel->kind) {
            *format = formats[i].format;
            return true;
        }
    return false;
}

static int create(void **array, const struct driver_array_3d *description)
{
    struct cuda_channel channel;
    if (!driver_channel(description->format, description->channels, &channel))
        return DRIVER_INVALID_VALUE;
    const struct cuda_extent extent = {description->width, description->height, description->depth};
    return driver_result(cudaMalloc3DArray(array, &channel, extent, description->flags));
}

int cuArray3DCreate_v2(void **array, const struct driver_array_3d *description)
{
    return description ? create(array, description) : DRIVER_INVALID_VALUE;
}

int cuMipmappedArrayCreate(void **mipmap, const struct driver_array_3d *description,
                           unsigned levels)
{
    struct cuda_channel channel;
    if (!description || !driver_channel(description->format, description->channels, &channel))
        return DRIVER_INVALID_VALUE;
    const struct cuda_extent extent = {description->width, description->height, description->depth};
    return driver_result(
        cudaMallocMipmappedArray(mipmap, &channel, extent, levels, description->flags));
}

int cuArrayCreate_v2(void **array, const struct driver_array *description)
{
    if (!description)
        return DRIVER_INVALID_VALUE;
    const struct driver_array_3d all = {.width = description->width,
                                        .height = description->height,
                                        .format = description->format,
                                        .channels = description->channels};
    return create(array, &all);
}

int cuArray3DGetDescriptor_v2(struct driver_array_3d *description, void *array)
{
    struct cuda_channel channel;
    struct cuda_extent extent;
    unsigned flags;
    if (!description)
        return DRIVER_INVALID_VALUE;
    const enum cuda_error error = cudaArrayGetInfo(&channel, &extent, &flags, array);
    if (error != CUDA_SUCCESS)
        return driver_result(error);
    *description = (struct driver_array_3d){
        .width = extent.width, .height = extent.height, .depth = extent.depth, .flags = flags};
    (void)driver_format(&channel, &description->format, &description->channels);
    return DRIVER_SUCCESS;
}

int cuArrayGetDescriptor_v2(struct driver_array *description, void *array)
{
    struct driver_array_3d all;
    const int result = description ? cuArray3DGetDescriptor_v2(&all, array) : DRIVER_INVALID_VALUE;
    if (result == DRIVER_SUCCESS)
        *description = (struct driver_array){all.width, all.height, all.format, all.channels};
    return result;
}

int cuMemcpyHtoAAsync_v2(void *array, size_t offset, const void *src, size_t size, void *stream)
{
    return driver_result(
        cudaMemcpyToArrayAsync(array, offset, 0, src, size, COPY_HOST_TO_DEVICE, stream));
}

int cuMemcpyHtoA_v2(void *array, size_t offset, const void *src, size_t size)
{
    return cuMemcpyHtoAAsync_v2(array, offset, src, size, NULL);
}

int cuMemcpyDtoA_v2(void *array, size_t offset, const void *src, size_t size)
{
    return driver_result(
        cudaMemcpyToArrayAsync(array, offset, 0, src, size, COPY_DEVICE_TO_DEVICE, NULL));
}

int cuMemcpyAtoHAsync_v2(void *dst, void *array, size_t offset, size_t size, void *stream)
{
    return driver_result(
        cudaMemcpyFromArrayAsync(dst, array, offset, 0, size, COPY_DEVICE_TO_HOST, stream));
}

int cuMemcpyAtoH_v2(void *dst, void *array, size_t offset, size_t size)
{
    return cuMemcpyAtoHAsync_v2(dst, array, offset, size, NULL);
}

int cuMemcpyAtoD_v2(void *dst, void *array, size_t offset, size_t size)
{
    return driver_result(
        cudaMemcpyFromArrayAsync(dst, array, offset, 0, size, COPY_DEVICE_TO_DEVICE, NULL));
}

/* The arrays have one row, as the documentation of cuMemcpyAtoA demands. */
int cuMemcpyAtoA_v2(void *dst, size_t dst_offset, void *src, size_t src_offset, size_t size)
{
    return driver_result(cudaMemcpy2DArrayToArray(dst, dst_offset, 0, src, src_offset, 0, size, 1,
                                                  COPY_DEVICE_TO_DEVICE));
}

/* Returns the bytes of an element of the array of a side; 1 if the side is no array. */
static size_t element_of(const struct driver_side_3d *side)
{
    struct cuda_channel channel;
    if (side->type != SIDE_ARRAY ||
        cudaArrayGetInfo(&channel, NULL, NULL, side->array) != CUDA_SUCCESS)
        return 1;
    const int bits = channel.bits[0] + channel.bits[1] + channel.bits[2] + channel.bits[3];
    return (size_t)bits / 8;
}

static void translate_side(const struct driver_side_3d *from, size_t width, size_t height,
                           void **array, struct cuda_pos *pos, struct cuda_pitched_ptr *memory)
{
    *pos = (struct cuda_pos){.y = from->y, .z = from->z};
    *array = from->type == SIDE_ARRAY ? from->array : NULL;
    *memory = (struct cuda_pitched_ptr){.ptr = NULL};
    if (from->type == SIDE_ARRAY)
        pos->x = from->x / element_of(from);
    else
        *memory = (struct cuda_pitched_ptr){
            .ptr = (char *)(from->type == SIDE_HOST ? from->host : from->device) + from->x,
            .pitch = from->pitch ? from->pitch : width,
            .xsize = width,
            .ysize = from->height ? from->height : height,
        };
}

/* Returns the direction of a copy: enum cuda_copy_kind. */
static int kind_of(const struct driver_side_3d *src, const struct driver_side_3d *dst)
{
    static const int kinds[2][2] = {{COPY_DEVICE_TO_DEVICE, COPY_DEVICE_TO_HOST},
                                    {COPY_HOST_TO_DEVICE, COPY_HOST_TO_HOST}};
    if (src->type == SIDE_UNIFIED || dst->type == SIDE_UNIFIED)
        return COPY_DEFAULT;
    return kinds[src->type == SIDE_HOST][dst->type == SIDE_HOST];
}

int driver_copy_3d(const struct driver_copy_3d *from, struct cuda_copy_3d *to)
{
    if (!from || from->src.level || from->dst.level)
        return from ? DRIVER_NOT_SUPPORTED : DRIVER_INVALID_VALUE;
    const struct driver_side_3d *array = from->src.type == SIDE_ARRAY ? &from->src : &from->dst;
    *to = (struct cuda_copy_3d){
        .extent = {from->width / element_of(array), from->height, from->depth},
        .kind = kind_of(&from->src, &from->dst),
    };
    translate_side(&from->src, from->width, from->height, &to->src_array, &to->src_pos, &to->src);
    translate_side(&from->dst, from->width, from->height, &to->dst_array, &to->dst_pos, &to->dst);
    return DRIVER_SUCCESS;
}

int cuMemcpy3D_v2(const struct driver_copy_3d *copy)
{
    struct cuda_copy_3d made;
    const int result = driver_copy_3d(copy, &made);
    return result == DRIVER_SUCCESS ? driver_result(cudaMemcpy3D(&made)) : result;
}

int cuMemcpy3DAsync_v2(const struct driver_copy_3d *copy, void *stream)
{
    struct cuda_copy_3d made;
    const int result = driver_copy_3d(copy, &made);
    return result == DRIVER_SUCCESS ? driver_result(cudaMemcpy3DAsync(&made, stream)) : result;
}

int cuMemcpy3DPeer(const struct driver_copy_3d *copy)
{
    return cuMemcpy3D_v2(copy);
}

int cuMemcpy3DPeerAsync(const struct driver_copy_3d *copy, void *stream)
{
    return cuMemcpy3DAsync_v2(copy, stream);
}
