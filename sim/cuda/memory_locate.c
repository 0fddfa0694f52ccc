/* Lookup of addresses that a program passes, with messages for wrong addresses. */
#include "cuda/memory_locate.h"

#include <stdio.h>

#include "cuda/checking.h"

/* bytes of addresses that device memory can have: the most that device_memory_create reserves */
static const uint64_t device_range = UINT64_C(1) << 44;

/* Prints what is allocated at or near the address. */
static enum cuda_error out_of_bounds(const struct runtime *rt, uint64_t at, uint64_t size,
                                     const char *what)
{
    const struct device_allocation *near = device_nearest(rt->memory, at);
    if (!near)
        return rt_report(CUDA_INVALID_VALUE, "%s: nothing is allocated at %#llx", what,
                         (unsigned long long)at);
    checking_names(rt, near);
    if (at >= near->address && at - near->address < near->size)
        return rt_report(
            CUDA_INVALID_VALUE, "%s: %llu bytes at byte %llu of %s, which %s %llu bytes", what,
            (unsigned long long)size, (unsigned long long)(at - near->address), near->name,
            near->freed ? "has been freed and had" : "has", (unsigned long long)near->size);
    return rt_report(CUDA_INVALID_VALUE,
                     "%s: nothing is allocated at %#llx; nearest is %s with %llu bytes at %#llx%s",
                     what, (unsigned long long)at, near->name, (unsigned long long)near->size,
                     (unsigned long long)near->address, near->freed ? ", freed" : "");
}

enum cuda_error memory_locate(const struct runtime *rt, const void *address, uint64_t size,
                              const char *what, struct located_memory *place)
{
    const uint64_t at = (uintptr_t)address;
    *place = (struct located_memory){0};
    if (!address)
        return rt_report(CUDA_INVALID_VALUE, "%s is a null pointer", what);
    place->host = device_pointer(rt->memory, at, size ? size : 1);
    if (place->host) {
        place->device = true;
        place->exclusive = place->host != address;
        return CUDA_SUCCESS;
    }
    if (host_memory_find(rt->host, address) || at - DEVICE_BASE < device_range)
        return out_of_bounds(rt, at, size, what);
    place->host = (uint8_t *)(uintptr_t)address; /* the caller knows whether it may write */
    return CUDA_SUCCESS;
}
