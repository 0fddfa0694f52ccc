/*
 * Threads that work on the same thing at the same time, again and again: the SMs of a window.
 *
 * A window lasts microseconds, so that threads wait for the next one by looking, and go to sleep
 * only when it does not come for long.
 */
#ifndef SIM_GPU_CREW_H
#define SIM_GPU_CREW_H

#include <stdint.h>

struct crew;

/* Part `part` of a task, from 0. Always the same thread does it, 0 the caller of crew_work. */
typedef void crew_task(void *context, uint32_t part);

/* `threads` in all, the caller among them, at least 1, no more than `parts`, which they share out.
 * NULL: no memory, or no more threads. */
struct crew *crew_create(uint32_t parts, uint32_t threads);
/* NULL is allowed. */
void crew_destroy(struct crew *crew);

/* Returns when task(context, part) has returned for all parts. What was written before is seen by
 * all of them, and what they write by the caller. */
void crew_work(struct crew *crew, crew_task *task, void *context);

#endif
