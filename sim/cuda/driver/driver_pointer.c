/* What the driver knows of an address: of which allocation it is, and what kind of memory. */
#include <string.h>

#include "cuda/driver/context.h"
#include "cuda/driver/driver.h"
#include "cuda/ipc_memory.h"
#include "cuda/runtime.h"
#include "cuda/virtual_memory.h"

/* CUpointer_attribute. */
enum {
    POINTER_CONTEXT = 1,
    POINTER_MEMORY_TYPE,
    POINTER_DEVICE,
    POINTER_HOST,
    POINTER_P2P_TOKENS,
    POINTER_SYNC_MEMOPS,
    POINTER_BUFFER_ID,
    POINTER_IS_MANAGED,
    POINTER_DEVICE_ORDINAL,
    POINTER_CAN_EXPORT, /* CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE */
    POINTER_RANGE_START,
    POINTER_RANGE_SIZE,
    POINTER_MAPPED,
    POINTER_HANDLE_TYPES,
    POINTER_ACCESS_FLAGS = 16,
    POINTER_MEMPOOL,
    POINTER_MAPPING_SIZE,
    POINTER_MAPPING_BASE,
    POINTER_BLOCK_ID,
    POINTER_COUNT = 22
};

/* Bytes that the driver writes for an attribute (H200, driver 580.159.04). */
static const unsigned char bytes_of[POINTER_COUNT] = {0, 8, 4, 8, 8, 12, 4, 8, 4, 4, 4,
                                                      8, 8, 4, 8, 4, 4,  8, 8, 8, 8, 4};

/* CUmemorytype. */
enum { TYPE_HOST = 1, TYPE_DEVICE };

enum cuda_error cudaPointerGetAttributes(struct cuda_pointer_attributes *attributes,
                                         const void *pointer);

int cuMemGetAddressRange_v2(uint64_t *base, size_t *size, uint64_t pointer);
int cuPointerGetAttribute(void *value, int attribute, const void *pointer);
int cuPointerGetAttributes(unsigned count, const int *attribute, void **value, const void *pointer);
int cuPointerSetAttribute(const void *value, int attribute, const void *pointer);

/*
 * Finds the allocation or mapping that `pointer` is in, and *range: the reserved addresses that a
 * mapping is in, or the allocation. Returns false if there is none.
 */
static bool find_span(const void *pointer, struct device_span *span, struct device_span *range)
{
    const struct runtime *rt = rt_enter_broken(__func__);
    *span = *range = (struct device_span){0};
    if (rt) {
        const struct virtual_mapping mapping = virtual_mapping_at((uintptr_t)pointer);
        *span = device_span(rt->memory, (uintptr_t)pointer);
        if (mapping.physical)
            *span = (struct device_span){mapping.address, mapping.size, NULL};
        *range = *span;
        if (mapping.physical)
            (void)virtual_range_at((uintptr_t)pointer, &range->address, &range->size);
    }
    (void)rt_leave_keep_last(CUDA_SUCCESS);
    return span->size != 0;
}

int cuMemGetAddressRange_v2(uint64_t *base, size_t *size, uint64_t pointer)
{
    struct device_span span, range;
    if (!find_span((const void *)(uintptr_t)pointer, &span, &range))
        return DRIVER_NOT_FOUND;
    if (base)
        *base = span.address;
    if (size)
        *size = span.size;
    return DRIVER_SUCCESS;
}

static enum virtual_access access_to(uint64_t address)
{
    const struct runtime *rt = rt_enter_broken(__func__);
    const bool only_read = rt && virtual_is_read_only(address, 1);
    (void)rt_leave_keep_last(CUDA_SUCCESS);
    return only_read ? VIRTUAL_READ : VIRTUAL_READ_WRITE;
}

static bool can_export(uint64_t address)
{
    const struct runtime *rt = rt_enter_broken(__func__);
    const bool can = rt && ipc_can_export(rt->memory, address);
    (void)rt_leave_keep_last(CUDA_SUCCESS);
    return can;
}

/*
 * Answers for memory that the device knows. Device addresses are not given out again, so that they
 * number buffers. Attributes that the memory does not have are 0, as the driver says.
 */
static uint64_t value_of(const struct cuda_pointer_attributes *found,
                         const struct device_span *span, const struct device_span *range,
                         int attribute)
{
    switch (attribute) {
    case POINTER_CONTEXT:
        return (uintptr_t)context_primary();
    case POINTER_MEMORY_TYPE:
        return found->type == MEMORY_HOST ? TYPE_HOST : TYPE_DEVICE;
    case POINTER_DEVICE:
        return (uintptr_t)found->device_pointer;
    case POINTER_HOST:
        return (uintptr_t)found->host_pointer;
    case POINTER_SYNC_MEMOPS:
        return found->type != MEMORY_HOST;
    case POINTER_BUFFER_ID:
    case POINTER_BLOCK_ID:
    case POINTER_MAPPING_BASE:
        return span->address;
    case POINTER_CAN_EXPORT:
        return can_export(span->address);
    case POINTER_RANGE_START:
        return range->address;
    case POINTER_IS_MANAGED:
        return found->type == MEMORY_MANAGED;
    case POINTER_DEVICE_ORDINAL:
        return (uint64_t)found->device;
    case POINTER_RANGE_SIZE:
        return range->size;
    case POINTER_MAPPED:
        return 1;
    case POINTER_ACCESS_FLAGS:
        return access_to(span->address);
    case POINTER_MAPPING_SIZE:
        return VIRTUAL_GRANULE;
    default:
        return 0;
    }
}

/* Tokens of memory for other devices are not to be had. */
static bool is_attribute(int attribute)
{
    return attribute >= POINTER_CONTEXT && attribute < POINTER_COUNT &&
           attribute != POINTER_P2P_TOKENS;
}

/* Returns an error for memory that the device does not know. */
static int look_up(const void *pointer, struct cuda_pointer_attributes *found,
                   struct device_span *span, struct device_span *range)
{
    const enum cuda_error error = cudaPointerGetAttributes(found, pointer);
    if (error != CUDA_SUCCESS || found->type == MEMORY_UNREGISTERED)
        return DRIVER_INVALID_VALUE;
    (void)find_span(pointer, span, range);
    return DRIVER_SUCCESS;
}

int cuPointerGetAttribute(void *value, int attribute, const void *pointer)
{
    struct cuda_pointer_attributes found = {0};
    struct device_span span, range;
    if (!value || !is_attribute(attribute) ||
        look_up(pointer, &found, &span, &range) != DRIVER_SUCCESS)
        return DRIVER_INVALID_VALUE;
    const uint64_t answer = value_of(&found, &span, &range, attribute);
    memcpy(value, &answer, bytes_of[attribute]);
    return attribute == POINTER_HOST && !answer ? DRIVER_INVALID_VALUE : DRIVER_SUCCESS;
}

/* For memory that the device does not know, all values are 0, and the call succeeds. */
int cuPointerGetAttributes(unsigned count, const int *attribute, void **value, const void *pointer)
{
    struct cuda_pointer_attributes found = {0};
    struct device_span span = {0}, range = {0};
    if (!attribute || !value)
        return DRIVER_INVALID_VALUE;
    const bool known = look_up(pointer, &found, &span, &range) == DRIVER_SUCCESS;
    for (unsigned i = 0; i < count; i++) {
        if (!is_attribute(attribute[i]) || !value[i])
            return DRIVER_INVALID_VALUE;
        const uint64_t answer = known ? value_of(&found, &span, &range, attribute[i]) : 0;
        memcpy(value[i], &answer, bytes_of[attribute[i]]);
    }
    return DRIVER_SUCCESS;
}

/* Copies of host memory are always synchronous as this attribute demands. */
int cuPointerSetAttribute(const void *value, int attribute, const void *pointer)
{
    (void)pointer;
    return value && attribute == POINTER_SYNC_MEMOPS ? DRIVER_SUCCESS : DRIVER_INVALID_VALUE;
}
