/* The price of copies during which no kernel runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <math.h>

#include <cmocka.h>

#include "report/copy_overlap.h"

static void add(struct copy_overlap *overlap, bool to_device, enum copy_alone alone, double ns)
{
    struct copy_row copy = {.to_device = to_device, .alone = alone, .bytes = 1000, .ns = ns};
    (void)snprintf(copy.call, sizeof copy.call, "%s",
                   alone == COPY_WAITED_FOR ? "cudaMemcpy" : "cudaMemcpyAsync");
    (void)snprintf(copy.what, sizeof copy.what, "%s",
                   to_device ? "host to device" : "device to host");
    assert_true(copy_overlap_add(overlap, &copy));
}

/* A program in three passes, of which each copies 30 ns in and `out` ns back. */
static void make(struct copy_overlap *overlap, enum copy_alone alone, double out)
{
    *overlap = (struct copy_overlap){0};
    for (int pass = 0; pass < 3; pass++) {
        add(overlap, true, alone, 30);
        copy_overlap_launch(overlap);
        add(overlap, false, alone, out);
    }
}

static bool price_of(enum copy_alone alone, double out, const struct copy_times *times,
                     struct copy_price *price)
{
    struct copy_overlap overlap;
    make(&overlap, alone, out);
    const bool worth = copy_overlap_price(&overlap, times, price);
    copy_overlap_free(&overlap);
    return worth;
}

static void copies_between_launches_count(void **state)
{
    (void)state;
    const struct copy_times times = {.kernels = 60, .all = 200, .alone = HUGE_VAL};
    struct copy_price price;
    assert_true(price_of(COPY_WAITED_FOR, 20, &times, &price));
    /* 60 ns in, 40 ns out, 60 ns of kernels: 60 ns remain */
    assert_float_equal(price.ns, 100, 1e-9);
    assert_float_equal(price.share, 0.5, 1e-9);
    assert_non_null(strstr(price.figure, "2 cudaMemcpy host to device (2.00 kB)"));
    assert_non_null(strstr(price.figure, "2 cudaMemcpy device to host (2.00 kB)"));
    assert_non_null(strstr(price.figure, "the call waits for the copy"));
}

static void the_reason_is_named(void **state)
{
    (void)state;
    const struct copy_times times = {.kernels = 60, .all = 200, .alone = HUGE_VAL};
    struct copy_price price;
    assert_true(price_of(COPY_PAGEABLE, 20, &times, &price));
    assert_non_null(strstr(price.figure, "2 cudaMemcpyAsync host to device"));
    assert_non_null(strstr(price.figure, "pageable"));
    assert_true(price_of(COPY_DEFAULT_STREAM, 20, &times, &price));
    assert_non_null(strstr(price.figure, "default stream"));
    for (int i = 0; i < COPY_ALONE_COUNT; i++)
        assert_int_equal(copy_alone_named(copy_alone_names[i]), i);
}

static void what_overlaps_or_is_short_costs_nothing(void **state)
{
    (void)state;
    const struct copy_times times = {.kernels = 60, .all = 200, .alone = HUGE_VAL};
    const struct copy_times long_kernels = {.kernels = 10000, .all = 10100, .alone = HUGE_VAL};
    const struct copy_times overlapped = {.kernels = 60, .all = 200, .alone = 5};
    struct copy_price price;
    assert_false(price_of(COPY_MAY_OVERLAP, 20, &times, &price));
    assert_false(price_of(COPY_WAITED_FOR, 20, &long_kernels, &price));
    assert_false(price_of(COPY_WAITED_FOR, 20, &overlapped, &price)); /* 5 of 200 ns */
}

static void a_single_launch_has_nothing_to_overlap(void **state)
{
    (void)state;
    const struct copy_times times = {.kernels = 60, .all = 200, .alone = HUGE_VAL};
    struct copy_overlap overlap = {0};
    struct copy_price price;
    add(&overlap, true, COPY_WAITED_FOR, 70);
    copy_overlap_launch(&overlap);
    add(&overlap, false, COPY_WAITED_FOR, 70);
    assert_false(copy_overlap_price(&overlap, &times, &price));
    copy_overlap_free(&overlap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_between_launches_count),
        cmocka_unit_test(the_reason_is_named),
        cmocka_unit_test(what_overlaps_or_is_short_costs_nothing),
        cmocka_unit_test(a_single_launch_has_nothing_to_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
