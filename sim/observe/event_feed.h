/*
 * Hands events to another thread, so that the simulation does not wait while they are packed and
 * written. The events of an SM keep their order; those of different SMs may overtake one another,
 * but always in the same way. What comes out does not depend on there being a thread.
 */
#ifndef SIM_OBSERVE_EVENT_FEED_H
#define SIM_OBSERVE_EVENT_FEED_H

#include <stddef.h>
#include <stdint.h>

#include "simsm/observer.h"

struct feed;

/* Takes one batch of an SM (below 1024); non-zero: it wants no more. */
typedef int feed_taker(void *context, uint32_t sm, const struct simsm_event *events, size_t count);

/*
 * NULL if memory runs out. Where there is only one processor, or no thread to be had, the caller of
 * feed_push takes the events itself from time to time.
 */
struct feed *feed_start(feed_taker *take, void *context);

/*
 * Copies the events; waits if too many are on their way. Non-zero: the taker wants no more, which
 * it may say late.
 */
int feed_push(struct feed *feed, uint32_t sm, const struct simsm_event *events, size_t count);

/* Non-zero if the taker has said that it wants no more; what it did before is then visible. */
int feed_refused(struct feed *feed);

/* Waits until all events are taken, and frees the feed. NULL is allowed. */
void feed_stop(struct feed *feed);

#endif
