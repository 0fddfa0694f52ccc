#include "cuda/memory_op.h"

#include <string.h>

#include "cuda/memory_locate.h"
#include "cuda/runtime.h"

/* CUstreamWaitValue_flags */
enum wait_flag { WAIT_GEQ, WAIT_EQ, WAIT_AND, WAIT_NOR, WAIT_FLUSH = 1 << 30 };

static bool is_wait(const struct memory_op *op)
{
    return op->type == MEMORY_OP_WAIT_32 || op->type == MEMORY_OP_WAIT_64;
}

bool memory_op_writes(const struct memory_op *op)
{
    return op->type == MEMORY_OP_WRITE_32 || op->type == MEMORY_OP_WRITE_64;
}

size_t memory_op_bytes(const struct memory_op *op)
{
    switch (op->type) {
    case MEMORY_OP_WAIT_32:
    case MEMORY_OP_WRITE_32:
        return 4;
    case MEMORY_OP_WAIT_64:
    case MEMORY_OP_WRITE_64:
        return 8;
    default:
        return 0;
    }
}

enum cuda_error memory_op_check(const struct runtime *rt, const struct memory_op *op)
{
    const size_t bytes = memory_op_bytes(op);
    struct located_memory place;
    if (op->type == MEMORY_OP_FLUSH) /* as the attributes of the device say */
        return CUDA_NOT_SUPPORTED;
    if (!bytes)
        return op->type == MEMORY_OP_BARRIER && op->flags <= 1 ? CUDA_SUCCESS : CUDA_INVALID_VALUE;
    if (is_wait(op) && op->flags & WAIT_FLUSH)
        return CUDA_NOT_SUPPORTED;
    if (op->flags > (is_wait(op) ? WAIT_NOR : 0) || (uintptr_t)op->address % bytes)
        return CUDA_INVALID_VALUE;
    const enum cuda_error error = memory_locate(rt, op->address, bytes, "address", &place);
    if (error == CUDA_SUCCESS && !place.device)
        return rt_report(CUDA_INVALID_VALUE, "address: kernels do not reach the memory at %p",
                         op->address);
    return error;
}

bool memory_op_waits(const struct runtime *rt, const struct memory_op *op)
{
    const size_t bytes = memory_op_bytes(op);
    struct located_memory place;
    uint64_t found = 0;
    if (!is_wait(op) || memory_locate(rt, op->address, bytes, "address", &place) != CUDA_SUCCESS)
        return false;
    memcpy(&found, place.host, bytes); /* little-endian */
    const unsigned shift = bytes == 4 ? 32 : 0;
    switch (op->flags) {
    case WAIT_GEQ:
        return (int64_t)((found - op->value) << shift) < 0;
    case WAIT_EQ:
        return (found - op->value) << shift != 0;
    case WAIT_AND:
        return (found & op->value) << shift == 0;
    default:
        return ~(found | op->value) << shift == 0;
    }
}

enum cuda_error memory_op_give_up(const struct memory_op *op, const char *why)
{
    return rt_report(CUDA_NOT_SUPPORTED, "a stream waits for a value at %p that does not come%s",
                     op->address, why);
}

enum cuda_error memory_op_run(struct runtime *rt, const struct memory_op *op)
{
    enum { TRIES = 1000, PAUSE_NS = 1000000 };
    struct located_memory place;
    const struct stream *const stream = rt->stream;
    for (int i = 0; !rt->queue && memory_op_waits(rt, op); i++) {
        if (i == TRIES)
            return memory_op_give_up(
                op, ": without --concurrent, work runs when it is submitted, and before the "
                    "program goes on");
        rt_yield(PAUSE_NS);
        rt->stream = stream; /* another thread may have submitted work to its own */
    }
    if (!memory_op_writes(op))
        return CUDA_SUCCESS;
    const enum cuda_error error =
        memory_locate(rt, op->address, memory_op_bytes(op), "address", &place);
    if (error == CUDA_SUCCESS)
        memcpy(place.host, &op->value, memory_op_bytes(op));
    return error;
}
