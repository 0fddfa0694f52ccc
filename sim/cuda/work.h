/*
 * --concurrent: work waits in streams until it may run, and kernels, copies and fills of different
 * streams run beside one another. Nothing runs when it is submitted, but when the host waits for
 * it, asks for it, or has gone beyond the time at which it ends. The host's time advances by calls
 * alone, so that a program takes the same simulated time on any machine.
 */
#ifndef SIM_CUDA_WORK_H
#define SIM_CUDA_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda/runtime.h"
#include "cuda/stream_work.h"

struct mem_written; /* model/mem_written.h */

struct event;
struct stream;
struct work;       /* something submitted; whoever keeps a pointer to it counts as a holder */
struct work_queue; /* all work of the device that has not ended, and the clocks */

/* Opens the queue of a device without work. `rt` must outlive it. */
enum simsm_status work_open(struct work_queue **queue, struct runtime *rt,
                            struct simsm_error *error);
/* Drops all work. NULL is allowed. */
void work_close(struct work_queue *queue);

/* Advances the host's time by a call of the API, and waits for all work if the call does so. */
void work_call(struct work_queue *queue, const char *function);

/*
 * Submits a copy of *work to the stream, behind what is there. Waits for it if the call that is in
 * progress does so.
 */
enum cuda_error work_submit(struct work_queue *queue, struct stream *stream,
                            const struct stream_work *work);
/* Lets further work of the stream wait for the event, if it was recorded. */
enum cuda_error work_wait_for(struct work_queue *queue, struct stream *stream, struct event *event);

/* Lets the host wait for the work; NULL: for nothing. */
void work_finish(struct work_queue *queue, struct work *work);
void work_finish_all(struct work_queue *queue);
/* Lets the host wait for all work of a stream; returns whether all of it has ended by the host's
 * time. */
void work_finish_stream(struct work_queue *queue, struct stream *stream);
bool work_stream_ended(struct work_queue *queue, struct stream *stream);
/* Returns whether the work has ended by the host's time; NULL: true. */
bool work_has_ended(struct work_queue *queue, struct work *work);
/* Returns when the work has ended, in ns since the device was opened. */
double work_end_ns(const struct work_queue *queue, const struct work *work);

/* Runs the work to its end, without a wait of the host. */
void work_do(struct work_queue *queue, struct work *work);
/* Returns whether the call in progress waits for the work that it submits. */
bool work_call_waits(void);

/* Does work that has not ended, as far as its next begin or end. Returns false if there is none. */
bool work_go_on(struct work_queue *queue);
/* Returns whether work that has not ended frees the memory at `address`. */
bool work_frees(const struct work_queue *queue, uint64_t address);

/* Notes that device memory was written by a copy or fill. */
void work_written(struct work_queue *queue, const struct mem_written *written);

/* Prints what the program did in which time, and writes the file of --program. */
void work_report(struct work_queue *queue);

/* Adds a holder; returns `work`. */
struct work *work_hold(struct work *work);
/* Removes a holder. NULL is allowed. */
void work_release(struct work *work);

#endif
