/*
 * A crew: threads that work on the same task at the same time, again and again. The task of the
 * simulator is a window of cycles, the parts are groups of SMs.
 *
 * A window lasts microseconds. Threads therefore wait for the next task by polling, and sleep only
 * if none comes for long.
 */
#ifndef SIM_GPU_CREW_H
#define SIM_GPU_CREW_H

#include <stdint.h>

struct crew;

/* Does part `part` of a task, from 0. The same thread always does the same part; the caller of
 * crew_work does part 0. */
typedef void crew_task(void *context, uint32_t part);

/* Creates a crew of `threads` threads, the caller included: at least 1 and at most `parts`. The
 * threads share the parts. Returns NULL if memory runs out or a thread cannot be created. */
struct crew *crew_create(uint32_t parts, uint32_t threads);
/* Ends the threads and frees the crew. NULL is allowed. */
void crew_destroy(struct crew *crew);

/* Runs task(context, part) for all parts and returns when all have returned. All parts see what the
 * caller has written before, and the caller sees what the parts have written. */
void crew_work(struct crew *crew, crew_task *task, void *context);

#endif
