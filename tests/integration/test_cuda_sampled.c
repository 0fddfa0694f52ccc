/* Programs under --sample: what launches write and print happens once, timed or not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "cuda_fixture.h"

enum { THREADS = 3, LAUNCHES = 5 };

static char stub;
static struct test_fatbin fatbin;
static void **handle;
static FILE *told; /* what the program has on its standard output */
static int standard;

static int begin(void **state)
{
    (void)state;
    program_begin("configs/t4.yaml", "SIMSM_SAMPLE", "1");
    if (!fatbin_make(&fatbin, "tests/data/sass/execute/says.sm_75.cubin", 75))
        return -1;
    handle = __cudaRegisterFatBinary(&fatbin);
    __cudaRegisterFunction(handle, &stub, NULL, "says", -1, NULL, NULL, NULL, NULL, NULL);
    told = tmpfile();
    (void)fflush(stdout);
    standard = dup(STDOUT_FILENO);
    return told && dup2(fileno(told), STDOUT_FILENO) == STDOUT_FILENO ? 0 : -1;
}

static int finish(void **state)
{
    (void)state;
    (void)fclose(told);
    (void)close(standard);
    __cudaUnregisterFatBinary(handle);
    rt_reset_for_test();
    free(fatbin.bytes);
    return 0;
}

/* The first launch is timed, later ones are copies of it, as they do the same; all of them happen.
 */
static void launches_happen_once(void **state)
{
    (void)state;
    int *sum, got[THREADS], n = 7;
    char text[1024] = "", expected[1024] = "";
    assert_int_equal(cudaMalloc((void **)&sum, sizeof got), CUDA_SUCCESS);
    assert_int_equal(cudaMemset(sum, 0, sizeof got), CUDA_SUCCESS);
    void *arguments[] = {&sum, &n};
    for (int i = 0; i < LAUNCHES; i++)
        assert_int_equal(cudaLaunchKernel(&stub, (struct cuda_dim3){1, 1, 1},
                                          (struct cuda_dim3){THREADS, 1, 1}, arguments, 0, NULL),
                         CUDA_SUCCESS);
    assert_int_equal(cudaMemcpy(got, sum, sizeof got, COPY_DEVICE_TO_HOST), CUDA_SUCCESS);
    (void)fflush(stdout);
    (void)dup2(standard, STDOUT_FILENO);
    for (int i = 0; i < THREADS * LAUNCHES; i++)
        (void)snprintf(expected + strlen(expected), sizeof expected - strlen(expected),
                       "thread %d, 7\n", i % THREADS);
    rewind(told);
    (void)fread(text, 1, sizeof text - 1, told);
    assert_string_equal(text, expected);
    for (int t = 0; t < THREADS; t++)
        assert_int_equal(got[t], 7 * LAUNCHES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(launches_happen_once, begin, finish)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
