/*
 * Memory functions of the driver that have no counterpart with the same parameters in the runtime.
 */
#include <stdint.h>

#include "cuda/cuda_stream.h"
#include "cuda/driver/driver.h"
#include "cuda/driver/driver_abi.h"

enum cuda_error cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
enum cuda_error cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                                  size_t width, size_t height, int kind, void *stream);
enum cuda_error cudaMemcpy2DToArrayAsync(void *dst, size_t x, size_t y, const void *src,
                                         size_t pitch, size_t width, size_t height, int kind,
                                         void *stream);
enum cuda_error cudaMemcpy2DFromArrayAsync(void *dst, size_t pitch, const void *src, size_t x,
                                           size_t y, size_t width, size_t height, int kind,
                                           void *stream);
enum cuda_error cudaMemcpy2DArrayToArray(void *dst, size_t dst_x, size_t dst_y, const void *src,
                                         size_t src_x, size_t src_y, size_t width, size_t height,
                                         int kind);
enum cuda_error cudaMemcpyAsync(void *dst, const void *src, size_t size, int kind, void *stream);
enum cuda_error cudaPointerGetAttributes(struct cuda_pointer_attributes *attributes,
                                         const void *pointer);

int cuMemsetD16_v2(void *dst, unsigned short value, size_t count);
int cuMemsetD32_v2(void *dst, unsigned value, size_t count);
int cuMemsetD16Async(void *dst, unsigned short value, size_t count, void *stream);
int cuMemsetD32Async(void *dst, unsigned value, size_t count, void *stream);
int cuMemsetD2D16_v2(void *dst, size_t pitch, unsigned short value, size_t width, size_t height);
int cuMemsetD2D32_v2(void *dst, size_t pitch, unsigned value, size_t width, size_t height);
int cuMemsetD2D16Async(void *dst, size_t pitch, unsigned short value, size_t width, size_t height,
                       void *stream);
int cuMemsetD2D32Async(void *dst, size_t pitch, unsigned value, size_t width, size_t height,
                       void *stream);
int cuMemAllocPitch_v2(void **pointer, size_t *pitch, size_t width, size_t height,
                       unsigned element);
struct copy_attributes;
int cuMemcpyBatchAsync(void *const *dst, void *const *src, const size_t *size, size_t count,
                       const struct copy_attributes *attributes, const size_t *index, size_t kinds,
                       size_t *failed, void *stream);
int cuMemcpyBatchAsync_v2(void *const *dst, void *const *src, const size_t *size, size_t count,
                          const struct copy_attributes *attributes, const size_t *index,
                          size_t kinds, void *stream);
int cuMemcpy2D_v2(const struct driver_copy *copy);
int cuMemcpy2DUnaligned_v2(const struct driver_copy *copy);
int cuMemcpy2DAsync_v2(const struct driver_copy *copy, void *stream);

/* Submits a fill with elements of 2 or 4 bytes, which the runtime API does not have. */
static int fill_rows(const char *function, void *stream, struct fill fill)
{
    struct runtime *rt = rt_enter(function);
    const struct stream_work work = {.kind = WORK_FILL, .as.fill = fill};
    return driver_result(rt_leave(rt ? stream_submit(rt, stream, &work) : rt_refusal()));
}

static int fill_row(const char *function, void *dst, unsigned value, unsigned element, size_t count,
                    void *stream)
{
    return fill_rows(function, stream, (struct fill){dst, 0, 0, value, element, count, 1, 1});
}

int cuMemsetD16_v2(void *dst, unsigned short value, size_t count)
{
    return fill_row(__func__, dst, value, sizeof value, count, NULL);
}

int cuMemsetD32_v2(void *dst, unsigned value, size_t count)
{
    return fill_row(__func__, dst, value, sizeof value, count, NULL);
}

int cuMemsetD16Async(void *dst, unsigned short value, size_t count, void *stream)
{
    return fill_row(__func__, dst, value, sizeof value, count, stream);
}

int cuMemsetD32Async(void *dst, unsigned value, size_t count, void *stream)
{
    return fill_row(__func__, dst, value, sizeof value, count, stream);
}

int cuMemsetD2D16_v2(void *dst, size_t pitch, unsigned short value, size_t width, size_t height)
{
    return fill_rows(__func__, NULL,
                     (struct fill){dst, pitch, 0, value, sizeof value, width, height, 1});
}

int cuMemsetD2D32_v2(void *dst, size_t pitch, unsigned value, size_t width, size_t height)
{
    return fill_rows(__func__, NULL,
                     (struct fill){dst, pitch, 0, value, sizeof value, width, height, 1});
}

int cuMemsetD2D16Async(void *dst, size_t pitch, unsigned short value, size_t width, size_t height,
                       void *stream)
{
    return fill_rows(__func__, stream,
                     (struct fill){dst, pitch, 0, value, sizeof value, width, height, 1});
}

int cuMemsetD2D32Async(void *dst, size_t pitch, unsigned value, size_t width, size_t height,
                       void *stream)
{
    return fill_rows(__func__, stream,
                     (struct fill){dst, pitch, 0, value, sizeof value, width, height, 1});
}

int cuMemAllocPitch_v2(void **pointer, size_t *pitch, size_t width, size_t height, unsigned element)
{
    if (element != 4 && element != 8 && element != 16)
        return DRIVER_INVALID_VALUE;
    return driver_result(cudaMallocPitch(pointer, pitch, width, height));
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
    if (!copy)
        return DRIVER_INVALID_VALUE;
    const struct driver_copy_side *src = &copy->src, *dst = &copy->dst;
    const size_t width = copy->width, height = copy->height;
    const size_t src_pitch = src->pitch ? src->pitch : width;
    const size_t dst_pitch = dst->pitch ? dst->pitch : width;
    if (src->type == SIDE_ARRAY && dst->type == SIDE_ARRAY)
        return driver_result(cudaMemcpy2DArrayToArray(dst->array, dst->x, dst->y, src->array,
                                                      src->x, src->y, width, height,
                                                      COPY_DEVICE_TO_DEVICE));
    if (dst->type == SIDE_ARRAY)
        return driver_result(cudaMemcpy2DToArrayAsync(dst->array, dst->x, dst->y, address_of(src),
                                                      src_pitch, width, height, COPY_DEFAULT,
                                                      stream));
    if (src->type == SIDE_ARRAY)
        return driver_result(cudaMemcpy2DFromArrayAsync(address_of(dst), dst_pitch, src->array,
                                                        src->x, src->y, width, height, COPY_DEFAULT,
                                                        stream));
    return driver_result(cudaMemcpy2DAsync(address_of(dst), dst_pitch, address_of(src), src_pitch,
                                           width, height, COPY_DEFAULT, stream));
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

/* CUmemcpyAttributes. */
struct copy_attributes {
    int order; /* CUmemcpySrcAccessOrder */
    struct cuda_mem_location from, to;
    unsigned flags;
};

/* Returns whether the attributes of a batch are as they must be. `index`: the copies from which on
 * each of them holds. */
static bool are_attributes(const struct copy_attributes *attributes, const size_t *index,
                           size_t kinds, size_t count)
{
    enum { ORDERS = 3 };
    bool good = attributes && index && kinds && kinds <= count && index[0] == 0;
    for (size_t k = 0; k < kinds && good; k++)
        good = attributes[k].order > 0 && attributes[k].order <= ORDERS &&
               (k == 0 || (index[k] > index[k - 1] && index[k] < count));
    return good;
}

/*
 * Copies one after another, which any order that the attributes ask for allows. *failed: the copy
 * that is wrong; SIZE_MAX: none is.
 */
int cuMemcpyBatchAsync(void *const *dst, void *const *src, const size_t *size, size_t count,
                       const struct copy_attributes *attributes, const size_t *index, size_t kinds,
                       size_t *failed, void *stream)
{
    enum { LEGACY = 1 }; /* handles of the default stream are not allowed */
    enum cuda_error error = CUDA_SUCCESS;
    size_t i = 0;
    if (failed)
        *failed = SIZE_MAX;
    if (!dst || !src || !size || !count || !are_attributes(attributes, index, kinds, count) ||
        (uintptr_t)stream <= LEGACY)
        return DRIVER_INVALID_VALUE;
    for (; i < count && error == CUDA_SUCCESS; i++)
        error = cudaMemcpyAsync(dst[i], src[i], size[i], COPY_DEFAULT, stream);
    if (error != CUDA_SUCCESS && failed)
        *failed = i - 1;
    return driver_result(error);
}

int cuMemcpyBatchAsync_v2(void *const *dst, void *const *src, const size_t *size, size_t count,
                          const struct copy_attributes *attributes, const size_t *index,
                          size_t kinds, void *stream)
{
    return cuMemcpyBatchAsync(dst, src, size, count, attributes, index, kinds, NULL, stream);
}
