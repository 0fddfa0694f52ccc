/* What the driver knows of an address: of which allocation it is, and what kind of memory. */
#include <string.h>

#include "cuda/driver/context.h"
#include "cuda/driver/driver.h"
#include "cuda/runtime.h"

/* CUpointer_attribute. */
enum {
    POINTER_CONTEXT = 1,
    POINTER_MEMORY_TYPE,
    POINTER_DEVICE,
    POINTER_HOST,
    POINTER_SYNC_MEMOPS = 6,
    POINTER_BUFFER_ID,
    POINTER_IS_MANAGED,
    POINTER_DEVICE_ORDINAL,
    POINTER_RANGE_START = 11,
    POINTER_RANGE_SIZE,
    POINTER_MAPPED,
    POINTER_ACCESS_FLAGS = 16,
    POINTER_BLOCK_ID = 20,
    POINTER_LAST = 21
};

/* CUmemorytype. */
enum { TYPE_HOST = 1, TYPE_DEVICE };

enum cuda_error cudaPointerGetAttributes(struct cuda_pointer_attributes *attributes,
                                         const void *pointer);

int cuMemGetAddressRange_v2(uint64_t *base, size_t *size, uint64_t pointer);
int cuPointerGetAttribute(void *value, int attribute, const void *pointer);
int cuPointerGetAttributes(unsigned count, const int *attribute, void **value, const void *pointer);
int cuPointerSetAttribute(const void *value, int attribute, const void *pointer);

/* Finds the allocation that `pointer` is in. Returns false if there is none. */
static bool find_span(const void *pointer, struct device_span *span)
{
    const struct runtime *rt = rt_enter_broken(__func__);
    *span = (struct device_span){0};
    if (rt)
        *span = device_span(rt->memory, (uintptr_t)pointer);
    (void)rt_leave_keep_last(CUDA_SUCCESS);
    return span->size != 0;
}

int cuMemGetAddressRange_v2(uint64_t *base, size_t *size, uint64_t pointer)
{
    struct device_span span;
    if (!find_span((const void *)(uintptr_t)pointer, &span))
        return DRIVER_NOT_FOUND;
    if (base)
        *base = span.address;
    if (size)
        *size = span.size;
    return DRIVER_SUCCESS;
}

/* A value of an attribute, and how many of its bytes the program gets. */
struct answer {
    uint64_t value;
    size_t size;
};

/*
 * Answers for memory that the device knows. Device addresses are not given out again, so that they
 * number buffers. Attributes that the memory does not have are 0, as the driver says.
 */
static struct answer answer_of(const struct cuda_pointer_attributes *found,
                               const struct device_span *span, int attribute)
{
    enum { READ_WRITE = 3 };
    switch (attribute) {
    case POINTER_CONTEXT:
        return (struct answer){(uintptr_t)context_primary(), sizeof(void *)};
    case POINTER_MEMORY_TYPE:
        return (struct answer){found->type == MEMORY_HOST ? TYPE_HOST : TYPE_DEVICE,
                               sizeof(unsigned)};
    case POINTER_DEVICE:
        return (struct answer){(uintptr_t)found->device_pointer, sizeof(void *)};
    case POINTER_HOST:
        return (struct answer){(uintptr_t)found->host_pointer, sizeof(void *)};
    case POINTER_BUFFER_ID:
    case POINTER_BLOCK_ID:
    case POINTER_RANGE_START:
        return (struct answer){span->address, sizeof(uint64_t)};
    case POINTER_IS_MANAGED:
        return (struct answer){found->type == MEMORY_MANAGED, 1};
    case POINTER_DEVICE_ORDINAL:
        return (struct answer){(uint64_t)found->device, sizeof(int)};
    case POINTER_RANGE_SIZE:
        return (struct answer){span->size, sizeof(size_t)};
    case POINTER_MAPPED:
        return (struct answer){1, 1};
    case POINTER_ACCESS_FLAGS:
        return (struct answer){READ_WRITE, sizeof(int)};
    default:
        return (struct answer){0, sizeof(int)};
    }
}

/* Returns an error for memory that the device does not know. */
static int look_up(const void *pointer, struct cuda_pointer_attributes *found,
                   struct device_span *span)
{
    const enum cuda_error error = cudaPointerGetAttributes(found, pointer);
    if (error != CUDA_SUCCESS || found->type == MEMORY_UNREGISTERED)
        return DRIVER_INVALID_VALUE;
    (void)find_span(pointer, span);
    return DRIVER_SUCCESS;
}

int cuPointerGetAttribute(void *value, int attribute, const void *pointer)
{
    struct cuda_pointer_attributes found = {0};
    struct device_span span;
    if (!value || attribute < POINTER_CONTEXT || attribute > POINTER_LAST ||
        look_up(pointer, &found, &span) != DRIVER_SUCCESS)
        return DRIVER_INVALID_VALUE;
    const struct answer answer = answer_of(&found, &span, attribute);
    if (attribute == POINTER_HOST && !answer.value)
        return DRIVER_INVALID_VALUE;
    memcpy(value, &answer.value, answer.size);
    return DRIVER_SUCCESS;
}

/* For memory that the device does not know, all values are 0, and the call succeeds. */
int cuPointerGetAttributes(unsigned count, const int *attribute, void **value, const void *pointer)
{
    struct cuda_pointer_attributes found = {0};
    struct device_span span = {0};
    if (!attribute || !value)
        return DRIVER_INVALID_VALUE;
    const bool known = look_up(pointer, &found, &span) == DRIVER_SUCCESS;
    for (unsigned i = 0; i < count; i++) {
        if (attribute[i] < POINTER_CONTEXT || attribute[i] > POINTER_LAST || !value[i])
            return DRIVER_INVALID_VALUE;
        struct answer answer = answer_of(&found, &span, attribute[i]);
        answer.value = known ? answer.value : 0;
        memcpy(value[i], &answer.value, answer.size);
    }
    return DRIVER_SUCCESS;
}

/* Copies of host memory are always synchronous as this attribute demands. */
int cuPointerSetAttribute(const void *value, int attribute, const void *pointer)
{
    (void)pointer;
    return value && attribute == POINTER_SYNC_MEMOPS ? DRIVER_SUCCESS : DRIVER_INVALID_VALUE;
}
