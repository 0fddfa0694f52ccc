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

enum cuda_error cudaGetFuncBySymbol(void **function, const void *stub)
{
    static bool told;
    (void)function;
    (void)stub;
    return refuse(__func__, &told);
}
