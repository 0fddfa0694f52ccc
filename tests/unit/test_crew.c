/* Threads that do the same task together: each part once, again and again, asleep or awake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

#include "gpu/crew.h"

enum { PARTS = 5 };

static const uint32_t threads[] = {1, 2, 3, PARTS};

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

static void check_rounds(struct crew *crew, uint64_t rounds, struct timespec pause)
{
    struct work work = {0};
    assert_non_null(crew);
    while (work.round < rounds) {
        (void)nanosleep(&pause, NULL);
        work.round++;
        crew_work(crew, take, &work);
        for (unsigned p = 0; p < PARTS; p++)
            assert_int_equal(work.done[p][0], work.round);
    }
}

static void each_part_once(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        struct crew *crew = crew_create(PARTS, threads[i]);
        check_rounds(crew, 150, (struct timespec){0});
        crew_destroy(crew);
    }
}

static void sleepers_wake(void **state)
{
    (void)state;
    const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    struct crew *crew = crew_create(PARTS, PARTS);
    check_rounds(crew, 5, pause);
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
