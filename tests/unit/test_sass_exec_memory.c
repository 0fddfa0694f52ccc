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
        /* 1000 bytes and a guard of 256, rounded up to 512 */
        assert_int_equal(device_alloc(memory, 1, "b"), DEVICE_BASE + 1536);
        assert_int_equal(device_alloc(memory, 0, "c"), DEVICE_BASE + 1536 + 512);
        device_memory_destroy(memory);
    }
}

/* An allocation as large as a device page begins at a page. */
static void large_allocations_begin_with_a_page(void **state)
{
    (void)state;
    const uint64_t page = 2 * MIB;
    struct device_memory *memory = make(64 * MIB);
    assert_int_equal(device_alloc(memory, 100, "a"), DEVICE_BASE);
    assert_int_equal(device_alloc(memory, page, "b"), DEVICE_BASE + page);
    assert_int_equal(device_alloc(memory, 300, "c"), DEVICE_BASE + 512);
    assert_int_equal(device_alloc(memory, MIB, "d"), DEVICE_BASE + 3 * page);
    device_memory_destroy(memory);
}

/* Small allocations fill a page before they begin another one, which is as near as can be. */
static void small_allocations_share_pages(void **state)
{
    (void)state;
    const uint64_t page = 2 * MIB;
    struct device_memory *memory = make(64 * MIB);
    assert_int_equal(device_alloc(memory, 2 * page, "large"), DEVICE_BASE);
    /* at 512, as the large one ends where the page begins */
    assert_int_equal(device_alloc(memory, MIB - 1, "a"), DEVICE_BASE + 2 * page + 512);
    assert_int_equal(device_alloc(memory, 3 * MIB, "large"), DEVICE_BASE + 3 * page);
    assert_int_equal(device_alloc(memory, MIB - 2048, "b"), DEVICE_BASE + 2 * page + MIB + 1024);
    assert_int_equal(device_alloc(memory, 512, "no room"), DEVICE_BASE + 5 * page);
    assert_int_equal(device_alloc(memory, page, "large"), DEVICE_BASE + 6 * page);
    device_memory_destroy(memory);
}

/* Accesses outside of allocations that pass on a GPU; the bytes are never on two pages. */
static void slack_is_on_pages_of_allocations(void **state)
{
    (void)state;
    const uint64_t page = 2 * MIB;
    struct device_memory *memory = make(64 * MIB);
    assert_null(device_slack(memory, DEVICE_BASE, 4));
    uint64_t a = device_alloc(memory, 100, "a"), b = device_alloc(memory, 100, "b");
    assert_int_equal(a, DEVICE_BASE);
    assert_non_null(device_slack(memory, a + 100, 4));
    assert_non_null(device_slack(memory, b - 4, 4));
    assert_non_null(device_slack(memory, a + page - 4, 4));
    assert_null(device_slack(memory, a + page - 4, 8));
    assert_null(device_slack(memory, a + page, 4));
    assert_null(device_slack(memory, a - 4, 4)); /* an H200 has nothing before its first chunk */
    assert_true(device_free(memory, a));
    assert_non_null(device_slack(memory, a, 4));
    assert_true(device_free(memory, b));
    assert_null(device_slack(memory, a, 4));
    assert_null(device_slack(memory, UINT64_MAX - 3, 4));
    device_memory_destroy(memory);
}

static void slack_is_before_large_allocations(void **state)
{
    (void)state;
    const uint64_t page = 2 * MIB;
    struct device_memory *memory = make(64 * MIB);
    uint64_t a = device_alloc(memory, 2 * page, "a"), b = device_alloc(memory, MIB, "b");
    assert_int_equal(a, DEVICE_BASE);
    const uint32_t *before = device_slack(memory, a - 4, 4);
    assert_non_null(before);
    assert_int_equal(*before, 0);
    assert_non_null(device_slack(memory, a - page, 4));
    assert_null(device_slack(memory, a - page - 4, 4));
    assert_int_equal(b, a + 3 * page); /* a page between them is nobody's */
    assert_non_null(device_slack(memory, b - 4, 4));
    assert_non_null(device_slack(memory, a + 2 * page, 4));
    assert_null(device_pointer(memory, b - 4, 4));
    assert_null(device_pointer(memory, a + 2 * page, 4));
    assert_non_null(device_slack(memory, b + MIB, 4));
    assert_true(device_free(memory, b));
    assert_null(device_slack(memory, a + 2 * page, 4));
    assert_true(device_free(memory, a));
    assert_null(device_slack(memory, a - 4, 4));
    device_memory_destroy(memory);
}

/* Returns the number of allocations of `size` bytes that the heap holds. */
static uint32_t mallocs(uint64_t heap, uint64_t size)
{
    uint32_t number = 0;
    struct device_memory *memory = make(64 * MIB);
    assert_true(device_set_heap(memory, heap));
    while (device_malloc(memory, size))
        number++;
    assert_false(device_set_heap(memory, heap));
    device_memory_destroy(memory);
    return number;
}

/* The heap holds as many allocations as on an H200, exactly or within one percent. */
static void heap_has_an_end(void **state)
{
    (void)state;
    assert_int_equal(mallocs(8 * MIB, MIB), 6);
    assert_int_equal(mallocs(16 * MIB, MIB), 13);
    assert_int_equal(mallocs(8 * MIB, MIB / 2), 13);
    assert_int_equal(mallocs(8 * MIB, 65536), 78);
    assert_int_equal(mallocs(8 * MIB, 8192), 944);
    assert_in_range(mallocs(8 * MIB, 3000), 1870, 1906);
    assert_in_range(mallocs(8 * MIB, 1000), 3741, 3815);
    assert_int_equal(mallocs(8 * MIB, 9 * MIB), 0);
    assert_int_equal(mallocs(8 * MIB, UINT64_MAX), 0);
}

static void free_gives_the_heap_back(void **state)
{
    (void)state;
    const uint8_t *host, *host_end;
    struct device_memory *memory = make(64 * MIB);
    for (int i = 0; i < 20; i++) {
        uint64_t a = device_malloc(memory, 6 * MIB);
        assert_int_not_equal(a, 0);
        assert_int_equal(device_malloc(memory, 6 * MIB), 0);
        assert_true(device_free(memory, a));
    }
    uint64_t kept = device_malloc(memory, 3 * MIB), mark = device_mark(memory, &host, &host_end);
    uint64_t taken_back = device_malloc(memory, 3 * MIB);
    assert_int_not_equal(taken_back, 0);
    assert_int_equal(device_malloc(memory, 3 * MIB), 0);
    device_rewind(memory, mark);
    assert_int_equal(device_malloc(memory, 3 * MIB), taken_back);
    assert_true(device_free(memory, kept));
    device_revive(memory, kept);
    assert_int_equal(device_malloc(memory, 3 * MIB), 0);
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
        cmocka_unit_test(small_allocations_share_pages),
        cmocka_unit_test(slack_is_on_pages_of_allocations),
        cmocka_unit_test(slack_is_before_large_allocations),
        cmocka_unit_test(heap_has_an_end),
        cmocka_unit_test(free_gives_the_heap_back),
        cmocka_unit_test(only_whole_allocations_can_be_touched),
        cmocka_unit_test(freed_memory_is_found_out),
        cmocka_unit_test(used_again_memory_is_zero),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
