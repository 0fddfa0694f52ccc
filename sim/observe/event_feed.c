/* The event feed: a ring of slabs between the simulating thread and the thread that records. */
#include "observe/event_feed.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"

/*
 * At most a megabyte of events waits in the slabs. An SM has few events at a time, so many batches
 * travel as one slab. The batches of one SM are taken together, so that the recorder of the SM
 * stays in the cache.
 */
enum { SLABS = 4, SLAB_EVENTS = 16384, SLAB_BATCHES = 2048, NO_BATCH = UINT16_MAX };
enum { SMS = UINT16_MAX / SIMSM_SLOTS_PER_SM + 1 }; /* an event has 16 bits for SM and slot */

struct feed_batch {
    uint32_t first, count; /* in `event` of the slab */
    uint16_t next;         /* next batch of the same SM, or NO_BATCH */
};

struct feed_slab {
    uint32_t batches, events;
    uint16_t first[SMS], last[SMS]; /* first and last batch of each SM, or NO_BATCH */
    struct feed_batch batch[SLAB_BATCHES];
    struct simsm_event event[SLAB_EVENTS];
};

struct feed {
    feed_taker *take;
    void *context;
    bool threaded;
    pthread_t thread;
    pthread_mutex_t lock; /* protects all members below except the slabs */
    pthread_cond_t filled, emptied;
    uint64_t put, taken; /* slabs since the start; slab `put` is being filled */
    bool stopping;
    int refused;
    struct feed_slab slabs[SLABS];
};

static void empty(struct feed_slab *slab)
{
    slab->batches = slab->events = 0;
    memset(slab->first, 0xff, sizeof slab->first);
}

static int take_slab(const struct feed *feed, const struct feed_slab *slab)
{
    int refused = 0;
    for (uint32_t sm = 0; sm < SMS && !refused; sm++) {
        for (uint16_t b = slab->first[sm]; b != NO_BATCH && !refused; b = slab->batch[b].next)
            refused = feed->take(feed->context, sm, slab->event + slab->batch[b].first,
                                 slab->batch[b].count);
    }
    return refused;
}

static void *take_all(void *argument)
{
    struct feed *feed = argument;
    (void)pthread_mutex_lock(&feed->lock);
    for (;;) {
        while (feed->put == feed->taken && !feed->stopping)
            (void)pthread_cond_wait(&feed->filled, &feed->lock);
        if (feed->put == feed->taken)
            break;
        bool wanted = !feed->refused;
        (void)pthread_mutex_unlock(&feed->lock);
        int refused = wanted ? take_slab(feed, &feed->slabs[feed->taken % SLABS]) : 0;
        (void)pthread_mutex_lock(&feed->lock);
        if (refused)
            feed->refused = refused;
        feed->taken++;
        (void)pthread_cond_signal(&feed->emptied);
    }
    (void)pthread_mutex_unlock(&feed->lock);
    return NULL;
}

/* Starts the thread with all signals blocked: signals belong to the simulating thread. */
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
    feed->stopping = false;
    feed->refused = 0;
    empty(&feed->slabs[0]);
    (void)pthread_mutex_init(&feed->lock, NULL);
    (void)pthread_cond_init(&feed->filled, NULL);
    (void)pthread_cond_init(&feed->emptied, NULL);
    feed->threaded = sysconf(_SC_NPROCESSORS_ONLN) > 1 && start_thread(feed);
    return feed;
}

/*
 * Hands the filled slab over and empties the next one. Waits if all slabs are filled. Returns what
 * the taker has returned.
 */
static int hand_over(struct feed *feed)
{
    if (!feed->threaded) {
        if (!feed->refused)
            feed->refused = take_slab(feed, &feed->slabs[0]);
        empty(&feed->slabs[0]);
        return feed->refused;
    }
    (void)pthread_mutex_lock(&feed->lock);
    feed->put++;
    (void)pthread_cond_signal(&feed->filled);
    while (feed->put - feed->taken == SLABS)
        (void)pthread_cond_wait(&feed->emptied, &feed->lock);
    SIMSM_CHECK(feed->put - feed->taken < SLABS, "%llu slabs filled, %llu taken",
                (unsigned long long)feed->put, (unsigned long long)feed->taken);
    int refused = feed->refused;
    (void)pthread_mutex_unlock(&feed->lock);
    empty(&feed->slabs[feed->put % SLABS]);
    return refused;
}

static void append(struct feed_slab *slab, uint32_t sm, const struct simsm_event *events,
                   uint32_t count)
{
    SIMSM_CHECK(sm < SMS && slab->batches < SLAB_BATCHES && count <= SLAB_EVENTS - slab->events,
                "SM %u, batch %u, events %u + %u", sm, slab->batches, slab->events, count);
    uint16_t place = (uint16_t)slab->batches++;
    slab->batch[place] =
        (struct feed_batch){.first = slab->events, .count = count, .next = NO_BATCH};
    if (slab->first[sm] == NO_BATCH)
        slab->first[sm] = place;
    else
        slab->batch[slab->last[sm]].next = place;
    slab->last[sm] = place;
    memcpy(slab->event + slab->events, events, count * sizeof *events);
    slab->events += count;
}

int feed_push(struct feed *feed, uint32_t sm, const struct simsm_event *events, size_t count)
{
    while (count) {
        struct feed_slab *slab = &feed->slabs[feed->put % SLABS];
        uint32_t room = slab->batches < SLAB_BATCHES ? SLAB_EVENTS - slab->events : 0;
        uint32_t part = count < room ? (uint32_t)count : room;
        if (part) {
            append(slab, sm, events, part);
        } else {
            int refused = hand_over(feed);
            if (refused)
                return refused;
        }
        events += part;
        count -= part;
    }
    return 0;
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
    (void)hand_over(feed);
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
