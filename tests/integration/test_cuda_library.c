/* Device code that a program loads while it runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cuda_fixture.h"

#define CUBIN "tests/data/sass/execute/kernels.sm_75.cubin"

struct program_kernel;
struct fatbin;

enum cuda_error cudaLibraryLoadData(struct fatbin **library, const void *data, const int *jit,
                                    void **jit_values, unsigned jit_count, const int *options,
                                    void **values, unsigned count);
enum cuda_error cudaLibraryLoadFromFile(struct fatbin **library, const char *path, const int *jit,
                                        void **jit_values, unsigned jit_count, const int *options,
                                        void **values, unsigned count);
enum cuda_error cudaLibraryUnload(struct fatbin *library);
enum cuda_error cudaLibraryGetKernel(struct program_kernel **kernel, struct fatbin *library,
                                     const char *name);
enum cuda_error cudaLibraryGetKernelCount(unsigned *count, struct fatbin *library);
enum cuda_error cudaLibraryEnumerateKernels(struct program_kernel **kernels, unsigned count,
                                            struct fatbin *library);
enum cuda_error cudaLibraryGetGlobal(void **address, size_t *size, struct fatbin *library,
                                     const char *name);
enum cuda_error cudaFuncGetName(const char **name, const void *stub);

static struct test_fatbin fatbin;

static int begin(void **state)
{
    (void)state;
    program_begin("configs/t4.yaml", "SIMSM_SET", "gpu.sms=2");
    return fatbin_make(&fatbin, CUBIN, 75) ? 0 : -1;
}

static int finish(void **state)
{
    (void)state;
    rt_reset_for_test();
    free(fatbin.bytes);
    return 0;
}

/* vecadd of the library: 100 sums. */
static void check_sums(struct fatbin *library)
{
    enum { N = 100 };
    struct program_kernel *kernel;
    float numbers[N];
    void *device;
    int n = N;
    assert_int_equal(cudaLibraryGetKernel(&kernel, library, "vecadd"), CUDA_SUCCESS);
    for (int i = 0; i < N; i++)
        numbers[i] = (float)i;
    assert_int_equal(cudaMalloc(&device, sizeof numbers), CUDA_SUCCESS);
    assert_int_equal(cudaMemcpy(device, numbers, sizeof numbers, COPY_HOST_TO_DEVICE),
                     CUDA_SUCCESS);
    void *arguments[] = {&device, &device, &device, &n};
    assert_int_equal(cudaLaunchKernel(kernel, (struct cuda_dim3){1, 1, 1},
                                      (struct cuda_dim3){128, 1, 1}, arguments, 0, NULL),
                     CUDA_SUCCESS);
    assert_int_equal(cudaMemcpy(numbers, device, sizeof numbers, COPY_DEVICE_TO_HOST),
                     CUDA_SUCCESS);
    for (int i = 0; i < N; i++)
        assert_float_equal(numbers[i], (float)(2 * i), 0);
    assert_int_equal(cudaFree(device), CUDA_SUCCESS);
}

static void check_variable(struct fatbin *library, const char *name, size_t bytes, int value)
{
    void *address;
    size_t size;
    int found = 0;
    assert_int_equal(cudaLibraryGetGlobal(&address, &size, library, name), CUDA_SUCCESS);
    assert_int_equal(size, bytes);
    assert_int_equal(cudaMemcpy(&found, address, sizeof found, COPY_DEVICE_TO_HOST), CUDA_SUCCESS);
    assert_int_equal(found, value);
}

static void from_a_file(void **state)
{
    (void)state;
    struct fatbin *library;
    struct program_kernel *kernel[1000], *again;
    unsigned count = 0;
    const char *name;
    assert_int_equal(cudaLibraryLoadFromFile(&library, CUBIN, NULL, NULL, 0, NULL, NULL, 0),
                     CUDA_SUCCESS);
    check_sums(library);
    check_variable(library, "counter", sizeof(int), 41);
    check_variable(library, "table", 4 * sizeof(int), 10);
    assert_int_equal(cudaLibraryGetKernelCount(&count, library), CUDA_SUCCESS);
    assert_in_range(count, 2, 1000);
    assert_int_equal(cudaLibraryEnumerateKernels(kernel, count, library), CUDA_SUCCESS);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(cudaFuncGetName(&name, kernel[i]), CUDA_SUCCESS);
        assert_int_equal(cudaLibraryGetKernel(&again, library, name), CUDA_SUCCESS);
        assert_ptr_equal(kernel[i], again);
    }
    assert_int_equal(cudaLibraryUnload(library), CUDA_SUCCESS);
    assert_int_equal(cudaLibraryUnload(library), CUDA_INVALID_RESOURCE_HANDLE);
}

/* Libraries are loaded from a cubin, a fatbin and its wrapper; the program may free the memory
 * at once. */
static void from_memory(void **state)
{
    (void)state;
    enum { CONTAINER = 16, ENTRY = 64 };
    const void *images[] = {fatbin.bytes + CONTAINER + ENTRY, fatbin.bytes, &fatbin};
    struct fatbin *library[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(cudaLibraryLoadData(&library[i], images[i], NULL, NULL, 0, NULL, NULL, 0),
                         CUDA_SUCCESS);
    fatbin.bytes[CONTAINER + ENTRY] = 0;
    for (int i = 0; i < 3; i++) {
        check_sums(library[i]);
        assert_int_equal(cudaLibraryUnload(library[i]), CUDA_SUCCESS);
    }
}

static void mistakes(void **state)
{
    (void)state;
    struct fatbin *library;
    struct program_kernel *kernel;
    void *address;
    assert_int_equal(cudaLibraryLoadFromFile(&library, "nosuch", NULL, NULL, 0, NULL, NULL, 0),
                     CUDA_FILE_NOT_FOUND);
    assert_int_equal(cudaLibraryLoadData(&library, NULL, NULL, NULL, 0, NULL, NULL, 0),
                     CUDA_INVALID_VALUE);
    assert_int_equal(cudaLibraryLoadData(&library, "some text", NULL, NULL, 0, NULL, NULL, 0),
                     CUDA_INVALID_KERNEL_IMAGE);
    assert_int_equal(cudaLibraryLoadData(&library, &fatbin, NULL, NULL, 0, NULL, NULL, 0),
                     CUDA_SUCCESS);
    assert_int_equal(cudaLibraryGetKernel(&kernel, library, "nosuch"), CUDA_SYMBOL_NOT_FOUND);
    assert_int_equal(cudaLibraryGetGlobal(&address, NULL, library, "nosuch"),
                     CUDA_SYMBOL_NOT_FOUND);
    assert_int_equal(cudaLibraryGetKernel(&kernel, NULL, "vecadd"), CUDA_INVALID_RESOURCE_HANDLE);
    assert_int_equal(cudaLibraryUnload(library), CUDA_SUCCESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(from_a_file, begin, finish),
        cmocka_unit_test_setup_teardown(from_memory, begin, finish),
        cmocka_unit_test_setup_teardown(mistakes, begin, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
