/* Streams write single values, and wait for them. */
#include "cuda/cuda_stream.h"
#include "cuda/driver/driver.h"

/* CUstreamBatchMemOpParams: the members that an operation does not have are not read. */
union driver_memory_op {
    int type; /* enum memory_op_type */
    struct {
        int type;
        void *address;
        uint64_t value; /* its low 4 bytes, if the operation has so many */
        unsigned flags;
        void *alias;
    } value;
    struct {
        int type;
        unsigned flags;
    } fence;
    uint64_t room[6];
};

int cuStreamBatchMemOp(void *stream, unsigned count, const union driver_memory_op *list,
                       unsigned flags);
int cuStreamBatchMemOp_v2(void *stream, unsigned count, const union driver_memory_op *list,
                          unsigned flags);

/* Submits one operation, in a call that has entered. */
static enum cuda_error submit(struct runtime *rt, void *stream, const struct memory_op *op)
{
    const struct stream_work work = {.kind = WORK_MEMORY_OP, .as.memory_op = *op};
    const enum cuda_error error = memory_op_check(rt, op);
    return error == CUDA_SUCCESS ? stream_submit(rt, stream, &work) : error;
}

static int submit_one(const char *function, void *stream, const struct memory_op *op)
{
    struct runtime *rt = rt_enter(function);
    return driver_result(rt_leave(rt ? submit(rt, stream, op) : rt_refusal()));
}

/* The versions of a function have the same parameters; the older ones were for older drivers. */
#define ONE_VALUE(name, op, type_of_value)                                                         \
    int name(void *stream, void *address, type_of_value value, unsigned flags);                    \
    int name(void *stream, void *address, type_of_value value, unsigned flags)                     \
    {                                                                                              \
        return submit_one(__func__, stream, &(struct memory_op){op, flags, address, value});       \
    }
ONE_VALUE(cuStreamWaitValue32, MEMORY_OP_WAIT_32, uint32_t)
ONE_VALUE(cuStreamWaitValue32_v2, MEMORY_OP_WAIT_32, uint32_t)
ONE_VALUE(cuStreamWaitValue64, MEMORY_OP_WAIT_64, uint64_t)
ONE_VALUE(cuStreamWaitValue64_v2, MEMORY_OP_WAIT_64, uint64_t)
ONE_VALUE(cuStreamWriteValue32, MEMORY_OP_WRITE_32, uint32_t)
ONE_VALUE(cuStreamWriteValue32_v2, MEMORY_OP_WRITE_32, uint32_t)
ONE_VALUE(cuStreamWriteValue64, MEMORY_OP_WRITE_64, uint64_t)
ONE_VALUE(cuStreamWriteValue64_v2, MEMORY_OP_WRITE_64, uint64_t)

static struct memory_op translate(const union driver_memory_op *from)
{
    const bool fence = from->type == MEMORY_OP_BARRIER || from->type == MEMORY_OP_FLUSH;
    const bool half = from->type == MEMORY_OP_WAIT_32 || from->type == MEMORY_OP_WRITE_32;
    struct memory_op op = {.type = from->type, .flags = from->fence.flags};
    if (!fence)
        op = (struct memory_op){from->type, from->value.flags, from->value.address,
                                half ? (uint32_t)from->value.value : from->value.value};
    return op;
}

/* Nothing is submitted if one of the operations is wrong. */
int cuStreamBatchMemOp_v2(void *stream, unsigned count, const union driver_memory_op *list,
                          unsigned flags)
{
    enum { MOST = 256 };
    struct runtime *rt = rt_enter(__func__);
    enum cuda_error error = rt ? CUDA_SUCCESS : rt_refusal();
    if (rt && (count > MOST || (count && !list) || flags))
        error = CUDA_INVALID_VALUE;
    for (unsigned i = 0; i < count && error == CUDA_SUCCESS; i++) {
        const struct memory_op op = translate(&list[i]);
        error = memory_op_check(rt, &op);
    }
    for (unsigned i = 0; i < count && error == CUDA_SUCCESS; i++) {
        const struct memory_op op = translate(&list[i]);
        error = submit(rt, stream, &op);
    }
    return driver_result(rt_leave(error));
}

int cuStreamBatchMemOp(void *stream, unsigned count, const union driver_memory_op *list,
                       unsigned flags)
{
    return cuStreamBatchMemOp_v2(stream, count, list, flags);
}
