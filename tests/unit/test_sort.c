/* sort_in_place: sorts as qsort does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/sort.h"

enum { MOST = 300 };

struct entry {
    uint64_t cycle;
    uint32_t sm, sequence;
};

static int by_time(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    return x->sm < y->sm ? -1 : x->sm > y->sm;
}

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

static void test_as_qsort(void **state)
{
    (void)state;
    struct entry sorted[MOST] = {0}, expected[MOST];
    uint32_t seed = 1;
    for (uint32_t count = 0; count <= MOST; count++) {
        for (uint32_t i = 0; i < count; i++)
            sorted[i] = (struct entry){.cycle = next(&seed) % 16, .sm = i, .sequence = ~i};
        memcpy(expected, sorted, sizeof sorted);
        sort_in_place(sorted, count, sizeof *sorted, by_time);
        qsort(expected, count, sizeof *expected, by_time);
        assert_memory_equal(sorted, expected, count * sizeof *sorted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_qsort)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
