/* Jobs in processes: every way in which one can end is an answer, and all are told once. */
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "sweep/workers.h"

enum { JOBS = 40 };

struct answer {
    uint32_t job, square;
    char padding[100000]; /* more than a pipe holds */
};

struct seen {
    uint32_t next, jobs, ended[JOBS], answered, failed;
    char reason[JOBS][WORKERS_REASON];
    bool right;
};

static bool next(void *context, uint32_t *job)
{
    struct seen *seen = context;
    *job = seen->next;
    return seen->next++ < seen->jobs;
}

static void square(void *context, uint32_t job, void *answer)
{
    struct answer *a = answer;
    (void)context;
    a->job = job;
    a->square = job * job;
    memset(a->padding, (int)(job & 127), sizeof a->padding);
}

static void ended(void *context, uint32_t job, const void *answer, const char *reason,
                  double seconds)
{
    struct seen *seen = context;
    const struct answer *a = answer;
    seen->ended[job]++;
    seen->right &= seconds >= 0;
    if (a) {
        seen->answered++;
        seen->right &= a->job == job && a->square == job * job &&
                       a->padding[sizeof a->padding - 1] == (char)(job & 127);
    } else {
        seen->failed++;
        (void)strncpy(seen->reason[job], reason, WORKERS_REASON - 1);
    }
}

static struct workers workers_of(struct seen *seen, uint32_t jobs)
{
    *seen = (struct seen){.jobs = jobs, .right = true};
    return (struct workers){.jobs = 3,
                            .answer_size = sizeof(struct answer),
                            .context = seen,
                            .next = next,
                            .work = square,
                            .ended = ended};
}

static void test_answers(void **state)
{
    (void)state;
    struct seen seen;
    struct simsm_error error;
    struct workers workers = workers_of(&seen, JOBS);
    assert_int_equal(workers_run(&workers, &error), SIMSM_OK);
    for (uint32_t i = 0; i < JOBS; i++)
        assert_int_equal(seen.ended[i], 1);
    assert_int_equal(seen.answered, JOBS);
    assert_true(seen.right);
}

/* Job 1 crashes, 2 ends without an answer, 3 hangs, 4 is killed; the others are not disturbed. */
static void misbehave(void *context, uint32_t job, void *answer)
{
    if (job == 1) {
        (void)signal(SIGBUS, SIG_DFL); /* a sanitizer has a handler for it */
        (void)raise(SIGBUS);
    }
    if (job == 2)
        _exit(5);
    if (job == 3) {
        for (;;)
            (void)pause();
    }
    if (job == 4)
        (void)raise(SIGKILL);
    square(context, job, answer);
}

static void test_failures(void **state)
{
    (void)state;
    struct seen seen;
    struct simsm_error error;
    struct workers workers = workers_of(&seen, 8);
    workers.work = misbehave;
    workers.seconds = 1;
    assert_int_equal(workers_run(&workers, &error), SIMSM_OK);
    assert_int_equal(seen.answered, 4);
    assert_int_equal(seen.failed, 4);
    assert_true(seen.right);
    assert_non_null(strstr(seen.reason[1], "crashed: signal 7"));
    assert_non_null(strstr(seen.reason[2], "with status 5"));
    assert_non_null(strstr(seen.reason[3], "stopped after 1 s"));
    assert_non_null(strstr(seen.reason[4], "out of memory"));
}

#ifndef SIMSM_SANITIZED /* whose memory has no bounds of this kind */
static void want_memory(void *context, uint32_t job, void *answer)
{
    void *volatile much = malloc((size_t)1 << (job ? 30 : 20));
    if (!much)
        _exit(7);
    free(much);
    square(context, job, answer);
}

/* A job gets no more address space than it may have. */
static void test_memory(void **state)
{
    (void)state;
    struct seen seen;
    struct simsm_error error;
    struct workers workers = workers_of(&seen, 2);
    workers.work = want_memory;
    workers.memory = (size_t)1 << 29;
    assert_int_equal(workers_run(&workers, &error), SIMSM_OK);
    assert_int_equal(seen.answered, 1);
    assert_non_null(strstr(seen.reason[1], "with status 7"));
}
#endif

static int held[2]; /* a pipe: open as long as anybody has it */

/* Starts a process of its own, which would live for a minute. */
static void leave_another(void *context, uint32_t job, void *answer)
{
    (void)context;
    (void)job;
    (void)answer;
    (void)fork();
    (void)sleep(60);
}

/* Processes that a job has started end with the job when its time is over. */
static void test_all_of_a_job_ends(void **state)
{
    (void)state;
    struct seen seen;
    struct simsm_error error;
    struct workers workers = workers_of(&seen, 1);
    assert_int_equal(pipe(held), 0);
    workers.work = leave_another;
    workers.seconds = 0.5;
    assert_int_equal(workers_run(&workers, &error), SIMSM_OK);
    assert_int_equal(seen.failed, 1);
    (void)close(held[1]);
    struct pollfd wait = {.fd = held[0], .events = POLLIN};
    assert_int_equal(poll(&wait, 1, 10000), 1);
    (void)close(held[0]);
}

static int stop_now;

static int stop(void)
{
    return stop_now;
}

/* A job that ends when it is told to, or after half a minute, which fails the test. */
static void until_stopped(void *context, uint32_t job, void *answer)
{
    const struct timespec nap = {.tv_nsec = 10000000};
    for (int i = 0; i < 3000 && !workers_stopped(); i++)
        (void)nanosleep(&nap, NULL);
    square(context, job, answer);
}

static enum simsm_status stop_soon(void *context, struct simsm_error *error)
{
    (void)context;
    (void)error;
    stop_now++;
    return SIMSM_OK;
}

static void on_term(int number)
{
    (void)number;
    stop_now = 1;
}

static void test_stop(void **state)
{
    (void)state;
    struct seen seen;
    struct simsm_error error;
    struct workers workers = workers_of(&seen, JOBS);
    const time_t begun = time(NULL);
    (void)signal(SIGTERM, on_term);
    workers.work = until_stopped;
    workers.stop = stop;
    workers.pause = stop_soon;
    stop_now = 0;
    assert_int_equal(workers_run(&workers, &error), SIMSM_INTERRUPTED);
    (void)signal(SIGTERM, SIG_DFL);
    assert_true(seen.next <= 4);
    assert_true(seen.answered + seen.failed <= 3);
    assert_true(time(NULL) - begun < 20);
}

/* An error of `pause` ends the workers and their processes. */
static enum simsm_status refuse(void *context, struct simsm_error *error)
{
    struct seen *seen = context;
    error->status = SIMSM_FAILED;
    return seen->answered > 2 ? SIMSM_FAILED : SIMSM_OK;
}

static void test_pause_fails(void **state)
{
    (void)state;
    struct seen seen;
    struct simsm_error error;
    struct workers workers = workers_of(&seen, JOBS);
    workers.pause = refuse;
    assert_int_equal(workers_run(&workers, &error), SIMSM_FAILED);
    assert_true(seen.answered < JOBS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_pause_fails),
        cmocka_unit_test(test_all_of_a_job_ends),
#ifndef SIMSM_SANITIZED
        cmocka_unit_test(test_memory),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
