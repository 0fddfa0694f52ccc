#include "calibrate/gpu_driver.h"

#include <dlfcn.h>
#include <string.h>

#include "base/err.h"

/* The functions of the driver: offset of the pointer in the struct, and name in the library. */
static const struct {
    size_t offset;
    const char *name;
} functions[] = {
#define FUNCTION(field, name)                                                                      \
    {                                                                                              \
        offsetof(struct gpu_driver, field), name                                                   \
    }
    FUNCTION(init, "cuInit"),
    FUNCTION(driver_version, "cuDriverGetVersion"),
    FUNCTION(error_name, "cuGetErrorName"),
    FUNCTION(error_string, "cuGetErrorString"),
    FUNCTION(device_get, "cuDeviceGet"),
    FUNCTION(device_name, "cuDeviceGetName"),
    FUNCTION(device_attribute, "cuDeviceGetAttribute"),
    FUNCTION(context_retain, "cuDevicePrimaryCtxRetain"),
    FUNCTION(context_set, "cuCtxSetCurrent"),
    FUNCTION(synchronize, "cuCtxSynchronize"),
    FUNCTION(module_load, "cuModuleLoadData"),
    FUNCTION(module_unload, "cuModuleUnload"),
    FUNCTION(module_function, "cuModuleGetFunction"),
    FUNCTION(function_set, "cuFuncSetAttribute"),
    FUNCTION(alloc, "cuMemAlloc_v2"),
    FUNCTION(free, "cuMemFree_v2"),
    FUNCTION(fill, "cuMemsetD8_v2"),
    FUNCTION(to_device, "cuMemcpyHtoD_v2"),
    FUNCTION(to_host, "cuMemcpyDtoH_v2"),
    FUNCTION(launch, "cuLaunchKernel"),
    FUNCTION(launch_cooperative, "cuLaunchCooperativeKernel"),
#undef FUNCTION
};

enum simsm_status gpu_driver_load(struct gpu_driver *driver, struct simsm_error *error)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library)
        return err_set(error, SIMSM_FAILED,
                       "measuring needs a GPU: its driver (libcuda.so.1) cannot be loaded: %s; "
                       "without --measure, simsm calibrate works from recorded data",
                       dlerror());
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        void *address = dlsym(library, functions[i].name);
        if (!address)
            return err_set(error, SIMSM_FAILED,
                           "the driver of the GPU (libcuda.so.1) has no function %s; a newer one "
                           "is needed",
                           functions[i].name);
        memcpy((char *)driver + functions[i].offset, &address, sizeof address);
    }
    return SIMSM_OK;
}

enum simsm_status gpu_check(const struct gpu_driver *driver, cu_result result, const char *what,
                            struct simsm_error *error)
{
    const char *name = NULL, *text = NULL;
    if (result == 0)
        return SIMSM_OK;
    (void)driver->error_name(result, &name);
    (void)driver->error_string(result, &text);
    return err_set(error, SIMSM_FAILED, "%s: %s: %s", what, name ? name : "unknown error",
                   text ? text : "the driver has no words for it");
}
