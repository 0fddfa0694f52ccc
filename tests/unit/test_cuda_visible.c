/* CUDA_VISIBLE_DEVICES: which lists show the device, and what a program finds if none is visible.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cuda/device_choice.h"
#include "cuda_fixture.h"

enum cuda_error cudaGetDeviceCount(int *count);
int cuInit(unsigned flags);
int cuDeviceGet(int *device, int ordinal);
int cuDeviceGetCount(int *count);

static const char uuid[] = "GPU-01234567-89ab-cdef-0123-456789abcdef";

static void lists_end_at_the_first_wrong_word(void **state)
{
    static const struct {
        const char *list;
        enum cuda_error error;
    } row[] = {{NULL, CUDA_SUCCESS},
               {"", CUDA_NO_DEVICE},
               {"0", CUDA_SUCCESS},
               {"1", CUDA_NO_DEVICE},
               {"-1", CUDA_NO_DEVICE},
               {"none", CUDA_NO_DEVICE},
               {"0,1", CUDA_SUCCESS},
               {"1,0", CUDA_NO_DEVICE},
               {"0,-1,0", CUDA_SUCCESS},
               {"0,0", CUDA_INVALID_DEVICE},
               {" 0", CUDA_SUCCESS},
               {"GPU-0123", CUDA_SUCCESS},
               {"GPU-1123", CUDA_NO_DEVICE},
               {"GPU-01234567-89ab-cdef-0123-456789abcdef", CUDA_SUCCESS},
               {"GPU-01234567-89ab-cdef-0123-456789abcdef0", CUDA_SUCCESS},
               {"GPU-0123,GPU-4567", CUDA_SUCCESS},
               {"GPU-0123,GPU-01234", CUDA_INVALID_DEVICE},
               {"GPU-", CUDA_NO_DEVICE},
               {"gpu-0123", CUDA_NO_DEVICE},
               {"MIG-0123", CUDA_NO_DEVICE}};
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        if (device_choice_shows(row[i].list, uuid) != row[i].error)
            fail_msg("CUDA_VISIBLE_DEVICES='%s'", row[i].list ? row[i].list : "(not set)");
}

static void hidden_device_is_none(void **state)
{
    int count = 9, device;
    (void)state;
    (void)setenv("CUDA_VISIBLE_DEVICES", "1", 1);
    program_begin("configs/teaching.yaml", NULL, NULL);
    assert_int_equal(cuInit(0), CUDA_NO_DEVICE);
    assert_int_equal(cudaGetDeviceCount(&count), CUDA_NO_DEVICE);
    assert_int_equal(count, 0);
    assert_int_equal(cuDeviceGetCount(&count), CUDA_INITIALIZATION_ERROR);
    assert_int_equal(cuDeviceGet(&device, 0), CUDA_INITIALIZATION_ERROR);
    (void)setenv("CUDA_VISIBLE_DEVICES", "0", 1);
    program_begin("configs/teaching.yaml", NULL, NULL);
    assert_int_equal(cuInit(0), 0);
    assert_int_equal(cudaGetDeviceCount(&count), CUDA_SUCCESS);
    assert_int_equal(count, 1);
    (void)unsetenv("CUDA_VISIBLE_DEVICES");
    rt_reset_for_test();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_end_at_the_first_wrong_word),
        cmocka_unit_test(hidden_device_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
