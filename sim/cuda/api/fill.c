/* Fills of device memory: cudaMemset and its 2D and 3D variants. */
#include "cuda/cuda_stream.h"
#include "cuda/runtime.h"
#include "cuda/stream_work.h"

static enum cuda_error submit(const char *function, const struct fill *fill, void *stream)
{
    struct runtime *rt = rt_enter(function);
    const struct stream_work work = {.kind = WORK_FILL, .as.fill = *fill};
    return rt_leave(rt ? stream_submit(rt, stream, &work) : rt_refusal());
}

static struct fill bytes(void *dst, int value, size_t width)
{
    return (struct fill){.dst = dst,
                         .value = (uint32_t)value & 0xff,
                         .element = 1,
                         .width = width,
                         .height = 1,
                         .depth = 1};
}

static struct fill rows(void *dst, size_t pitch, int value, size_t width, size_t height)
{
    struct fill fill = bytes(dst, value, width);
    fill.pitch = pitch;
    fill.height = height;
    return fill;
}

static struct fill layers(struct cuda_pitched_ptr dst, int value, struct cuda_extent extent)
{
    struct fill fill = rows(dst.ptr, dst.pitch, value, extent.width, extent.height);
    fill.layer = dst.pitch * dst.ysize;
    fill.depth = extent.depth;
    return fill;
}

enum cuda_error cudaMemset(void *dst, int value, size_t count)
{
    const struct fill fill = bytes(dst, value, count);
    return submit(__func__, &fill, NULL);
}

enum cuda_error cudaMemsetAsync(void *dst, int value, size_t count, void *stream)
{
    const struct fill fill = bytes(dst, value, count);
    return submit(__func__, &fill, stream);
}

enum cuda_error cudaMemset2D(void *dst, size_t pitch, int value, size_t width, size_t height)
{
    const struct fill fill = rows(dst, pitch, value, width, height);
    return submit(__func__, &fill, NULL);
}

enum cuda_error cudaMemset2DAsync(void *dst, size_t pitch, int value, size_t width, size_t height,
                                  void *stream)
{
    const struct fill fill = rows(dst, pitch, value, width, height);
    return submit(__func__, &fill, stream);
}

enum cuda_error cudaMemset3D(struct cuda_pitched_ptr dst, int value, struct cuda_extent extent)
{
    const struct fill fill = layers(dst, value, extent);
    return submit(__func__, &fill, NULL);
}

enum cuda_error cudaMemset3DAsync(struct cuda_pitched_ptr dst, int value, struct cuda_extent extent,
                                  void *stream)
{
    const struct fill fill = layers(dst, value, extent);
    return submit(__func__, &fill, stream);
}

enum cuda_error cudaMemset_ptds(void *dst, int value, size_t count)
{
    return cudaMemsetAsync(dst, value, count, stream_per_thread(NULL));
}

enum cuda_error cudaMemsetAsync_ptsz(void *dst, int value, size_t count, void *stream)
{
    return cudaMemsetAsync(dst, value, count, stream_per_thread(stream));
}

CUDA_ALIAS(cudaMemset2D_ptds, cudaMemset2D);
CUDA_ALIAS(cudaMemset2DAsync_ptsz, cudaMemset2DAsync);
CUDA_ALIAS(cudaMemset3D_ptds, cudaMemset3D);
CUDA_ALIAS(cudaMemset3DAsync_ptsz, cudaMemset3DAsync);
