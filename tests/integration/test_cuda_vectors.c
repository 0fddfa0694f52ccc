/* Atomic additions of vectors: each element for itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cuda_fixture.h"

static const char add_vectors[1]; /* its address is the host function */

static void check(const float *found, const float *expected, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        assert_float_equal(found[i], expected[i], 0);
}

/* One warp adds (1, 2, 3, lane), (0.5, lane) and (4, 3, 2, 1) to the vectors; the last lane
 * stores the values that it found. */
static void elements_are_added(void **state)
{
    (void)state;
    const float four[] = {32, 64, 96, 496}, next[] = {5, 4, 3, 2}, two[] = {16, 496};
    const float ones[] = {1, 1, 1, 1};
    float found[16];
    char *device;
    struct test_fatbin fatbin;
    program_begin("configs/h200.yaml", "SIMSM_SET", "gpu.sms=2");
    assert_true(fatbin_make(&fatbin, "tests/data/sass/execute/vectors.sm_90.cubin", 90));
    void **handle = __cudaRegisterFatBinary(&fatbin);
    __cudaRegisterFunction(handle, add_vectors, NULL, "add_vectors", -1, NULL, NULL, NULL, NULL,
                           NULL);
    assert_int_equal(cudaMalloc((void **)&device, sizeof found), CUDA_SUCCESS);
    assert_int_equal(cudaMemset(device, 0, sizeof found), CUDA_SUCCESS);
    assert_int_equal(cudaMemcpy(device + 16, ones, sizeof ones, COPY_HOST_TO_DEVICE), CUDA_SUCCESS);
    char *pairs = device + 32, *old = device + 48;
    void *arguments[] = {&device, &pairs, &old};
    assert_int_equal(cudaLaunchKernel(add_vectors, (struct cuda_dim3){1, 1, 1},
                                      (struct cuda_dim3){32, 1, 1}, arguments, 0, NULL),
                     CUDA_SUCCESS);
    assert_int_equal(cudaMemcpy(found, device, sizeof found, COPY_DEVICE_TO_HOST), CUDA_SUCCESS);
    check(found, four, 4);
    check(found + 4, next, 4);
    check(found + 8, two, 2);
    check(found + 12, ones, 4);
    __cudaUnregisterFatBinary(handle);
    rt_reset_for_test();
    free(fatbin.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(elements_are_added)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
