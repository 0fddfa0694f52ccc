/* The event feed of a timeline, with its thread and where no thread can be started. */
#include "observe/event_feed.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SMS = 3, BATCH = 7, BATCHES = 40000 };

static bool refuse_threads; /* as a system without threads does */

struct taken {
    pthread_t taker;
    uint64_t count[SMS], last[SMS]; /* events, and the cycle of the last event */
    bool ordered;
    uint64_t stop_after; /* events of SM 0; 0: never */
};

static int take(void *context, uint32_t sm, const struct simsm_event *events, size_t count)
{
    struct taken *taken = context;
    taken->taker = pthread_self();
    for (size_t i = 0; i < count; i++) {
        taken->ordered &= events[i].cycle > taken->last[sm];
        taken->last[sm] = events[i].cycle;
    }
    taken->count[sm] += count;
    return taken->stop_after && taken->count[0] >= taken->stop_after;
}

/* Pushes many batches. Returns whether the feed has refused one. */
static bool push_all(struct feed *feed)
{
    struct simsm_event events[BATCH] = {0};
    uint64_t cycle = 0;
    for (uint32_t b = 0; b < BATCHES; b++) {
        for (uint32_t i = 0; i < BATCH; i++)
            events[i].cycle = ++cycle;
        if (feed_push(feed, b % SMS, events, BATCH))
            return true;
    }
    return false;
}

static void run(struct taken *taken)
{
    struct feed *feed = feed_start(take, taken);
    assert_non_null(feed);
    assert_false(push_all(feed));
    feed_stop(feed);
    assert_true(taken->ordered);
    assert_int_equal(taken->count[0] + taken->count[1] + taken->count[2], BATCHES * BATCH);
}

static void events_come_in_order(void **state)
{
    (void)state;
    struct taken taken = {.ordered = true};
    run(&taken);
}

static void the_caller_takes_without_threads(void **state)
{
    (void)state;
    struct taken taken = {.ordered = true};
    refuse_threads = true;
    run(&taken);
    refuse_threads = false;
    assert_true(pthread_equal(taken.taker, pthread_self()));
}

static void a_refusal_reaches_the_caller_without_threads(void **state)
{
    (void)state;
    struct taken taken = {.ordered = true, .stop_after = 100};
    refuse_threads = true;
    struct feed *feed = feed_start(take, &taken);
    assert_non_null(feed);
    assert_true(push_all(feed));
    assert_int_not_equal(feed_refused(feed), 0);
    feed_stop(feed);
    refuse_threads = false;
    assert_true(taken.count[0] < (uint64_t)BATCHES * BATCH / SMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_come_in_order),
        cmocka_unit_test(the_caller_takes_without_threads),
        cmocka_unit_test(a_refusal_reaches_the_caller_without_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Takes the place of the C library's function. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    typedef int creator(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (refuse_threads)
        return EAGAIN;
    creator *create;
    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    return create(thread, attributes, start, argument);
}
