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

static const char uuid[] = "GPU-01234567-89ab-cdef-0123-456789abcdef";

static void lists_end_at_the_first_wrong_word(void **state)
{
    static const struct {
        const char *list;
        bool shown;
    } row[] = {{NULL, true},
               {"", false},
               {"0", true},
               {"1", false},
               {"-1", false},
               {"none", false},
               {"0,1", true},
               {"1,0", false},
               {"0,-1,0", true},
               {"0,0", false},
               {" 0", true},
               {"GPU-0123", true},
               {"GPU-1123", false},
               {"GPU-01234567-89ab-cdef-0123-456789abcdef", true},
               {"GPU-01234567-89ab-cdef-0123-456789abcdef0", false},
               {"GPU-0123,GPU-4567", true},
               {"MIG-0123", false}};
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        if (device_choice_shows(row[i].list, uuid) != row[i].shown)
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
    assert_int_equal(cuDeviceGet(&device, 0), CUDA_NO_DEVICE);
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
