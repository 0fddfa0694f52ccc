/* Copies between device, host and array memory: cudaMemcpy and its 2D, 3D and peer variants. */
#include "cuda/cuda_stream.h"
#include "cuda/runtime.h"
#include "cuda/stream_work.h"

static enum cuda_error submit(const char *function, const struct copy *copy, void *stream)
{
    struct runtime *rt = rt_enter(function);
    const struct stream_work work = {.kind = WORK_COPY, .as.copy = *copy};
    return rt_leave(rt ? stream_submit(rt, stream, &work) : rt_refusal());
}

static struct copy plain(void *dst, const void *src, size_t bytes, int kind)
{
    return (struct copy){.dst = dst,
                         .src = src,
                         .width = bytes,
                         .height = 1,
                         .depth = 1,
                         .kind = (enum cuda_copy_kind)kind};
}

static struct copy rows(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                        size_t width, size_t height, int kind)
{
    struct copy copy = plain(dst, src, width, kind);
    copy.dst_pitch = dst_pitch;
    copy.src_pitch = src_pitch;
    copy.height = height;
    return copy;
}

enum cuda_error cudaMemcpy(void *dst, const void *src, size_t bytes, int kind)
{
    const struct copy copy = plain(dst, src, bytes, kind);
    return submit(__func__, &copy, NULL);
}

enum cuda_error cudaMemcpyAsync(void *dst, const void *src, size_t bytes, int kind, void *stream)
{
    const struct copy copy = plain(dst, src, bytes, kind);
    return submit(__func__, &copy, stream);
}

enum cuda_error cudaMemcpyPeer(void *dst, int dst_device, const void *src, int src_device,
                               size_t bytes)
{
    const struct copy copy = plain(dst, src, bytes, COPY_DEFAULT);
    return dst_device || src_device ? rt_set_last_error(CUDA_INVALID_DEVICE)
                                    : submit(__func__, &copy, NULL);
}

enum cuda_error cudaMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device,
                                    size_t bytes, void *stream)
{
    const struct copy copy = plain(dst, src, bytes, COPY_DEFAULT);
    return dst_device || src_device ? rt_set_last_error(CUDA_INVALID_DEVICE)
                                    : submit(__func__, &copy, stream);
}

enum cuda_error cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                             size_t width, size_t height, int kind)
{
    const struct copy copy = rows(dst, dst_pitch, src, src_pitch, width, height, kind);
    return submit(__func__, &copy, NULL);
}

enum cuda_error cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                                  size_t width, size_t height, int kind, void *stream)
{
    const struct copy copy = rows(dst, dst_pitch, src, src_pitch, width, height, kind);
    return submit(__func__, &copy, stream);
}

static enum cuda_error submit_3d(const char *function, const struct cuda_copy_3d *request,
                                 void *stream)
{
    struct runtime *rt = rt_enter(function);
    struct stream_work work = {.kind = WORK_COPY};
    if (!rt)
        return rt_leave(rt_refusal());
    enum cuda_error error = copy_from_3d(rt, request, &work.as.copy);
    return rt_leave(error == CUDA_SUCCESS ? stream_submit(rt, stream, &work) : error);
}

enum cuda_error cudaMemcpy3D(const struct cuda_copy_3d *request)
{
    return submit_3d(__func__, request, NULL);
}

enum cuda_error cudaMemcpy3DAsync(const struct cuda_copy_3d *request, void *stream)
{
    return submit_3d(__func__, request, stream);
}

enum cuda_error cudaMemcpy_ptds(void *dst, const void *src, size_t bytes, int kind)
{
    const struct copy copy = plain(dst, src, bytes, kind);
    return submit("cudaMemcpy", &copy, stream_per_thread(NULL));
}

enum cuda_error cudaMemcpyAsync_ptsz(void *dst, const void *src, size_t bytes, int kind,
                                     void *stream)
{
    return cudaMemcpyAsync(dst, src, bytes, kind, stream_per_thread(stream));
}

enum cuda_error cudaMemcpy2D_ptds(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                                  size_t width, size_t height, int kind)
{
    const struct copy copy = rows(dst, dst_pitch, src, src_pitch, width, height, kind);
    return submit("cudaMemcpy2D", &copy, stream_per_thread(NULL));
}

enum cuda_error cudaMemcpy2DAsync_ptsz(void *dst, size_t dst_pitch, const void *src,
                                       size_t src_pitch, size_t width, size_t height, int kind,
                                       void *stream)
{
    return cudaMemcpy2DAsync(dst, dst_pitch, src, src_pitch, width, height, kind,
                             stream_per_thread(stream));
}

enum cuda_error cudaMemcpy3D_ptds(const struct cuda_copy_3d *request)
{
    return submit_3d("cudaMemcpy3D", request, stream_per_thread(NULL));
}

enum cuda_error cudaMemcpy3DAsync_ptsz(const struct cuda_copy_3d *request, void *stream)
{
    return cudaMemcpy3DAsync(request, stream_per_thread(stream));
}
