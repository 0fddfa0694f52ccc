/* Reads of lines that have just been written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "mem/turnaround.h"

static struct arena arena;

enum { INTERVAL = 48, SLICES = 2 };

static uint64_t visit(struct turnaround *turnaround, uint64_t line, uint64_t cycle, bool write)
{
    struct turnaround_access access = {line, cycle, cycle, 0, write};
    return turnaround_serve(turnaround, &access);
}

static void read_waits_behind_a_write_to_its_line(void **state)
{
    (void)state;
    struct turnaround turnaround;
    assert_true(turnaround_init(&turnaround, &arena, INTERVAL, SLICES));
    assert_false(turnaround_concerns(&turnaround, 7, false));
    assert_true(turnaround_concerns(&turnaround, 7, true));
    assert_int_equal(visit(&turnaround, 7, 1000, true), 1000);
    assert_true(turnaround_concerns(&turnaround, 7, false));
    assert_false(turnaround_concerns(&turnaround, 8, false));
    assert_int_equal(visit(&turnaround, 7, 1010, false), 1000 + INTERVAL);
    assert_int_equal(visit(&turnaround, 7, 1000 + INTERVAL, false), 1000 + INTERVAL);
    assert_int_equal(visit(&turnaround, 7, 2000, true), 2000);
    assert_int_equal(visit(&turnaround, 7, 2000 + INTERVAL, false), 2000 + INTERVAL);
    arena_free(&arena);
}

/* Cycles of so many accesses that all came at 1000, in turns of `reads` reads and as many writes.
 */
static uint64_t crowd(uint32_t accesses, uint32_t reads)
{
    struct turnaround turnaround;
    assert_true(turnaround_init(&turnaround, &arena, INTERVAL, SLICES));
    uint64_t now = 1000;
    for (uint32_t i = 0; i < accesses; i++) {
        struct turnaround_access access = {7, 1000, now + 1, 0, i / reads % 2 == 0};
        now = turnaround_serve(&turnaround, &access);
    }
    arena_free(&arena);
    return now - 1000;
}

static void order_of_those_that_wait_does_not_count(void **state)
{
    (void)state;
    const uint64_t quarter = 4096 / 4 * INTERVAL + 4096;
    assert_in_range(crowd(4096, 1), quarter * 95 / 100, quarter * 105 / 100);
    assert_in_range(crowd(4096, 16), quarter * 95 / 100, quarter * 105 / 100);
    assert_int_equal(crowd(4096, 4096), 4096); /* writes alone */
}

static void off_without_an_interval(void **state)
{
    (void)state;
    struct turnaround turnaround;
    assert_true(turnaround_init(&turnaround, &arena, 0, SLICES));
    assert_false(turnaround_concerns(&turnaround, 7, true));
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_waits_behind_a_write_to_its_line),
        cmocka_unit_test(order_of_those_that_wait_does_not_count),
        cmocka_unit_test(off_without_an_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
