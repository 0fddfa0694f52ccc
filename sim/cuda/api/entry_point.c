/* Functions of the driver API by name: those of simsm's libcuda. */
#include <dlfcn.h>
#include <string.h>

#include "cuda/runtime.h"

enum { NEWEST = 13000 }; /* a version of CUDA */

enum cuda_error cudaGetDriverEntryPointByVersion(const char *symbol, void **function,
                                                 unsigned version, unsigned long long flags,
                                                 int *result)
{
    enum { FOUND, NOT_FOUND };
    int (*find)(const char *, void **, int, unsigned long long, int *) = NULL;
    rt_lock(__func__);
    if (!symbol || !function)
        return rt_leave(CUDA_INVALID_VALUE);
    *function = NULL;
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY);
    void *found = driver ? dlsym(driver, "cuGetProcAddress_v2") : NULL;
    memcpy(&find, &found, sizeof find);
    if (find)
        (void)find(symbol, function, (int)version, flags, NULL);
    if (result)
        *result = *function ? FOUND : NOT_FOUND;
    return rt_leave(*function || result ? CUDA_SUCCESS : CUDA_SYMBOL_NOT_FOUND);
}

enum cuda_error cudaGetDriverEntryPoint(const char *symbol, void **function,
                                        unsigned long long flags, int *result)
{
    return cudaGetDriverEntryPointByVersion(symbol, function, NEWEST, flags, result);
}

CUDA_ALIAS(cudaGetDriverEntryPoint_ptsz, cudaGetDriverEntryPoint);
CUDA_ALIAS(cudaGetDriverEntryPointByVersion_ptsz, cudaGetDriverEntryPointByVersion);
