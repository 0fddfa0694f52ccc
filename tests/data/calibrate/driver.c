/*
 * A driver for tests without a GPU: a library that is found in place of libcuda.so.1. A launch
 * writes its own number of the process, times 10, plus i into word i of the buffer that is its
 * first argument; by the blocks of its grid it does more: 2: a fault, after which nothing works any
 * more; 3: it does not end; 4: the process dies.
 */
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ILLEGAL_ADDRESS = 700, OUT_OF_MEMORY = 2, WORDS = 4 };

static int broken;
static uint32_t launches;

#define NOTHING(name)                                                                              \
    int name(void)                                                                                 \
    {                                                                                              \
        return broken;                                                                             \
    }

NOTHING(cuInit)
NOTHING(cuDeviceGet)
NOTHING(cuDevicePrimaryCtxRetain)
NOTHING(cuCtxSetCurrent)
NOTHING(cuCtxSynchronize)
NOTHING(cuModuleLoadData)
NOTHING(cuModuleUnload)
NOTHING(cuFuncSetAttribute)

/* Functions are 1, and 2 the one that only reads. */
int cuModuleGetFunction(void **function, void *module, const char *name)
{
    (void)module;
    *function = (void *)(uintptr_t)(strcmp(name, "flush") == 0 ? 2 : 1);
    return broken;
}

int cuDriverGetVersion(int *version)
{
    *version = 13000;
    return broken;
}

int cuGetErrorName(int result, const char **name)
{
    *name = result == ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OUT_OF_MEMORY";
    return 0;
}

int cuGetErrorString(int result, const char **text)
{
    *text =
        result == ILLEGAL_ADDRESS ? "an illegal memory access was encountered" : "out of memory";
    return 0;
}

int cuDeviceGetName(char *name, int length, int device)
{
    (void)device;
    strncpy(name, "A GPU of paper", (size_t)length);
    return broken;
}

/* 75 and 76: compute capability 7.5; 38: bytes of L2. */
int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    (void)device;
    *value = attribute == 75 ? 7 : attribute == 76 ? 5 : attribute == 38 ? 4096 : 1590000;
    return broken;
}

int cuMemAlloc_v2(uint64_t *address, size_t bytes)
{
    void *memory = bytes < (size_t)1 << 32 ? malloc(bytes) : NULL;
    *address = (uint64_t)(uintptr_t)memory;
    return memory ? broken : OUT_OF_MEMORY;
}

int cuMemFree_v2(uint64_t address)
{
    free((void *)(uintptr_t)address);
    return broken;
}

int cuMemsetD8_v2(uint64_t address, unsigned char value, size_t bytes)
{
    memset((void *)(uintptr_t)address, value, bytes);
    return broken;
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes)
{
    memcpy((void *)(uintptr_t)to, from, bytes);
    return broken;
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes)
{
    memcpy(to, (void *)(uintptr_t)from, bytes);
    return broken;
}

static int run(unsigned blocks, void **parameters)
{
    uint32_t *out;
    memcpy(&out, parameters[0], sizeof out);
    launches++;
    for (uint32_t i = 0; i < WORDS; i++)
        out[i] += 10 * launches + i;
    if (blocks == 2)
        broken = ILLEGAL_ADDRESS;
    while (blocks == 3)
        sleep(1);
    if (blocks == 4)
        raise(SIGKILL);
    return 0;
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **parameters, void **extra)
{
    (void)gy, (void)gz, (void)bx, (void)by, (void)bz, (void)shared, (void)stream, (void)extra;
    if (function == (void *)2 && getenv("PROFILED"))
        raise(SIGKILL); /* a profiler would count it */
    return function == (void *)2 ? broken : run(gx, parameters);
}

int cuLaunchCooperativeKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                              unsigned by, unsigned bz, unsigned shared, void *stream,
                              void **parameters)
{
    (void)function, (void)gy, (void)gz, (void)bx, (void)by, (void)bz, (void)shared, (void)stream;
    return run(gx, parameters);
}
