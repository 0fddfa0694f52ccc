/* What belongs to nothing else. */
#include <string.h>

#include "cuda/runtime.h"

struct cuda_channel cudaCreateChannelDesc(int x, int y, int z, int w, int kind)
{
    return (struct cuda_channel){.bits = {x, y, z, w}, .kind = kind};
}

/* The driver API is not there. */
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
    return rt_leave(
        rt_say(CUDA_NOT_SUPPORTED, "%s: simsm has no driver API", symbol ? symbol : "(null)"));
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
