/* The device: there is one device, number 0; its properties, limits and flags. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cuda/capture_rules.h"
#include "cuda/checking.h"
#include "cuda/cuda_code.h"
#include "cuda/cuda_pool.h"
#include "cuda/host_memory.h"
#include "cuda/ipc_memory.h"
#include "cuda/properties.h"
#include "cuda/ranges.h"
#include "cuda/textures.h"
#include "cuda/virtual_memory.h"

enum cuda_error cudaGetDeviceCount(int *count)
{
    const struct runtime *rt = rt_enter_broken(__func__);
    if (count)
        *count = rt ? 1 : 0;
    return rt_leave(!rt ? rt_refusal() : count ? CUDA_SUCCESS : CUDA_INVALID_VALUE);
}

/* Enters and leaves a call that only has to check the device's number. */
static enum cuda_error check_device(const char *function, int device)
{
    struct runtime *rt = rt_enter(function);
    return rt_leave(!rt ? rt_refusal() : device == 0 ? CUDA_SUCCESS : CUDA_INVALID_DEVICE);
}

enum cuda_error cudaSetDevice(int device)
{
    return check_device(__func__, device);
}

enum cuda_error cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
    (void)device_flags;
    (void)flags;
    return check_device(__func__, device);
}

enum cuda_error cudaGetDevice(int *device)
{
    if (!device)
        return rt_set_last_error(CUDA_INVALID_VALUE);
    *device = 0;
    return check_device(__func__, 0);
}

enum cuda_error cudaSetValidDevices(const int *devices, int count)
{
    for (int i = 0; devices && i < count; i++) {
        if (devices[i] != 0)
            return check_device(__func__, devices[i]);
    }
    return check_device(__func__, 0);
}

enum cuda_error cudaChooseDevice(int *device, const void *properties)
{
    if (!device || !properties)
        return rt_set_last_error(CUDA_INVALID_VALUE);
    *device = 0;
    return check_device(__func__, 0);
}

/* Waits for all work, in both synchronize calls. */
static enum cuda_error synchronize(const char *function)
{
    struct runtime *rt = rt_enter(function);
    if (rt)
        checking_all_waited(rt);
    return rt_leave(rt ? CUDA_SUCCESS : rt_refusal());
}

enum cuda_error cudaDeviceSynchronize(void)
{
    const enum cuda_error error = synchronize(__func__);
    const enum cuda_error captures = capture_allow(CAPTURE_USES_DEVICE);
    return captures == CUDA_SUCCESS ? error : rt_set_last_error(captures);
}

enum cuda_error cudaThreadSynchronize(void)
{
    return synchronize(__func__);
}

/*
 * Frees all device memory, pinned and managed memory, arrays, objects and loaded code. Reports go
 * on.
 */
enum cuda_error cudaDeviceReset(void)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt)
        return rt_leave(rt_refusal());
    struct device_memory *memory = NULL;
    struct host_memory *host = NULL;
    if (device_memory_create(&memory, rt->settings.device_memory, NULL) != SIMSM_OK ||
        host_memory_create(&host, memory, NULL) != SIMSM_OK) {
        device_memory_destroy(memory);
        return rt_leave(CUDA_MEMORY_ALLOCATION);
    }
    code_unload(rt->code);
    ipc_destroy();
    virtual_destroy();
    host_memory_destroy(rt->host);
    device_memory_destroy(rt->memory);
    textures_destroy(rt->textures);
    rt->textures = NULL;
    rt->memory = memory;
    rt->host = host;
    rt->translated = false;
    rt_default_limits(rt);
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error cudaThreadExit(void)
{
    return cudaDeviceReset();
}

enum cuda_error cudaSetDeviceFlags(unsigned flags)
{
    struct runtime *rt = rt_enter(__func__);
    const unsigned known = 0x9f; /* scheduling, mapped memory, local memory, synchronous copies */
    if (!rt || flags & ~known)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    rt->flags = flags;
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error cudaGetDeviceFlags(unsigned *flags)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt || !flags)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    *flags = rt->flags | 8; /* cudaDeviceMapHost: always on */
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error cudaDeviceGetAttribute(int *value, int attribute, int device)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt || !value)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    if (device != 0)
        return rt_leave(CUDA_INVALID_DEVICE);
    struct properties properties;
    properties_fill(&rt->config, rt->settings.device_memory, &properties);
    return rt_leave(properties_attribute(&properties, attribute, value) ? CUDA_SUCCESS
                                                                        : CUDA_INVALID_VALUE);
}

/* Fills *properties. The caller converts them to the struct of the program's toolkit. */
static enum cuda_error get_properties(const char *function, int device,
                                      struct properties *properties)
{
    const struct runtime *rt = rt_enter(function);
    if (!rt || device != 0)
        return rt_leave(rt ? CUDA_INVALID_DEVICE : rt_refusal());
    properties_fill(&rt->config, rt->settings.device_memory, properties);
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error rt_get_properties_11(struct cuda_properties_11 *to, int device)
{
    struct properties properties;
    enum cuda_error error = to ? get_properties("cudaGetDeviceProperties", device, &properties)
                               : rt_set_last_error(CUDA_INVALID_VALUE);
    if (error == CUDA_SUCCESS)
        properties_for_11(&properties, to);
    return error;
}

enum cuda_error rt_get_properties_13(struct cuda_properties_13 *to, int device)
{
    struct properties properties;
    enum cuda_error error = to ? get_properties("cudaGetDeviceProperties", device, &properties)
                               : rt_set_last_error(CUDA_INVALID_VALUE);
    if (error == CUDA_SUCCESS)
        properties_for_13(&properties, to);
    return error;
}

enum cuda_error cudaGetDeviceProperties_v2(struct cuda_properties_12 *to, int device)
{
    struct properties properties;
    enum cuda_error error =
        to ? get_properties(__func__, device, &properties) : rt_set_last_error(CUDA_INVALID_VALUE);
    if (error == CUDA_SUCCESS)
        properties_for_12(&properties, to);
    return error;
}

enum cuda_error cudaDeviceGetPCIBusId(char *text, int size, int device)
{
    struct properties properties;
    char id[PROPERTIES_BUS_ID];
    if (!text)
        return rt_set_last_error(CUDA_INVALID_VALUE);
    const enum cuda_error error = get_properties(__func__, device, &properties);
    if (error != CUDA_SUCCESS)
        return error;
    properties_bus_id(&properties, id);
    if (size <= (int)strlen(id))
        return rt_set_last_error(CUDA_INVALID_VALUE);
    memcpy(text, id, strlen(id) + 1);
    return CUDA_SUCCESS;
}

enum cuda_error cudaDeviceGetByPCIBusId(int *device, const char *text)
{
    struct properties properties;
    char id[PROPERTIES_BUS_ID];
    if (!device || !text)
        return rt_set_last_error(CUDA_INVALID_VALUE);
    const enum cuda_error error = get_properties(__func__, 0, &properties);
    if (error != CUDA_SUCCESS)
        return error;
    *device = 0;
    properties_bus_id(&properties, id);
    return strcasecmp(text, id) == 0 ? CUDA_SUCCESS : rt_set_last_error(CUDA_INVALID_DEVICE);
}

enum cuda_error cudaDeviceGetLimit(size_t *value, int limit)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt || !value)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    if ((unsigned)limit >= LIMIT_KNOWN)
        return rt_leave(CUDA_INVALID_VALUE);
    *value = limit < LIMIT_COUNT ? rt->limit[limit] : 0;
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error cudaDeviceSetLimit(int limit, size_t value)
{
    const size_t least_heap = 4 << 20; /* bytes; an H200 raises smaller heaps to this size */
    struct runtime *rt = rt_enter(__func__);
    if (!rt || (unsigned)limit >= LIMIT_COUNT)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    if (limit == LIMIT_MALLOC_HEAP && value < least_heap)
        value = least_heap;
    if (limit == LIMIT_MALLOC_HEAP && !device_set_heap(rt->memory, value))
        return rt_leave(rt_report(CUDA_INVALID_VALUE,
                                  "cudaLimitMallocHeapSize cannot change once a kernel has called "
                                  "malloc; set it before the first such launch"));
    rt->limit[limit] = value;
    return rt_leave(CUDA_SUCCESS);
}

/* Cache preferences have no effect: GPUs since Volta ignore them too. */
enum cuda_error cudaDeviceGetCacheConfig(int *config)
{
    if (config)
        *config = 0;
    return check_device(__func__, 0);
}

enum cuda_error cudaDeviceSetCacheConfig(int config)
{
    (void)config;
    return check_device(__func__, 0);
}

/* Names of the functions in toolkits before 4. */
CUDA_ALIAS(cudaThreadGetLimit, cudaDeviceGetLimit);
CUDA_ALIAS(cudaThreadSetLimit, cudaDeviceSetLimit);
CUDA_ALIAS(cudaThreadGetCacheConfig, cudaDeviceGetCacheConfig);
CUDA_ALIAS(cudaThreadSetCacheConfig, cudaDeviceSetCacheConfig);

enum cuda_error cudaDeviceGetSharedMemConfig(int *config)
{
    if (config)
        *config = 1; /* cudaSharedMemBankSizeFourByte */
    return check_device(__func__, 0);
}

enum cuda_error cudaDeviceSetSharedMemConfig(int config)
{
    (void)config;
    return check_device(__func__, 0);
}

enum cuda_error cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    if (!can)
        return rt_set_last_error(CUDA_INVALID_VALUE);
    *can = 0; /* a device is not its own peer */
    return check_device(__func__, device ? device : peer);
}

enum cuda_error cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt || flags)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    return rt_leave(peer == 0 ? CUDA_PEER_ACCESS_UNSUPPORTED : CUDA_INVALID_DEVICE);
}

enum cuda_error cudaDeviceDisablePeerAccess(int peer)
{
    return check_device(__func__, peer ? peer : -1);
}

enum cuda_error cudaDeviceGetP2PAttribute(int *value, int attribute, int from, int to)
{
    (void)attribute;
    if (value)
        *value = 0;
    return check_device(__func__, from ? from : to ? to : -1);
}

enum cuda_error cudaCtxResetPersistingL2Cache(void)
{
    return check_device(__func__, 0);
}

enum cuda_error cudaDeviceFlushGPUDirectRDMAWrites(int target, int scope)
{
    (void)target;
    (void)scope;
    return check_device(__func__, 0);
}

enum cuda_error rt_get_version(int *version, int toolkit)
{
    if (!version)
        return rt_set_last_error(CUDA_INVALID_VALUE);
    *version = toolkit;
    return CUDA_SUCCESS;
}

enum cuda_error cudaDriverGetVersion(int *version)
{
    return rt_get_version(version, RT_DRIVER_VERSION);
}

enum cuda_error cudaProfilerStart(void)
{
    ranges_profile(true);
    return CUDA_SUCCESS;
}

enum cuda_error cudaProfilerStop(void)
{
    ranges_profile(false);
    return CUDA_SUCCESS;
}
