/* Kernels, functions, libraries and modules: what the runtime API has no counterpart for. */
#include "cuda/cuda_code.h"
#include "cuda/driver/driver.h"

enum cuda_error cudaDeviceGetAttribute(int *value, int attribute, int device);
enum cuda_error cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, void *function,
                                                                       int threads, size_t shared,
                                                                       unsigned flags);

int cuFuncGetAttribute(int *value, int attribute, void *function);
int cuKernelGetAttribute(int *value, int attribute, void *kernel, int device);
int cuModuleGetLoadingMode(int *mode);
int cuFuncGetModule(void **module, void *function);
int cuKernelGetLibrary(void **library, void *kernel);
int cuFuncLoad(void *function);
int cuFuncIsLoaded(int *state, void *function);
int cuOccupancyMaxPotentialBlockSize(int *grid, int *block, void *function,
                                     size_t (*shared_of)(int block), size_t shared, int most);
int cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, void *function,
                                              size_t (*shared_of)(int block), size_t shared,
                                              int most, unsigned flags);

/* A kernel has the same attributes on each device, as there is one. */
int cuKernelGetAttribute(int *value, int attribute, void *kernel, int device)
{
    return device == 0 ? cuFuncGetAttribute(value, attribute, kernel) : DRIVER_INVALID_DEVICE;
}

/* Code is loaded when a kernel or variable of it is first used. */
int cuModuleGetLoadingMode(int *mode)
{
    enum { LAZY = 2 };
    if (!mode)
        return DRIVER_INVALID_VALUE;
    *mode = LAZY;
    return DRIVER_SUCCESS;
}

int cuFuncLoad(void *function)
{
    int threads;
    return cuFuncGetAttribute(&threads, 0, function);
}

int cuFuncIsLoaded(int *state, void *function)
{
    enum { LOADED = 1 };
    if (!state)
        return DRIVER_INVALID_VALUE;
    *state = LOADED;
    return cuFuncLoad(function);
}

/*
 * The block with the most resident threads of an SM, the largest of them; the grid that fills the
 * GPU with such blocks. `most` 0: no limit of the caller.
 */
int cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, void *function,
                                              size_t (*shared_of)(int block), size_t shared,
                                              int most, unsigned flags)
{
    enum { MAX_THREADS = 0, SM_COUNT = 16, WARP = 32 };
    int threads, sms, best = 0, blocks;
    if (!grid || !block)
        return DRIVER_INVALID_VALUE;
    int result = cuFuncGetAttribute(&threads, MAX_THREADS, function);
    if (result == DRIVER_SUCCESS)
        result = driver_result(cudaDeviceGetAttribute(&sms, SM_COUNT, 0));
    if (most > 0 && most < threads)
        threads = most;
    for (int size = (threads + WARP - 1) / WARP * WARP; size > 0 && result == DRIVER_SUCCESS;
         size -= WARP) {
        const int fits = size < threads ? size : threads;
        result = driver_result(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &blocks, function, fits, shared_of ? shared_of(fits) : shared, flags));
        if (result == DRIVER_SUCCESS && blocks * fits > best) {
            best = blocks * fits;
            *block = fits;
            *grid = blocks * sms;
        }
    }
    return result == DRIVER_SUCCESS && !best ? DRIVER_INVALID_VALUE : result;
}

int cuOccupancyMaxPotentialBlockSize(int *grid, int *block, void *function,
                                     size_t (*shared_of)(int block), size_t shared, int most)
{
    return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, shared_of, shared, most,
                                                     0);
}

/* Gives the code that a kernel is of. */
static int find_code(const char *function, void **code, const void *kernel)
{
    struct runtime *rt = rt_enter(function);
    const struct program_kernel *found = rt ? code_find_kernel(rt->code, kernel) : NULL;
    enum cuda_error error = rt ? CUDA_INVALID_RESOURCE_HANDLE : rt_refusal();
    if (rt && !code)
        error = CUDA_INVALID_VALUE;
    if (code && found) {
        *code = found->fatbin;
        error = CUDA_SUCCESS;
    }
    return driver_result(rt_leave(error));
}

int cuFuncGetModule(void **module, void *function)
{
    return find_code(__func__, module, function);
}

int cuKernelGetLibrary(void **library, void *kernel)
{
    return find_code(__func__, library, kernel);
}
