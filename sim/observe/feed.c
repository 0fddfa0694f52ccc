#include "observe/feed.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A megabyte on its way at most. */
enum { PARCELS = 64, PARCEL_EVENTS = 1024, WORTH_WAKING = 16 };

struct parcel {
    uint32_t sm, count;
    struct simsm_event events[PARCEL_EVENTS];
};

struct feed {
    feed_taker *take;
    void *context;
    bool threaded;
    pthread_t thread;
    pthread_mutex_t lock; /* of all below but the events */
    pthread_cond_t filled, emptied;
    uint64_t put, taken; /* parcels, since the start */
    uint64_t least;      /* on their way before the taker goes on: waking it costs time */
    bool waiting;        /* for room */
    bool stopping;
    int refused;
    struct parcel parcels[PARCELS];
};

static void *take_all(void *argument)
{
    struct feed *feed = argument;
    (void)pthread_mutex_lock(&feed->lock);
    for (;;) {
        while (feed->put - feed->taken < feed->least && !feed->stopping)
            (void)pthread_cond_wait(&feed->filled, &feed->lock);
        if (feed->put == feed->taken && feed->stopping)
            break;
        feed->least = feed->put - feed->taken > 1 ? 1 : WORTH_WAKING;
        struct parcel *parcel = &feed->parcels[feed->taken % PARCELS];
        bool wanted = !feed->refused;
        (void)pthread_mutex_unlock(&feed->lock);
        int refused =
            wanted ? feed->take(feed->context, parcel->sm, parcel->events, parcel->count) : 0;
        (void)pthread_mutex_lock(&feed->lock);
        if (refused)
            feed->refused = refused;
        feed->taken++;
        if (feed->waiting && feed->put - feed->taken <= PARCELS / 2)
            (void)pthread_cond_signal(&feed->emptied);
    }
    (void)pthread_mutex_unlock(&feed->lock);
    return NULL;
}

/* Signals are the business of the thread that simulates. */
static bool start_thread(struct feed *feed)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    int failed = pthread_create(&feed->thread, NULL, take_all, feed);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return !failed;
}

struct feed *feed_start(feed_taker *take, void *context)
{
    struct feed *feed = malloc(sizeof *feed);
    if (!feed)
        return NULL;
    feed->take = take;
    feed->context = context;
    feed->put = feed->taken = 0;
    feed->least = WORTH_WAKING;
    feed->waiting = false;
    feed->stopping = false;
    feed->refused = 0;
    (void)pthread_mutex_init(&feed->lock, NULL);
    (void)pthread_cond_init(&feed->filled, NULL);
    (void)pthread_cond_init(&feed->emptied, NULL);
    feed->threaded = sysconf(_SC_NPROCESSORS_ONLN) > 1 && start_thread(feed);
    return feed;
}

static int push_parcel(struct feed *feed, uint32_t sm, const struct simsm_event *events,
                       uint32_t count)
{
    (void)pthread_mutex_lock(&feed->lock);
    feed->waiting = feed->put - feed->taken == PARCELS;
    while (feed->put - feed->taken == PARCELS)
        (void)pthread_cond_wait(&feed->emptied, &feed->lock);
    feed->waiting = false;
    struct parcel *parcel = &feed->parcels[feed->put % PARCELS];
    int refused = feed->refused;
    (void)pthread_mutex_unlock(&feed->lock);
    if (refused)
        return refused;
    parcel->sm = sm;
    parcel->count = count;
    memcpy(parcel->events, events, count * sizeof *events);
    (void)pthread_mutex_lock(&feed->lock);
    feed->put++;
    if (feed->put - feed->taken == WORTH_WAKING)
        (void)pthread_cond_signal(&feed->filled);
    (void)pthread_mutex_unlock(&feed->lock);
    return 0;
}

int feed_push(struct feed *feed, uint32_t sm, const struct simsm_event *events, size_t count)
{
    if (!feed->threaded) {
        if (!feed->refused)
            feed->refused = feed->take(feed->context, sm, events, count);
        return feed->refused;
    }
    int refused = 0;
    for (size_t at = 0; at < count && !refused; at += PARCEL_EVENTS) {
        size_t part = count - at < PARCEL_EVENTS ? count - at : PARCEL_EVENTS;
        refused = push_parcel(feed, sm, events + at, (uint32_t)part);
    }
    return refused;
}

int feed_refused(struct feed *feed)
{
    (void)pthread_mutex_lock(&feed->lock);
    int refused = feed->refused;
    (void)pthread_mutex_unlock(&feed->lock);
    return refused;
}

void feed_stop(struct feed *feed)
{
    if (!feed)
        return;
    if (feed->threaded) {
        (void)pthread_mutex_lock(&feed->lock);
        feed->stopping = true;
        (void)pthread_cond_signal(&feed->filled);
        (void)pthread_mutex_unlock(&feed->lock);
        (void)pthread_join(feed->thread, NULL);
    }
    (void)pthread_mutex_destroy(&feed->lock);
    (void)pthread_cond_destroy(&feed->filled);
    (void)pthread_cond_destroy(&feed->emptied);
    free(feed);
}
