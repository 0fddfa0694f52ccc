/*
 * What the runtime API has and we have not: each such function says so, once, and returns
 * cudaErrorNotSupported, whatever its parameters are.
 */
#include "cuda/runtime.h"

static enum cuda_error refuse(const char *function, bool *told)
{
    rt_lock(function);
    if (!*told)
        (void)rt_say(CUDA_NOT_SUPPORTED, "simsm does not support this function");
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
