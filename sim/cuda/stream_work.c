/* Execution of work: copies and fills here, kernels and graphs in their own files. */
#include "cuda/stream_work.h"

#include <stdlib.h>
#include <string.h>

#include "cuda/checking.h"
#include "cuda/cuda_code.h"
#include "cuda/cuda_graph.h"
#include "cuda/cuda_launch.h"
#include "cuda/cuda_stream.h"
#include "cuda/host_memory.h"
#include "cuda/ipc_memory.h"
#include "cuda/journal.h"
#include "cuda/l2_contents.h"
#include "cuda/memory_locate.h"
#include "cuda/rt_thread.h"
#include "cuda/textures.h"
#include "cuda/transfer_times.h"
#include "cuda/virtual_memory.h"
#include "cuda/work.h"
#include "model/mem_written.h"

/*
 * Returns the bytes from the first byte of the first row to behind the last byte of the last layer.
 */
static uint64_t span_bytes(size_t width, size_t height, size_t depth, size_t pitch, size_t layer)
{
    return (uint64_t)(depth - 1) * layer + (uint64_t)(height - 1) * pitch + width;
}

static bool is_empty(size_t width, size_t height, size_t depth)
{
    return width == 0 || height == 0 || depth == 0;
}

/* Notes that device memory was written, gaps between rows included, for the contents of L2. A copy
 * of the host has one way of each set (l2_contents.c). */
static void mark_written(struct runtime *rt, const void *dst, uint64_t bytes, bool by_host)
{
    const uint64_t way = rt->config.l2_bytes / rt->config.l2_ways;
    const struct mem_written written = {.address = (uintptr_t)dst,
                                        .bytes = bytes,
                                        .kept = by_host && bytes > way ? way : bytes,
                                        .by_host = by_host};
    l2_contents_add(rt->l2, &written, way);
    if (rt->queue)
        work_written(rt->queue, &written);
}

static enum cuda_error check_side(bool on_device, bool must, const char *side, const char *where)
{
    if (!must || on_device)
        return CUDA_SUCCESS;
    return rt_report(CUDA_INVALID_VALUE, "%s is not in %s, as the kind of the copy says", side,
                     where);
}

/* Locates memory that a copy or fill writes. */
static enum cuda_error locate_dst(const struct runtime *rt, const void *address, uint64_t size,
                                  struct located_memory *dst)
{
    const enum cuda_error error = memory_locate(rt, address, size, "dst", dst);
    if (error == CUDA_SUCCESS && dst->device && virtual_is_read_only((uintptr_t)address, size))
        return rt_report(CUDA_INVALID_VALUE, "dst: cuMemSetAccess lets %p be read only", address);
    return error;
}

/* Checks the pitches of a copy and locates both sides. */
static enum cuda_error locate_both_sides(struct runtime *rt, const struct copy *copy,
                                         struct located_memory *dst, struct located_memory *src)
{
    if (copy->height > 1 && (copy->dst_pitch < copy->width || copy->src_pitch < copy->width))
        return rt_report(CUDA_INVALID_PITCH_VALUE, "a pitch is less than the width of %zu bytes",
                         copy->width);
    enum cuda_error error = locate_dst(
        rt, copy->dst,
        span_bytes(copy->width, copy->height, copy->depth, copy->dst_pitch, copy->dst_layer), dst);
    if (error == CUDA_SUCCESS)
        error = memory_locate(
            rt, copy->src,
            span_bytes(copy->width, copy->height, copy->depth, copy->src_pitch, copy->src_layer),
            "src", src);
    return error;
}

static enum cuda_error check_kind(const struct runtime *rt, enum cuda_copy_kind kind,
                                  const struct located_memory *dst,
                                  const struct located_memory *src)
{
    const bool any = kind == COPY_DEFAULT;
    const bool to_device = kind == COPY_HOST_TO_DEVICE || kind == COPY_DEVICE_TO_DEVICE;
    const bool from_device = kind == COPY_DEVICE_TO_HOST || kind == COPY_DEVICE_TO_DEVICE;
    if ((unsigned)kind > COPY_DEFAULT)
        return rt_report(CUDA_INVALID_MEMCPY_DIRECTION, "%d is not a kind of copy (cudaMemcpyKind)",
                         (int)kind);
    enum cuda_error error = check_side(dst->device, !any && to_device, "dst", "device memory");
    if (error == CUDA_SUCCESS)
        error = check_side(!dst->exclusive, !any && !to_device, "dst", "host memory");
    if (error == CUDA_SUCCESS)
        error = check_side(src->device, !any && from_device, "src", "device memory");
    if (error == CUDA_SUCCESS)
        error = check_side(!src->exclusive, !any && !from_device, "src", "host memory");
    if (error != CUDA_SUCCESS)
        checking_fails_as(rt, FINDING_DIRECTION);
    return error;
}

static bool is_pageable(const struct runtime *rt, const struct located_memory *side,
                        const void *address)
{
    return !side->device && !host_memory_find(rt->host, address);
}

/* Returns why no kernel can run beside a copy that the call in progress submits. */
static enum copy_alone alone_because(const struct runtime *rt, const struct transfer *transfer)
{
    static const char of_graph[] = "cudaGraph"; /* the order of its nodes decides */
    if (transfer->kind != TRANSFER_HOST_TO_DEVICE && transfer->kind != TRANSFER_DEVICE_TO_HOST)
        return COPY_MAY_OVERLAP;
    if (strncmp(transfer->call, of_graph, sizeof of_graph - 1) == 0)
        return COPY_MAY_OVERLAP;
    if (work_call_waits())
        return COPY_WAITED_FOR;
    if (transfer->pageable)
        return COPY_PAGEABLE;
    return stream_is_legacy(rt->stream) ? COPY_DEFAULT_STREAM : COPY_MAY_OVERLAP;
}

static struct transfer copy_transfer(const struct runtime *rt, const struct copy *copy,
                                     const struct located_memory *dst,
                                     const struct located_memory *src)
{
    enum journal_transfer kind = src->exclusive ? TRANSFER_DEVICE_TO_HOST : TRANSFER_HOST_TO_HOST;
    if (dst->exclusive)
        kind = src->exclusive ? TRANSFER_DEVICE_TO_DEVICE : TRANSFER_HOST_TO_DEVICE;
    struct transfer transfer = {.kind = kind,
                                .bytes = (uint64_t)copy->width * copy->height * copy->depth,
                                .pageable = is_pageable(rt, dst, copy->dst) ||
                                            is_pageable(rt, src, copy->src),
                                .call = rt_thread.call ? rt_thread.call : ""};
    transfer.alone = alone_because(rt, &transfer);
    return transfer;
}

static enum cuda_error check_copy(struct runtime *rt, const struct copy *copy,
                                  struct located_memory *dst, struct located_memory *src)
{
    enum cuda_error error = locate_both_sides(rt, copy, dst, src);
    return error == CUDA_SUCCESS ? check_kind(rt, copy->kind, dst, src) : error;
}

static enum cuda_error run_copy(struct runtime *rt, const struct copy *copy)
{
    struct located_memory dst, src;
    enum cuda_error error = check_copy(rt, copy, &dst, &src);
    if (error != CUDA_SUCCESS)
        return error;
    checking_copy(rt, copy, &dst, &src);
    for (size_t z = 0; z < copy->depth; z++) {
        for (size_t y = 0; y < copy->height; y++)
            memmove(dst.host + z * copy->dst_layer + y * copy->dst_pitch,
                    src.host + z * copy->src_layer + y * copy->src_pitch, copy->width);
    }
    if (dst.exclusive)
        mark_written(
            rt, copy->dst,
            span_bytes(copy->width, copy->height, copy->depth, copy->dst_pitch, copy->dst_layer),
            !src.device);
    return CUDA_SUCCESS;
}

static void fill_row(uint8_t *row, const struct fill *fill)
{
    if (fill->element == 1) {
        memset(row, (int)(fill->value & 0xff), fill->width);
        return;
    }
    /* Host and GPU are little-endian: the low bytes of the value come first. */
    for (size_t i = 0; i < fill->width; i++)
        memcpy(row + i * fill->element, &fill->value, fill->element);
}

static enum cuda_error check_fill(struct runtime *rt, const struct fill *fill,
                                  struct located_memory *dst)
{
    const size_t row = fill->width * fill->element;
    if (fill->element != 1 && fill->element != 2 && fill->element != 4)
        return rt_report(CUDA_INVALID_VALUE, "elements of %u bytes; they have 1, 2 or 4",
                         fill->element);
    if (fill->height > 1 && fill->pitch < row)
        return rt_report(CUDA_INVALID_PITCH_VALUE, "the pitch is less than the width of %zu bytes",
                         row);
    const enum cuda_error error = locate_dst(
        rt, fill->dst, span_bytes(row, fill->height, fill->depth, fill->pitch, fill->layer), dst);
    if (error == CUDA_SUCCESS && !dst->device)
        return rt_report(CUDA_INVALID_VALUE, "dst is not in device memory");
    return error;
}

static enum cuda_error run_fill(struct runtime *rt, const struct fill *fill)
{
    struct located_memory dst;
    enum cuda_error error = check_fill(rt, fill, &dst);
    if (error != CUDA_SUCCESS)
        return error;
    checking_fill(rt, fill, &dst);
    for (size_t z = 0; z < fill->depth; z++) {
        for (size_t y = 0; y < fill->height; y++)
            fill_row(dst.host + z * fill->layer + y * fill->pitch, fill);
    }
    mark_written(rt, fill->dst,
                 span_bytes(fill->width * fill->element, fill->height, fill->depth, fill->pitch,
                            fill->layer),
                 false);
    return CUDA_SUCCESS;
}

enum cuda_error stream_work_check(struct runtime *rt, const struct stream_work *work,
                                  struct transfer *transfer)
{
    struct located_memory dst, src;
    const struct copy *copy = &work->as.copy;
    const struct fill *fill = &work->as.fill;
    enum cuda_error error = CUDA_SUCCESS;
    *transfer = (struct transfer){.kind = TRANSFER_HOST_TO_HOST, .call = ""};
    if (work->kind == WORK_COPY && !is_empty(copy->width, copy->height, copy->depth)) {
        error = check_copy(rt, copy, &dst, &src);
        if (error == CUDA_SUCCESS)
            *transfer = copy_transfer(rt, copy, &dst, &src);
    } else if (work->kind == WORK_FILL && !is_empty(fill->width, fill->height, fill->depth)) {
        error = check_fill(rt, fill, &dst);
        *transfer = (struct transfer){.kind = TRANSFER_FILL,
                                      .call = rt_thread.call ? rt_thread.call : "",
                                      .bytes = (uint64_t)fill->width * fill->element *
                                               fill->height * fill->depth};
    }
    return error;
}

enum cuda_error stream_work_transfer(struct runtime *rt, const struct stream_work *work)
{
    const struct copy *copy = &work->as.copy;
    const struct fill *fill = &work->as.fill;
    if (work->kind == WORK_COPY && !is_empty(copy->width, copy->height, copy->depth))
        return run_copy(rt, copy);
    if (work->kind == WORK_FILL && !is_empty(fill->width, fill->height, fill->depth))
        return run_fill(rt, fill);
    return CUDA_SUCCESS;
}

/* Executes a copy or a fill, advances simulated time by its time, and writes it to the journal. */
static enum cuda_error run_transfer(struct runtime *rt, const struct stream_work *work)
{
    struct transfer transfer;
    enum cuda_error error = stream_work_check(rt, work, &transfer);
    if (error == CUDA_SUCCESS)
        error = stream_work_transfer(rt, work);
    if (error != CUDA_SUCCESS || transfer.bytes == 0)
        return error;
    const double ns = transfer_ns(&rt->config, &transfer);
    rt->now += ns;
    journal_add_transfer(rt->journal, &transfer, ns, journal_range(rt->journal));
    return CUDA_SUCCESS;
}

static enum cuda_error run_memory_op(struct runtime *rt, const struct memory_op *op)
{
    const enum cuda_error error = memory_op_run(rt, op);
    if (error != CUDA_SUCCESS)
        return error;
    checking_memory_op(rt, op);
    if (memory_op_writes(op))
        mark_written(rt, op->address, memory_op_bytes(op), false);
    return error;
}

enum cuda_error stream_work_run(struct runtime *rt, const struct stream_work *work)
{
    switch (work->kind) {
    case WORK_KERNEL:
        return launch_run(rt, &work->as.launch);
    case WORK_COPY:
    case WORK_FILL:
        return run_transfer(rt, work);
    case WORK_HOST:
        checking_host_function(rt);
        rt_call_host(work->as.host.function, work->as.host.data);
        return CUDA_SUCCESS;
    case WORK_GRAPH:
        return graph_run(rt, work->as.graph);
    case WORK_RECORD:
        if (event_find(work->as.event)) /* of a graph: it may have been destroyed */
            event_record(rt, work->as.event);
        return CUDA_SUCCESS;
    case WORK_ALLOC: /* allocated with its node, and here again if it was freed since */
        device_revive(rt->memory, work->as.memory.address);
        checking_memory(rt, work->as.memory.address, work->as.memory.size);
        return CUDA_SUCCESS;
    case WORK_MEMORY_OP:
        return run_memory_op(rt, &work->as.memory_op);
    case WORK_RELEASE:
        checking_memory(rt, work->as.memory.address, work->as.memory.size);
        ipc_withdraw(rt->memory, work->as.memory.address);
        return device_free(rt->memory, work->as.memory.address) ||
                       host_memory_free(rt->host, (void *)(uintptr_t)work->as.memory.address,
                                        HOST_MANAGED)
                   ? CUDA_SUCCESS
                   : CUDA_INVALID_VALUE;
    case WORK_NOTHING: /* Nothing to wait for: all work before has been done. */
    case WORK_WAIT:
    case WORK_FREE: /* The memory of a graph stays allocated, because the graph may run again. */
        return CUDA_SUCCESS;
    }
    return CUDA_INVALID_VALUE;
}

/*
 * One side of a copy in three dimensions: address of the first byte, bytes from row to row and from
 * layer to layer.
 */
struct copy_side {
    uintptr_t at;
    size_t pitch, layer;
    uint32_t element; /* bytes of an element of an array; 0: not an array */
};

static size_t least_one(size_t n)
{
    return n ? n : 1;
}

/* Finds one side of a copy, at position 0 in x. */
static enum cuda_error side_of(const struct runtime *rt, const void *handle,
                               const struct cuda_pitched_ptr *memory, const struct cuda_pos *pos,
                               const struct cuda_extent *extent, struct copy_side *side)
{
    *side =
        (struct copy_side){(uintptr_t)memory->ptr, memory->pitch, memory->pitch * memory->ysize, 0};
    const struct array *array = handle ? textures_array(rt, handle) : NULL;
    if (handle && !array)
        return CUDA_INVALID_RESOURCE_HANDLE;
    if (array && (pos->x + extent->width > array->extent.width ||
                  pos->y + extent->height > least_one(array->extent.height) ||
                  pos->z + extent->depth > least_one(array->extent.depth)))
        return rt_report(
            CUDA_INVALID_VALUE,
            "%zu x %zu x %zu elements at (%zu, %zu, %zu) of an array of %zu x %zu x %zu",
            extent->width, extent->height, extent->depth, pos->x, pos->y, pos->z,
            array->extent.width, array->extent.height, array->extent.depth);
    if (array)
        *side = (struct copy_side){array->address, array->pitch, array->layer, array->element};
    side->at += pos->y * side->pitch + pos->z * side->layer;
    return CUDA_SUCCESS;
}

enum cuda_error copy_from_3d(const struct runtime *rt, const struct cuda_copy_3d *request,
                             struct copy *copy)
{
    struct copy_side src, dst;
    if (!request || (request->src_array && request->src.ptr) ||
        (request->dst_array && request->dst.ptr))
        return CUDA_INVALID_VALUE;
    enum cuda_error error =
        side_of(rt, request->src_array, &request->src, &request->src_pos, &request->extent, &src);
    if (error == CUDA_SUCCESS)
        error = side_of(rt, request->dst_array, &request->dst, &request->dst_pos, &request->extent,
                        &dst);
    if (error != CUDA_SUCCESS)
        return error;
    const size_t element = least_one(dst.element ? dst.element : src.element);
    *copy = (struct copy){.dst = (void *)(dst.at + request->dst_pos.x * element),
                          .src = (const void *)(src.at + request->src_pos.x * element),
                          .dst_pitch = dst.pitch,
                          .src_pitch = src.pitch,
                          .dst_layer = dst.layer,
                          .src_layer = src.layer,
                          .width = request->extent.width * element,
                          .height = request->extent.height,
                          .depth = request->extent.depth,
                          .kind = (enum cuda_copy_kind)request->kind};
    return CUDA_SUCCESS;
}

bool stream_work_copy(struct stream_work *copy, const struct stream_work *work)
{
    *copy = *work;
    if (work->kind == WORK_GRAPH) {
        copy->as.graph = graph_clone(work->as.graph);
        return copy->as.graph != NULL;
    }
    if (work->kind != WORK_KERNEL)
        return true;
    const size_t size = (size_t)work->as.launch.kernel->sass->param_bytes + 1;
    copy->as.launch.params = malloc(size);
    if (!copy->as.launch.params)
        return false;
    memcpy(copy->as.launch.params, work->as.launch.params, size);
    return true;
}

void stream_work_free(struct stream_work *work)
{
    if (work->kind == WORK_KERNEL)
        free(work->as.launch.params);
    else if (work->kind == WORK_GRAPH)
        graph_destroy(work->as.graph);
    work->kind = WORK_NOTHING;
}
