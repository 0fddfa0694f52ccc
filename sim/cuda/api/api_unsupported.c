/*
 * Functions of the runtime API that simsm does not support. Each function prints one message per
 * process and returns cudaErrorNotSupported, whatever its parameters are.
 */
#include "cuda/runtime.h"

static enum cuda_error refuse(const char *function, bool *told)
{
    rt_lock(function);
    if (!*told)
        (void)rt_report(CUDA_NOT_SUPPORTED, "simsm does not support this function");
    *told = true;
    return rt_leave(CUDA_NOT_SUPPORTED);
}

#define UNSUPPORTED(name)                                                                          \
    enum cuda_error name(void)                                                                     \
    {                                                                                              \
        static bool told;                                                                          \
        return refuse(__func__, &told);                                                            \
    }
#include "cuda/cuda_unsupported.def"

/*
 * Functions of the driver API cannot be looked up by name here: a program must be linked with
 * libcuda.
 */
enum cuda_error cudaGetDriverEntryPoint(const char *symbol, void **function,
                                        unsigned long long flags, int *result)
{
    enum { NOT_FOUND = 1 };
    (void)flags;
    rt_lock(__func__);
    if (function)
        *function = NULL;
    if (result)
        *result = NOT_FOUND;
    return rt_leave(rt_report(CUDA_NOT_SUPPORTED,
                              "%s: simsm finds no driver functions by name; link with libcuda",
                              symbol ? symbol : "(null)"));
}

enum cuda_error cudaGetDriverEntryPointByVersion(const char *symbol, void **function,
                                                 unsigned version, unsigned long long flags,
                                                 int *result)
{
    (void)version;
    return cudaGetDriverEntryPoint(symbol, function, flags, result);
}

enum cuda_error cudaGetFuncBySymbol(void **function, const void *stub)
{
    (void)stub;
    return cudaGetDriverEntryPoint("cudaGetFuncBySymbol", function, 0, NULL);
}

CUDA_ALIAS(cudaGetDriverEntryPoint_ptsz, cudaGetDriverEntryPoint);
CUDA_ALIAS(cudaGetDriverEntryPointByVersion_ptsz, cudaGetDriverEntryPointByVersion);
