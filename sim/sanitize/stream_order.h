/*
 * Which launches and copies of a program happen before others: vector clocks of its streams.
 * SOURCE: CUDA C++ Programming Guide, streams, events, default stream.
 */
#ifndef SIM_SANITIZE_STREAM_ORDER_H
#define SIM_SANITIZE_STREAM_ORDER_H

#include <stdbool.h>
#include <stdint.h>

enum { STREAM_SLOTS = 32 };

/* [s]: how many operations of stream s have happened before. */
struct stream_clock {
    uint32_t of[STREAM_SLOTS];
};

/* An operation: the n-th of its stream. */
struct stream_operation {
    uint32_t slot, number;
};

struct stream_order {
    uint64_t id[STREAM_SLOTS]; /* of the stream that has the slot; 0: free */
    bool blocking[STREAM_SLOTS];
    struct stream_clock stream[STREAM_SLOTS], host;
    struct stream_clock destroyed;            /* of blocking streams that were destroyed */
    struct stream_clock before[STREAM_SLOTS]; /* of each stream's last operation, as it began */
    struct stream_clock earlier; /* when the operation in front of the one that runs began */
    struct stream_clock waited;  /* of the operation that runs, when it has waited (dependent) */
    struct stream_clock now;     /* of the operation that runs */
    bool lost;                   /* there are more streams than slots: all is taken for ordered */
};

/* The legacy default stream has this id. */
enum { STREAM_LEGACY = 1 };

/* Begins an operation of a stream; the program has submitted it now. `blocking`: the stream waits
 * for the legacy default stream. */
struct stream_operation stream_order_begin(struct stream_order *order, uint64_t id, bool blocking);

/* The operation that runs is a launch that may begin before the one in front of it has ended
 * (programmatic dependent launch): it is ordered behind it only where it has waited. */
void stream_order_begins_early(struct stream_order *order, uint32_t slot);

/* Returns whether all operations before the one that runs happen before it. */
bool stream_order_is_alone(const struct stream_order *order);

/* Returns whether the operation happens before the one that runs. `waited`: the one that runs has
 * waited for the launch in front of it. */
bool stream_order_before(const struct stream_order *order, struct stream_operation operation,
                         bool waited);

/* Records an event in a stream: copies the stream's clock to *clock. */
void stream_order_record(struct stream_order *order, uint64_t id, bool blocking,
                         struct stream_clock *clock);
/* Lets a stream wait for what an event has recorded. */
void stream_order_wait(struct stream_order *order, uint64_t id, bool blocking,
                       const struct stream_clock *clock);
/* Lets a stream wait for all operations of all streams so far. */
void stream_order_wait_all(struct stream_order *order, uint64_t id, bool blocking);
/* The program has waited: for an event, a stream, for all. */
void stream_order_host_event(struct stream_order *order, const struct stream_clock *clock);
void stream_order_host_stream(struct stream_order *order, uint64_t id, bool blocking);
void stream_order_host_all(struct stream_order *order);

/* Returns whether the program has waited for all operations so far. */
bool stream_order_host_has_all(const struct stream_order *order);

/* Frees the slot of a stream that is destroyed. */
void stream_order_destroy(struct stream_order *order, uint64_t id);

#endif
