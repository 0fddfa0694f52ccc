/* The threads of a crew (crew.h): they wait for a task, and the caller for them, by polling for a
 * short while, then asleep. A thread that polled for longer would take a processor from others. */
#include "gpu/crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/signal_stack.h"

/* Polls before a thread sleeps: some 50 microseconds, about as long as waking takes. */
enum { LOOKS = 2000 };

/* Leaves the core's shared resources to its other threads for some dozens of cycles. */
static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

struct member {
    struct crew *crew;
    pthread_t thread;
    uint32_t first; /* first part of the thread */
};

struct crew {
    _Atomic uint64_t number;  /* number of the announced task, from 1 */
    _Atomic uint32_t at_work; /* members that have not finished the task */
    _Atomic uint32_t asleep;  /* members */
    _Atomic bool caller_asleep;
    crew_task *task; /* NULL: the members end */
    void *context;
    pthread_mutex_t lock; /* protects sleeping and waking */
    pthread_cond_t wake, done;
    uint32_t parts, threads;
    uint32_t members; /* running threads without the caller */
    struct member member[];
};

static bool is_new(struct crew *crew, uint64_t done)
{
    return atomic_load(&crew->number) != done;
}

static void sleep_until_new(struct crew *crew, uint64_t done)
{
    (void)pthread_mutex_lock(&crew->lock);
    atomic_fetch_add(&crew->asleep, 1);
    while (!is_new(crew, done))
        (void)pthread_cond_wait(&crew->wake, &crew->lock);
    atomic_fetch_sub(&crew->asleep, 1);
    (void)pthread_mutex_unlock(&crew->lock);
}

static void wait_for_task(struct crew *crew, uint64_t done)
{
    for (int look = 0; look < LOOKS; look++) {
        if (is_new(crew, done))
            return;
        pause_briefly();
    }
    sleep_until_new(crew, done);
}

static void do_parts(const struct crew *crew, uint32_t first)
{
    for (uint32_t part = first; part < crew->parts; part += crew->threads)
        crew->task(crew->context, part);
}

/* Notes that a member has finished the task. As in announce, the caller cannot miss it: the number
 * changes before `caller_asleep` is read. */
static void report_done(struct crew *crew)
{
    if (atomic_fetch_sub(&crew->at_work, 1) != 1 || !atomic_load(&crew->caller_asleep))
        return;
    (void)pthread_mutex_lock(&crew->lock);
    (void)pthread_cond_signal(&crew->done);
    (void)pthread_mutex_unlock(&crew->lock);
}

static void wait_for_members(struct crew *crew)
{
    for (int look = 0; look < LOOKS; look++) {
        if (atomic_load(&crew->at_work) == 0)
            return;
        pause_briefly();
    }
    (void)pthread_mutex_lock(&crew->lock);
    atomic_store(&crew->caller_asleep, true);
    while (atomic_load(&crew->at_work) != 0)
        (void)pthread_cond_wait(&crew->done, &crew->lock);
    atomic_store(&crew->caller_asleep, false);
    (void)pthread_mutex_unlock(&crew->lock);
}

static void *serve(void *member_)
{
    const struct member *member = member_;
    struct crew *crew = member->crew;
    struct signal_stack stack; /* a policy module may overflow this thread's own */
    signal_stack_begin(&stack);
    for (uint64_t done = 0;; done++) {
        wait_for_task(crew, done);
        if (!crew->task)
            break;
        do_parts(crew, member->first);
        report_done(crew);
    }
    signal_stack_end(&stack);
    return NULL;
}

/*
 * Announces a task. The order of the steps keeps every member from sleeping through a task: the
 * number changes before `asleep` is read, and a member counts itself as asleep before it compares
 * the number.
 */
static void announce(struct crew *crew, crew_task *task, void *context)
{
    crew->task = task;
    crew->context = context;
    atomic_store(&crew->at_work, crew->members);
    atomic_fetch_add(&crew->number, 1);
    if (atomic_load(&crew->asleep) == 0)
        return;
    (void)pthread_mutex_lock(&crew->lock);
    (void)pthread_cond_broadcast(&crew->wake);
    (void)pthread_mutex_unlock(&crew->lock);
}

struct crew *crew_create(uint32_t parts, uint32_t threads)
{
    struct crew *crew = calloc(1, sizeof *crew + (threads - 1) * sizeof crew->member[0]);
    if (!crew)
        return NULL;
    crew->parts = parts;
    crew->threads = threads;
    (void)pthread_mutex_init(&crew->lock, NULL);
    (void)pthread_cond_init(&crew->wake, NULL);
    (void)pthread_cond_init(&crew->done, NULL);
    for (uint32_t i = 0; i + 1 < threads; i++) {
        struct member *member = &crew->member[i];
        *member = (struct member){.crew = crew, .first = i + 1};
        if (pthread_create(&member->thread, NULL, serve, member) != 0) {
            crew_destroy(crew);
            return NULL;
        }
        crew->members++;
    }
    return crew;
}

void crew_destroy(struct crew *crew)
{
    if (!crew)
        return;
    announce(crew, NULL, NULL);
    for (uint32_t i = 0; i < crew->members; i++)
        (void)pthread_join(crew->member[i].thread, NULL);
    (void)pthread_cond_destroy(&crew->wake);
    (void)pthread_cond_destroy(&crew->done);
    (void)pthread_mutex_destroy(&crew->lock);
    free(crew);
}

void crew_work(struct crew *crew, crew_task *task, void *context)
{
    announce(crew, task, context);
    do_parts(crew, 0);
    wait_for_members(crew);
}
