/* Device memory: addresses, guards, zero pages, what is freed, what is nearest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "exec/memory/device_memory.h"

#define MIB (UINT64_C(1) << 20)

static struct device_memory *make(uint64_t bytes)
{
    struct device_memory *memory = NULL;
    struct simsm_error error;
    assert_int_equal(device_memory_create(&memory, bytes, &error), SIMSM_OK);
    return memory;
}

static void addresses_are_reproducible(void **state)
{
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        struct device_memory *memory = make(MIB);
        assert_int_equal(device_alloc(memory, 1000, "a"), DEVICE_BASE);
        /* 1000 bytes and a guard of 256, rounded up to 256 */
        assert_int_equal(device_alloc(memory, 1, "b"), DEVICE_BASE + 1280);
        assert_int_equal(device_alloc(memory, 0, "c"), DEVICE_BASE + 1280 + 512);
        device_memory_destroy(memory);
    }
}

/* What is as large as a page of the device begins with one. */
static void large_allocations_begin_with_a_page(void **state)
{
    (void)state;
    const uint64_t page = 2 * MIB;
    struct device_memory *memory = make(64 * MIB);
    assert_int_equal(device_alloc(memory, 100, "a"), DEVICE_BASE);
    assert_int_equal(device_alloc(memory, page, "b"), DEVICE_BASE + page);
    assert_int_equal(device_alloc(memory, 300, "c"), DEVICE_BASE + 2 * page + 256);
    assert_int_equal(device_alloc(memory, MIB, "d"), DEVICE_BASE + 3 * page);
    device_memory_destroy(memory);
}

static void only_whole_allocations_can_be_touched(void **state)
{
    (void)state;
    struct device_memory *memory = make(MIB);
    uint64_t a = device_alloc(memory, 100, "a");
    assert_non_null(device_pointer(memory, a, 100));
    assert_null(device_pointer(memory, a, 101));
    assert_null(device_pointer(memory, a + 100, 1));
    assert_null(device_pointer(memory, a - 1, 1));
    assert_null(device_pointer(memory, a + 50, UINT64_MAX));
    uint8_t *bytes = device_pointer(memory, a + 99, 1);
    assert_int_equal(*bytes, 0);
    struct device_span span = device_span(memory, a + 7);
    assert_int_equal(span.address, a);
    assert_int_equal(span.size, 100);
    assert_ptr_equal(span.host + 99, bytes);
    device_memory_destroy(memory);
}

static void freed_memory_is_found_out(void **state)
{
    (void)state;
    struct device_memory *memory = make(MIB);
    uint64_t a = device_alloc(memory, 64, "first");
    assert_true(device_free(memory, a));
    assert_false(device_free(memory, a));
    assert_false(device_free(memory, a + 256));
    assert_null(device_pointer(memory, a, 1));
    uint64_t b = device_alloc(memory, 64, "second");
    assert_int_not_equal(a, b);
    const struct device_allocation *near = device_nearest(memory, a + 3);
    assert_true(near->freed);
    assert_string_equal(near->name, "first");
    near = device_nearest(memory, b + 64 + 10);
    assert_false(near->freed);
    assert_string_equal(near->name, "second");
    device_memory_destroy(memory);
}

static void used_again_memory_is_zero(void **state)
{
    (void)state;
    struct device_memory *memory = make(MIB);
    /* 68 MiB of addresses: the 200 allocations go round more than once */
    for (int i = 0; i < 200; i++) {
        uint64_t a = device_alloc(memory, MIB - 4096 + 17, "again");
        assert_int_not_equal(a, 0);
        unsigned char *bytes = device_pointer(memory, a, MIB - 4096 + 17);
        assert_non_null(bytes);
        for (uint64_t at = 0; at < MIB - 4096 + 17; at += 97)
            assert_int_equal(bytes[at], 0);
        assert_int_equal(bytes[MIB - 4096 + 16], 0);
        memset(bytes, 0xab, MIB - 4096 + 17);
        assert_true(device_free(memory, a));
    }
    device_memory_destroy(memory);
}

static void memory_runs_out(void **state)
{
    (void)state;
    struct device_memory *memory = make(MIB);
    uint64_t used, total;
    uint64_t a = device_alloc(memory, MIB / 2, "a");
    assert_int_equal(device_alloc(memory, MIB / 2 + 1, "b"), 0);
    assert_int_equal(device_alloc(memory, UINT64_MAX, "b"), 0);
    assert_int_not_equal(device_alloc(memory, MIB / 2, "b"), 0);
    device_memory_info(memory, &used, &total);
    assert_int_equal(used, MIB);
    assert_int_equal(total, MIB);
    assert_true(device_free(memory, a));
    assert_int_not_equal(device_alloc(memory, MIB / 2, "c"), 0);
    device_memory_destroy(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_reproducible),
        cmocka_unit_test(large_allocations_begin_with_a_page),
        cmocka_unit_test(only_whole_allocations_can_be_touched),
        cmocka_unit_test(freed_memory_is_found_out),
        cmocka_unit_test(used_again_memory_is_zero),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
