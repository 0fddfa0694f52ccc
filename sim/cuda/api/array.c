/* CUDA arrays: allocate, free, describe; copies of rows to and from arrays. */
#include <stdint.h>

#include "cuda/cuda_stream.h"
#include "cuda/runtime.h"
#include "cuda/stream_work.h"
#include "cuda/textures.h"

static enum cuda_error new_array(struct runtime *rt, void **handle,
                                 const struct cuda_channel *channel, struct cuda_extent extent,
                                 unsigned flags)
{
    enum cuda_error error = CUDA_INVALID_VALUE;
    if (handle && channel)
        *handle = textures_new_array(rt, channel, extent, flags, &error);
    return error;
}

enum cuda_error cudaMallocArray(void **array, const struct cuda_channel *channel, size_t width,
                                size_t height, unsigned flags)
{
    struct runtime *rt = rt_enter(__func__);
    const struct cuda_extent extent = {width, height, 0};
    return rt_leave(rt ? new_array(rt, array, channel, extent, flags) : rt_refusal());
}

enum cuda_error cudaMalloc3DArray(void **array, const struct cuda_channel *channel,
                                  struct cuda_extent extent, unsigned flags)
{
    struct runtime *rt = rt_enter(__func__);
    return rt_leave(rt ? new_array(rt, array, channel, extent, flags) : rt_refusal());
}

enum cuda_error cudaFreeArray(void *handle)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    struct array *array = handle ? textures_array(rt, handle) : NULL;
    if (array && !array->level) /* a level stays, as on an H200 */
        textures_free_array(rt, array);
    return rt_leave(array || !handle ? CUDA_SUCCESS : CUDA_INVALID_RESOURCE_HANDLE);
}

enum cuda_error cudaMallocMipmappedArray(void **mipmap, const struct cuda_channel *channel,
                                         struct cuda_extent extent, unsigned levels, unsigned flags)
{
    enum cuda_error error = CUDA_INVALID_VALUE;
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    if (mipmap && channel)
        *mipmap = textures_new_mipmap(rt, channel, extent, levels, flags, &error);
    return rt_leave(error);
}

enum cuda_error cudaGetMipmappedArrayLevel(void **array, const void *mipmap, unsigned level)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    struct array *found = textures_mipmap(rt, mipmap);
    if (!found)
        return rt_leave(CUDA_INVALID_RESOURCE_HANDLE);
    for (; found && level; level--)
        found = found->coarser;
    if (array && found)
        *array = found;
    return rt_leave(array && found ? CUDA_SUCCESS : CUDA_INVALID_VALUE);
}

enum cuda_error cudaFreeMipmappedArray(void *handle)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    struct array *finest = handle ? textures_mipmap(rt, handle) : NULL;
    if (finest)
        textures_free_array(rt, finest);
    return rt_leave(finest || !handle ? CUDA_SUCCESS : CUDA_INVALID_RESOURCE_HANDLE);
}

enum cuda_error cudaArrayGetInfo(struct cuda_channel *channel, struct cuda_extent *extent,
                                 unsigned *flags, void *handle)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    const struct array *array = textures_array(rt, handle);
    if (!array)
        return rt_leave(CUDA_INVALID_RESOURCE_HANDLE);
    if (channel)
        *channel = array->channel;
    if (extent)
        *extent = array->extent;
    if (flags)
        *flags = array->flags;
    return rt_leave(CUDA_SUCCESS);
}

struct cuda_channel cudaCreateChannelDesc(int x, int y, int z, int w, int kind)
{
    return (struct cuda_channel){.bits = {x, y, z, w}, .kind = kind};
}

enum cuda_error cudaGetChannelDesc(struct cuda_channel *channel, const void *handle)
{
    return cudaArrayGetInfo(channel, NULL, NULL, (void *)(uintptr_t)handle);
}

/* One side of a copy: the first byte, and the bytes from row to row. */
struct pitched_rows {
    const void *pointer;
    size_t pitch;
};

/*
 * Sets *side to `height` rows of `width` bytes of an array, from byte x of row y on. Prints a
 * message and returns false if the rows are not inside the array.
 */
static bool array_side(const struct runtime *rt, const void *handle, size_t x, size_t y,
                       size_t width, size_t height, struct pitched_rows *side)
{
    const struct array *array = textures_array(rt, handle);
    if (!array)
        return false;
    const size_t rows = array->extent.height ? array->extent.height : 1;
    const size_t row = array->extent.width * array->element;
    if (x > row || width > row - x || y > rows || height > rows - y) {
        (void)rt_report(
            CUDA_INVALID_VALUE,
            "%zu bytes of %zu rows at byte %zu of row %zu of an array of %zu bytes in %zu "
            "rows",
            width, height, x, y, row, rows);
        return false;
    }
    side->pointer = (const void *)(uintptr_t)(array->address + y * array->pitch + x);
    side->pitch = array->pitch;
    return true;
}

static enum cuda_error copy_rows(struct runtime *rt, struct pitched_rows dst,
                                 struct pitched_rows src, size_t width, size_t height, int kind,
                                 void *stream)
{
    const struct stream_work work = {.kind = WORK_COPY,
                                     .as.copy = {.dst = (void *)(uintptr_t)dst.pointer,
                                                 .src = src.pointer,
                                                 .dst_pitch = dst.pitch,
                                                 .src_pitch = src.pitch,
                                                 .width = width,
                                                 .height = height,
                                                 .depth = 1,
                                                 .kind = (enum cuda_copy_kind)kind}};
    return stream_submit(rt, stream, &work);
}

static enum cuda_error rows_to_array(const char *function, void *array, size_t x, size_t y,
                                     const void *src, size_t src_pitch, size_t width, size_t height,
                                     int kind, void *stream)
{
    struct runtime *rt = rt_enter(function);
    struct pitched_rows to, from = {src, src_pitch};
    if (!rt)
        return rt_leave(rt_refusal());
    if (!array_side(rt, array, x, y, width, height, &to))
        return rt_leave(CUDA_INVALID_VALUE);
    return rt_leave(copy_rows(rt, to, from, width, height, kind, stream));
}

enum cuda_error cudaMemcpy2DToArrayAsync(void *array, size_t x, size_t y, const void *src,
                                         size_t src_pitch, size_t width, size_t height, int kind,
                                         void *stream)
{
    return rows_to_array(__func__, array, x, y, src, src_pitch, width, height, kind, stream);
}

enum cuda_error cudaMemcpy2DToArray(void *array, size_t x, size_t y, const void *src,
                                    size_t src_pitch, size_t width, size_t height, int kind)
{
    return rows_to_array(__func__, array, x, y, src, src_pitch, width, height, kind, NULL);
}

static enum cuda_error rows_from_array(const char *function, void *dst, size_t dst_pitch,
                                       const void *array, size_t x, size_t y, size_t width,
                                       size_t height, int kind, void *stream)
{
    struct runtime *rt = rt_enter(function);
    struct pitched_rows from, to = {dst, dst_pitch};
    if (!rt)
        return rt_leave(rt_refusal());
    if (!array_side(rt, array, x, y, width, height, &from))
        return rt_leave(CUDA_INVALID_VALUE);
    return rt_leave(copy_rows(rt, to, from, width, height, kind, stream));
}

enum cuda_error cudaMemcpy2DFromArrayAsync(void *dst, size_t dst_pitch, const void *array, size_t x,
                                           size_t y, size_t width, size_t height, int kind,
                                           void *stream)
{
    return rows_from_array(__func__, dst, dst_pitch, array, x, y, width, height, kind, stream);
}

enum cuda_error cudaMemcpy2DFromArray(void *dst, size_t dst_pitch, const void *array, size_t x,
                                      size_t y, size_t width, size_t height, int kind)
{
    return rows_from_array(__func__, dst, dst_pitch, array, x, y, width, height, kind, NULL);
}

enum cuda_error cudaMemcpy2DArrayToArray(void *dst, size_t dst_x, size_t dst_y, const void *src,
                                         size_t src_x, size_t src_y, size_t width, size_t height,
                                         int kind)
{
    struct runtime *rt = rt_enter(__func__);
    struct pitched_rows from, to;
    if (!rt)
        return rt_leave(rt_refusal());
    if (!array_side(rt, dst, dst_x, dst_y, width, height, &to) ||
        !array_side(rt, src, src_x, src_y, width, height, &from))
        return rt_leave(CUDA_INVALID_VALUE);
    return rt_leave(copy_rows(rt, to, from, width, height, kind, NULL));
}

/*
 * Copies `bytes` bytes between memory and an array, from byte x of row y on, row after row. The
 * first and the last row may be copied in part. `to`: the array is the destination.
 */
static enum cuda_error copy_bytes(struct runtime *rt, void *handle, size_t x, size_t y,
                                  const void *memory, size_t bytes, int kind, void *stream, bool to)
{
    const struct array *array = textures_array(rt, handle);
    const uint8_t *at = memory;
    enum cuda_error error = array ? CUDA_SUCCESS : CUDA_INVALID_RESOURCE_HANDLE;
    const size_t row = array ? array->extent.width * array->element : 0;
    while (error == CUDA_SUCCESS && bytes) {
        const size_t left = x < row ? row - x : 0, part = bytes < left ? bytes : left;
        struct pitched_rows inner, outer = {at, part};
        if (!part || !array_side(rt, handle, x, y, part, 1, &inner))
            return CUDA_INVALID_VALUE;
        error = copy_rows(rt, to ? inner : outer, to ? outer : inner, part, 1, kind, stream);
        at += part;
        bytes -= part;
        x = 0;
        y++;
    }
    return error;
}

static enum cuda_error submit_bytes(const char *function, void *array, size_t x, size_t y,
                                    const void *memory, size_t bytes, int kind, void *stream,
                                    bool to)
{
    struct runtime *rt = rt_enter(function);
    return rt_leave(rt ? copy_bytes(rt, array, x, y, memory, bytes, kind, stream, to)
                       : rt_refusal());
}

enum cuda_error cudaMemcpyToArrayAsync(void *array, size_t x, size_t y, const void *src,
                                       size_t bytes, int kind, void *stream)
{
    return submit_bytes(__func__, array, x, y, src, bytes, kind, stream, true);
}

enum cuda_error cudaMemcpyToArray(void *array, size_t x, size_t y, const void *src, size_t bytes,
                                  int kind)
{
    return submit_bytes(__func__, array, x, y, src, bytes, kind, NULL, true);
}

enum cuda_error cudaMemcpyFromArrayAsync(void *dst, const void *array, size_t x, size_t y,
                                         size_t bytes, int kind, void *stream)
{
    return submit_bytes(__func__, (void *)(uintptr_t)array, x, y, dst, bytes, kind, stream, false);
}

enum cuda_error cudaMemcpyFromArray(void *dst, const void *array, size_t x, size_t y, size_t bytes,
                                    int kind)
{
    return submit_bytes(__func__, (void *)(uintptr_t)array, x, y, dst, bytes, kind, NULL, false);
}

CUDA_ALIAS(cudaMemcpy2DToArray_ptds, cudaMemcpy2DToArray);
CUDA_ALIAS(cudaMemcpy2DToArrayAsync_ptsz, cudaMemcpy2DToArrayAsync);
CUDA_ALIAS(cudaMemcpy2DFromArray_ptds, cudaMemcpy2DFromArray);
CUDA_ALIAS(cudaMemcpy2DFromArrayAsync_ptsz, cudaMemcpy2DFromArrayAsync);
CUDA_ALIAS(cudaMemcpy2DArrayToArray_ptds, cudaMemcpy2DArrayToArray);
CUDA_ALIAS(cudaMemcpyToArray_ptds, cudaMemcpyToArray);
CUDA_ALIAS(cudaMemcpyToArrayAsync_ptsz, cudaMemcpyToArrayAsync);
CUDA_ALIAS(cudaMemcpyFromArray_ptds, cudaMemcpyFromArray);
CUDA_ALIAS(cudaMemcpyFromArrayAsync_ptsz, cudaMemcpyFromArrayAsync);
