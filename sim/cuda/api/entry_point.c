/* Functions of the driver API by name. */
#include "cuda/runtime.h"

int cuGetProcAddress_v2(const char *name, void **function, int version, unsigned long long flags,
                        int *status);

enum cuda_error cudaGetDriverEntryPointByVersion(const char *symbol, void **function,
                                                 unsigned version, unsigned long long flags,
                                                 int *result)
{
    enum { FOUND, NOT_FOUND };
    rt_lock(__func__);
    if (!symbol || !function)
        return rt_leave(CUDA_INVALID_VALUE);
    *function = NULL;
    (void)cuGetProcAddress_v2(symbol, function, (int)version, flags, NULL);
    if (result)
        *result = *function ? FOUND : NOT_FOUND;
    return rt_leave(*function || result ? CUDA_SUCCESS : CUDA_SYMBOL_NOT_FOUND);
}

enum cuda_error cudaGetDriverEntryPoint(const char *symbol, void **function,
                                        unsigned long long flags, int *result)
{
    return cudaGetDriverEntryPointByVersion(symbol, function, RT_DRIVER_VERSION, flags, result);
}

CUDA_ALIAS(cudaGetDriverEntryPoint_ptsz, cudaGetDriverEntryPoint);
CUDA_ALIAS(cudaGetDriverEntryPointByVersion_ptsz, cudaGetDriverEntryPointByVersion);
