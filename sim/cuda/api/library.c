/* Libraries: device code that the program loads while it runs, from memory or from a file. */
#include <stdlib.h>

#include "base/infile.h"
#include "cuda/cuda_code.h"
#include "cuda/runtime.h"

enum { FILE_MOST = 1 << 30 };

/* Loads device code. `size` 0: the size is read from the data. */
static enum cuda_error load(struct runtime *rt, struct fatbin **library, const void *data,
                            size_t size)
{
    if (!rt)
        return rt_refusal();
    if (!library || !data)
        return CUDA_INVALID_VALUE;
    struct fatbin *added = code_add_image(rt->code, data, size);
    if (!added)
        return CUDA_MEMORY_ALLOCATION;
    enum cuda_error error = code_load(rt, added);
    if (error == CUDA_SUCCESS)
        *library = added;
    else
        code_remove_fatbin(rt->code, added);
    return error;
}

/* The options are ignored: they are hints for the compiler and buffers for its messages. */
enum cuda_error cudaLibraryLoadData(struct fatbin **library, const void *data, const int *jit,
                                    void **jit_values, unsigned jit_count, const int *options,
                                    void **values, unsigned count)
{
    (void)jit;
    (void)jit_values;
    (void)jit_count;
    (void)options;
    (void)values;
    (void)count;
    return rt_leave(load(rt_enter(__func__), library, data, 0));
}

enum cuda_error cudaLibraryLoadFromFile(struct fatbin **library, const char *path, const int *jit,
                                        void **jit_values, unsigned jit_count, const int *options,
                                        void **values, unsigned count)
{
    (void)jit;
    (void)jit_values;
    (void)jit_count;
    (void)options;
    (void)values;
    (void)count;
    struct runtime *rt = rt_enter(__func__);
    struct simsm_error error;
    char *data = NULL;
    size_t size;
    if (!rt || !path)
        return rt_leave(rt ? CUDA_INVALID_VALUE : rt_refusal());
    if (infile_read(path, "device code", FILE_MOST, &data, &size, &error) != SIMSM_OK)
        return rt_leave(rt_report(CUDA_FILE_NOT_FOUND, "%s: %s", path, error.message));
    enum cuda_error result = load(rt, library, data, size);
    free(data);
    return rt_leave(result);
}

enum cuda_error cudaLibraryUnload(struct fatbin *library)
{
    struct runtime *rt = rt_enter(__func__);
    if (!rt || !code_has_image(rt->code, library))
        return rt_leave(rt ? CUDA_INVALID_RESOURCE_HANDLE : rt_refusal());
    code_remove_fatbin(rt->code, library);
    return rt_leave(CUDA_SUCCESS);
}

/*
 * Enters a call about a library and loads its code. Returns the runtime; NULL with *error set if
 * the library or `out` is wrong, or if loading fails.
 */
static struct runtime *enter(const char *function, struct fatbin *library, const void *out,
                             enum cuda_error *error)
{
    struct runtime *rt = rt_enter(function);
    *error = CUDA_SUCCESS;
    if (!rt)
        *error = rt_refusal();
    else if (!code_has_image(rt->code, library))
        *error = CUDA_INVALID_RESOURCE_HANDLE;
    else if (!out)
        *error = CUDA_INVALID_VALUE;
    else
        *error = code_load(rt, library); /* cudaDeviceReset unloads the code */
    return *error == CUDA_SUCCESS ? rt : NULL;
}

enum cuda_error cudaLibraryGetKernel(struct program_kernel **kernel, struct fatbin *library,
                                     const char *name)
{
    enum cuda_error error;
    struct runtime *rt = enter(__func__, library, kernel && name ? kernel : NULL, &error);
    if (!rt)
        return rt_leave(error);
    *kernel = code_named_kernel(rt, library, name);
    return rt_leave(*kernel ? CUDA_SUCCESS
                            : rt_report(CUDA_SYMBOL_NOT_FOUND, "the code has no kernel %s", name));
}

enum cuda_error cudaLibraryGetKernelCount(unsigned *count, struct fatbin *library)
{
    enum cuda_error error;
    if (enter(__func__, library, count, &error))
        *count = code_kernels(library, NULL, 0);
    return rt_leave(error);
}

enum cuda_error cudaLibraryEnumerateKernels(struct program_kernel **kernels, unsigned count,
                                            struct fatbin *library)
{
    enum cuda_error error;
    struct runtime *rt = enter(__func__, library, kernels, &error);
    if (!rt)
        return rt_leave(error);
    const char **name = calloc(count ? count : 1, sizeof *name);
    if (!name)
        return rt_leave(CUDA_MEMORY_ALLOCATION);
    const unsigned all = code_kernels(library, name, count);
    for (unsigned i = 0; i < count && i < all; i++)
        kernels[i] = code_named_kernel(rt, library, name[i]);
    free(name);
    return rt_leave(CUDA_SUCCESS);
}

static enum cuda_error get_variable(const char *function, void **address, size_t *size,
                                    struct fatbin *library, const char *name)
{
    enum cuda_error error;
    uint64_t found, bytes;
    struct runtime *rt = enter(function, library, name, &error);
    if (!rt)
        return rt_leave(error);
    if (!code_named_variable(library, name, &found, &bytes))
        return rt_leave(rt_report(CUDA_SYMBOL_NOT_FOUND, "the code has no variable %s", name));
    if (address)
        *address = (void *)(uintptr_t)found;
    if (size)
        *size = bytes;
    return rt_leave(CUDA_SUCCESS);
}

enum cuda_error cudaLibraryGetGlobal(void **address, size_t *size, struct fatbin *library,
                                     const char *name)
{
    return get_variable(__func__, address, size, library, name);
}

enum cuda_error cudaLibraryGetManaged(void **address, size_t *size, struct fatbin *library,
                                      const char *name)
{
    enum cuda_error error;
    void *found;
    uint64_t bytes;
    struct runtime *rt = enter(__func__, library, name, &error);
    if (!rt)
        return rt_leave(error);
    if (!code_managed_variable(rt, library, name, &found, &bytes))
        return rt_leave(
            rt_report(CUDA_SYMBOL_NOT_FOUND, "the code has no managed variable %s", name));
    if (address)
        *address = found;
    if (size)
        *size = bytes;
    return rt_leave(CUDA_SUCCESS);
}
