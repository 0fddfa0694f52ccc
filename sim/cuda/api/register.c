/*
 * Registration of device code: what the object files of a program call before main and at exit.
 * Also holds the stack of launch configurations (<<<...>>>).
 */
#include <stdio.h>
#include <stdlib.h>

#include "cuda/cuda_code.h"
#include "cuda/rt_thread.h"
#include "cuda/runtime.h"

/*
 * Ends the process unless `done`: registration has no return value for errors, and main has not
 * begun.
 */
static void exit_unless(bool done)
{
    if (done)
        return;
    (void)fputs("simsm: out of memory while the program registers its kernels\n", stderr);
    exit(EXIT_FAILURE);
}

void **__cudaRegisterFatBinary(const void *wrapper)
{
    rt_lock(__func__);
    struct fatbin *fatbin = code_add_fatbin(code_of_program(), wrapper);
    (void)rt_leave_keep_last(CUDA_SUCCESS);
    exit_unless(fatbin != NULL);
    return (void **)fatbin;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle)
{
    rt_lock(__func__);
    rt_finish_work();
    code_remove_fatbin(code_of_program(), (struct fatbin *)handle);
    (void)rt_leave_keep_last(CUDA_SUCCESS);
}

void __cudaRegisterFunction(void **handle, const char *stub, char *device_stub, const char *name,
                            int thread_limit, void *tid, void *bid, struct cuda_dim3 *block,
                            struct cuda_dim3 *grid, int *warp_size)
{
    (void)device_stub;
    (void)thread_limit;
    (void)tid;
    (void)bid;
    (void)block;
    (void)grid;
    (void)warp_size;
    rt_lock(__func__);
    bool done = code_add_kernel(code_of_program(), (struct fatbin *)handle, stub, name);
    (void)rt_leave_keep_last(CUDA_SUCCESS);
    exit_unless(done);
}

static void add_variable(void **handle, const struct variable *variable)
{
    rt_lock(__func__);
    bool done = code_add_variable(code_of_program(), (struct fatbin *)handle, variable);
    (void)rt_leave_keep_last(CUDA_SUCCESS);
    exit_unless(done);
}

void __cudaRegisterVar(void **handle, char *shadow, char *address, const char *name, int ext,
                       size_t size, int constant, int global)
{
    (void)address;
    (void)ext;
    (void)constant;
    (void)global;
    const struct variable variable = {.shadow = shadow, .name = (char *)name, .size = size};
    add_variable(handle, &variable);
}

void __cudaRegisterManagedVar(void **handle, void **pointer, char *address, const char *name,
                              int ext, size_t size, int constant, int global)
{
    (void)address;
    (void)ext;
    (void)constant;
    (void)global;
    const struct variable variable = {
        .shadow = pointer, .name = (char *)name, .size = size, .managed = pointer};
    add_variable(handle, &variable);
}

/*
 * Loads the code of a fatbin. The program calls this before it first touches a __managed__
 * variable.
 */
char __cudaInitModule(void **handle)
{
    struct runtime *rt = rt_enter(__func__);
    return rt_leave(rt ? code_load(rt, (struct fatbin *)handle) : rt_refusal()) == CUDA_SUCCESS;
}

enum cuda_error __cudaGetKernel(struct program_kernel **kernel, const void *stub)
{
    rt_lock(__func__);
    *kernel = code_find_kernel(code_of_program(), stub);
    return rt_leave(*kernel ? CUDA_SUCCESS : CUDA_INVALID_DEVICE_FUNCTION);
}

enum cuda_error cudaGetKernel(struct program_kernel **kernel, const void *stub)
{
    rt_lock(__func__);
    *kernel = code_find_kernel(code_of_program(), stub);
    return rt_leave(*kernel ? CUDA_SUCCESS : CUDA_INVALID_DEVICE_FUNCTION);
}

/* Pushes the launch configuration of <<<...>>>. The kernel's host function pops it and launches. */
unsigned __cudaPushCallConfiguration(struct cuda_dim3 grid, struct cuda_dim3 block, size_t shared,
                                     void *stream)
{
    if (rt_thread.pushed_count == PUSHED_MAX)
        return 1;
    rt_thread.pushed[rt_thread.pushed_count++] =
        (struct pushed_configuration){grid, block, shared, stream};
    return 0;
}

enum cuda_error __cudaPopCallConfiguration(struct cuda_dim3 *grid, struct cuda_dim3 *block,
                                           size_t *shared, void *stream)
{
    if (rt_thread.pushed_count == 0)
        return rt_set_last_error(CUDA_MISSING_CONFIGURATION);
    const struct pushed_configuration *top = &rt_thread.pushed[--rt_thread.pushed_count];
    *grid = top->grid;
    *block = top->block;
    *shared = top->shared;
    *(void **)stream = top->stream;
    return CUDA_SUCCESS;
}
