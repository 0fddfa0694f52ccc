/* Copies to and from variables of device code. */
#include "cuda/cuda_symbol.h"

#include "cuda/cuda_code.h"

/* Returns in *address the address of byte `offset` of a variable, after a check of the size. */
static enum cuda_error find(struct runtime *rt, const void *shadow, size_t bytes, size_t offset,
                            uint64_t *address)
{
    struct variable *variable;
    enum cuda_error error = code_variable(rt, shadow, &variable);
    if (error != CUDA_SUCCESS)
        return error;
    if (offset > variable->size || bytes > variable->size - offset)
        return rt_report(CUDA_INVALID_VALUE, "%zu bytes at byte %zu of %s, which has %llu bytes",
                         bytes, offset, variable->name, (unsigned long long)variable->size);
    *address = variable->address + offset;
    return CUDA_SUCCESS;
}

enum cuda_error symbol_copy_to(struct runtime *rt, const void *shadow, const void *src,
                               size_t bytes, size_t offset, int kind, struct stream_work *work)
{
    uint64_t address = 0;
    enum cuda_error error = find(rt, shadow, bytes, offset, &address);
    *work = (struct stream_work){.kind = WORK_COPY,
                                 .as.copy = {.dst = (void *)(uintptr_t)address,
                                             .src = src,
                                             .width = bytes,
                                             .height = 1,
                                             .depth = 1,
                                             .kind = (enum cuda_copy_kind)kind}};
    return error;
}

enum cuda_error symbol_copy_from(struct runtime *rt, void *dst, const void *shadow, size_t bytes,
                                 size_t offset, int kind, struct stream_work *work)
{
    uint64_t address = 0;
    enum cuda_error error = find(rt, shadow, bytes, offset, &address);
    *work = (struct stream_work){.kind = WORK_COPY,
                                 .as.copy = {.dst = dst,
                                             .src = (const void *)(uintptr_t)address,
                                             .width = bytes,
                                             .height = 1,
                                             .depth = 1,
                                             .kind = (enum cuda_copy_kind)kind}};
    return error;
}
