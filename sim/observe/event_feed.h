/*
 * Hands events to another thread, so that the simulation does not wait while they are packed and
 * written. The events of an SM keep their order. Events of different SMs may overtake one another,
 * but in the same way in every run: the result does not depend on whether there is a thread.
 */
#ifndef SIM_OBSERVE_EVENT_FEED_H
#define SIM_OBSERVE_EVENT_FEED_H

#include <stddef.h>
#include <stdint.h>

#include "simsm/observer.h"

struct feed;

/* Takes one batch of events of an SM (below 1024). Returns non-zero if it wants no more events. */
typedef int feed_taker(void *context, uint32_t sm, const struct simsm_event *events, size_t count);

/*
 * Starts a feed; NULL if memory runs out. If the machine has only one processor, or no thread can
 * be started, feed_push calls `take` itself from time to time.
 */
struct feed *feed_start(feed_taker *take, void *context);

/*
 * Copies `count` events into the feed. Waits if the feed is full. Returns non-zero if the taker
 * wants no more events; this may be known late.
 */
int feed_push(struct feed *feed, uint32_t sm, const struct simsm_event *events, size_t count);

/*
 * Returns non-zero if the taker wants no more events. All that the taker did before is then visible
 * to the caller.
 */
int feed_refused(struct feed *feed);

/* Waits until all events are taken, and frees the feed. NULL is allowed. */
void feed_stop(struct feed *feed);

#endif
