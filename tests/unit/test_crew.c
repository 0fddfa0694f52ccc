/* Threads that do the same task together: each part once, again and again, asleep or awake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

#include "gpu/crew.h"

enum { PARTS = 5 };

struct work {
    uint64_t done[PARTS][8]; /* of each part, apart in the cache */
    uint64_t round;
};

static void take(void *context, uint32_t part)
{
    struct work *work = context;
    if (work->done[part][0] + 1 == work->round)
        work->done[part][0]++;
}

static void each_part_once(void **state)
{
    (void)state;
    struct work work = {0};
    struct crew *crew = crew_create(PARTS);
    assert_non_null(crew);
    while (work.round < 2000) {
        work.round++;
        crew_work(crew, take, &work);
        for (unsigned p = 0; p < PARTS; p++)
            assert_int_equal(work.done[p][0], work.round);
    }
    crew_destroy(crew);
}

static void sleepers_wake(void **state)
{
    (void)state;
    const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    struct work work = {0};
    struct crew *crew = crew_create(PARTS);
    assert_non_null(crew);
    while (work.round < 5) {
        (void)nanosleep(&pause, NULL);
        work.round++;
        crew_work(crew, take, &work);
        for (unsigned p = 0; p < PARTS; p++)
            assert_int_equal(work.done[p][0], work.round);
    }
    (void)nanosleep(&pause, NULL);
    crew_destroy(crew);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_part_once),
        cmocka_unit_test(sleepers_wake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
