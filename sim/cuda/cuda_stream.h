/*
 * Streams and events. Work is done when it is put into a stream, so that streams never have any
 * left; what they keep is whether a graph is being captured from them, and events keep the
 * simulated time.
 */
#ifndef SIM_CUDA_CUDA_STREAM_H
#define SIM_CUDA_CUDA_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/runtime.h"
#include "cuda/stream_work.h"

struct graph_node;

/* Nodes of a graph that is being captured; what is captured next depends on them. */
struct frontier {
    struct graph *graph; /* NULL: no capture */
    struct graph_node **node;
    size_t count;
};

enum { STREAM_ATTRIBUTES = 20 }; /* more than launch_attribute_bytes knows */

struct stream {
    struct stream *next;
    uint64_t id;
    unsigned flags;
    int priority;
    struct frontier capture;
    bool origin; /* the capture began here */
    union stream_attribute {
        char bytes[64];
        uint64_t align;
    } attribute[STREAM_ATTRIBUTES]; /* by their number; hints */
};

struct event {
    struct event *next;
    unsigned flags;
    bool recorded;
    double time;              /* ns of simulated time */
    struct frontier captured; /* recorded in a stream that is captured */
};

enum { EVENT_DISABLE_TIMING = 2 };

/* The stream of a handle, the default streams' included; NULL: there is none. */
struct stream *stream_find(void *handle);
/* All that were created, linked by `next`. */
struct stream *stream_first(void);
struct stream *stream_create(unsigned flags, int priority);
void stream_destroy(struct stream *stream);

/* Carries work out, or adds it to the graph that is captured from the stream; copies it there. */
enum cuda_error stream_submit(struct runtime *rt, void *handle, const struct stream_work *work);

/* The same, then frees what the work owns. */
enum cuda_error stream_submit_and_free(struct runtime *rt, void *handle, struct stream_work *work);

struct event *event_find(const void *handle);
struct event *event_create(unsigned flags);
void event_destroy(struct event *event);
void event_record(struct runtime *rt, struct event *event);

/* Makes `frontier` those nodes of `graph`. False: out of memory. */
bool frontier_set(struct frontier *frontier, struct graph *graph, struct graph_node *const *node,
                  size_t count);
/* Adds those that it lacks. */
bool frontier_merge(struct frontier *frontier, struct graph_node *const *node, size_t count);
void frontier_clear(struct frontier *frontier);

#endif
