/*
 * Streams and events. Without --concurrent, work is executed when it is submitted, so a stream
 * holds no work. A stream stores its capture, if a graph is captured from it; an event stores its
 * simulated time.
 */
#ifndef SIM_CUDA_CUDA_STREAM_H
#define SIM_CUDA_CUDA_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/runtime.h"
#include "cuda/stream_work.h"
#include "sanitize/stream_order.h"

struct graph_node;
struct work;

/*
 * The nodes that a stream captured last. The next node that the stream captures depends on these
 * nodes.
 */
struct frontier {
    struct graph *graph; /* NULL: nothing is captured */
    struct graph_node **node;
    size_t count;
};

enum { STREAM_ATTRIBUTES = 20 }; /* more than launch_attribute_bytes knows */

struct stream {
    struct stream *next;
    uint64_t id;
    unsigned flags;
    int priority;
    struct work *last; /* --concurrent: submitted last; NULL: nothing. The stream holds it */
    struct frontier capture;
    bool origin;          /* the capture began in this stream */
    bool capture_is_void; /* a call was made that the capture forbids (capture_rules.h) */
    int capture_mode;
    const void *capture_thread; /* that began the capture */
    union stream_attribute {
        char bytes[64];
        uint64_t align;
    } attribute[STREAM_ATTRIBUTES]; /* hints, indexed by attribute id */
};

struct event {
    struct event *next;
    unsigned flags;
    bool recorded;
    bool imported;             /* another process has created it */
    double time;               /* simulated time, ns */
    struct stream_clock clock; /* simsm check: what its last record stands for */
    struct work *work;         /* --concurrent: its last record; NULL: none. The event holds it */
    struct frontier captured;  /* nodes, if recorded in a captured stream */
};

enum { EVENT_DISABLE_TIMING = 2, EVENT_INTERPROCESS = 4 };
enum { STREAM_NON_BLOCKING = 1 };

/* Returns the stream with this handle, default streams included; NULL if there is none. */
struct stream *stream_find(void *handle);
/* Returns whether it is the legacy default stream. */
bool stream_is_legacy(const struct stream *stream);
/* Returns the stream of a call in a program that is compiled for a default stream of each thread.
 */
static inline void *stream_per_thread(void *handle)
{
    return handle ? handle : (void *)2;
}

/* Returns the first created stream of the list linked by `next`; default streams are not in it. */
struct stream *stream_first(void);
/* Returns a new stream; NULL if out of memory. */
struct stream *stream_create(unsigned flags, int priority);
/* Frees a stream that stream_create returned. */
void stream_destroy(struct runtime *rt, struct stream *stream);

/*
 * Executes the work at once, or adds a copy of it to the graph that is captured from the stream.
 * The caller keeps `work`.
 */
enum cuda_error stream_submit(struct runtime *rt, void *handle, const struct stream_work *work);

/* Calls stream_submit, then frees what the work owns, also on failure. */
enum cuda_error stream_submit_and_free(struct runtime *rt, void *handle, struct stream_work *work);

/* Returns the event with this handle; NULL if there is none. */
struct event *event_find(const void *handle);
/* Returns a new event that is not recorded; NULL if out of memory. */
struct event *event_create(unsigned flags);
/* Frees an event. */
void event_destroy(struct event *event);
/* Records the simulated time in an event; two records are never at the same time. */
void event_record(struct runtime *rt, struct event *event);

/*
 * Replaces the nodes of `frontier` by a copy of node[], nodes of `graph`. Returns false if out of
 * memory.
 */
bool frontier_set(struct frontier *frontier, struct graph *graph, struct graph_node *const *node,
                  size_t count);
/* Adds the nodes of node[] that `frontier` lacks. Returns false if out of memory. */
bool frontier_merge(struct frontier *frontier, struct graph_node *const *node, size_t count);
/* Frees the list of nodes and ends the capture of this frontier. */
void frontier_clear(struct frontier *frontier);

#endif
