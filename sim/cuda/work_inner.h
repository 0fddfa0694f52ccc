/* The state behind work.h: what its files share. */
#ifndef SIM_CUDA_WORK_INNER_H
#define SIM_CUDA_WORK_INNER_H

#include "api/shared_gpu.h"
#include "base/pool.h"
#include "cuda/cuda_launch.h"
#include "cuda/transfer_times.h"
#include "cuda/work.h"
#include "timeline/activity.h"

#define WORK_NEVER UINT64_MAX

enum work_state { WORK_WAITING, WORK_READY, WORK_RUNNING, WORK_ENDED };

/* Work that waits for other work; `ahead`: for the end of its last block. */
struct work_link {
    struct work *work;
    bool ahead;
};

/* A grid that a kernel has launched. */
struct work_child {
    struct work *work; /* held */
    uint64_t stream, block;
};

/* The grids that a kernel launches; work_device.c. */
struct work_family {
    struct work *children; /* has ended when the kernel has, and its children but for tails; held */
    struct work *end;      /* has ended when tails have, too; held */
    struct pool launched;  /* struct work_child, in the order of their launches */
};

/* Times are cycles of the device. */
struct work {
    struct work_queue *queue;
    struct work *before, *after; /* in the list of all work that has not ended */
    struct work *next;           /* in the list of ready or of running work */
    uint64_t number;             /* in the order of submission */
    uint64_t stream;             /* id */
    int priority;
    struct stream_work what; /* owned; nothing once it has ended */
    enum work_state state;
    bool in_graph;
    bool timed; /* takes time; an event without timing does not */
    uint32_t holders;
    uint32_t waits;         /* links of other work to it */
    struct work_link *link; /* [links] work that waits for it, each of which it holds */
    size_t links, room;
    uint64_t begins;   /* not before this cycle */
    uint64_t delay;    /* added to it */
    uint64_t first_at; /* of a kernel: its first block not before this cycle */
    uint64_t began, last_block, ended;
    struct transfer transfer;
    uint32_t range;         /* of a copy or fill: number of the range that it was submitted in */
    struct launch_run *run; /* of a kernel, until it has ended; owned */
    struct gpu_launch *launch;
    struct work_family *family; /* NULL: the kernel has launched nothing */
    uint64_t looks;             /* at a value in memory that has not come: cycles to the next */
    bool by_device;             /* counts as a launch by a kernel that has not ended */
};

/* Directions of copies over the bus, each with an engine of its own. */
enum { TO_DEVICE, TO_HOST, ENGINES };

struct work_queue {
    struct runtime *rt;
    struct shared_gpu *gpu;
    uint64_t submitted, open;  /* work so far; work that has not ended */
    struct work *first, *last; /* of the work that has not ended */
    struct work *ready;        /* by (begins, number) */
    struct work *running;      /* in the order in which it began */
    uint64_t host;             /* the host's time, cycles */
    uint64_t front_free;       /* cycle from which a kernel of another stream can begin */
    uint64_t last_stream;      /* of the kernel that began last */
    uint64_t engine_free[ENGINES];
    uint32_t kernels;  /* on the device */
    uint32_t calling;  /* host functions in progress */
    uint32_t threads;  /* of the host that have made calls */
    uint32_t patience; /* steps in which only other threads of the host could let work go on */
    struct activity_log log;
};

/* Returns the cycles of `ns`, and the ns of `cycles`. */
uint64_t work_cycles(const struct work_queue *queue, double ns);
double work_ns(const struct work_queue *queue, uint64_t cycles);

/* work_queue.c */

/* A point that other work waits for, or that stands for work that is not done. */
extern const struct stream_work work_nothing;

/* Adds work that waits for nothing yet; NULL if memory runs out. The caller becomes a holder. */
struct work *work_new(struct work_queue *queue, const struct stream_work *what, uint64_t stream,
                      int priority);
/* Lets `work` wait for `before` and its family, unless that is NULL or has ended. Returns false if
 * memory runs out. */
bool work_link(struct work *before, struct work *work);
/* Lets it wait for `before` alone. work_push_link: the link has counted already. */
bool work_add_link(struct work *before, struct work *work, bool ahead);
bool work_push_link(struct work *before, struct work *work, bool ahead);
/* Gives a kernel its run, which must be allocated, and its number. */
void work_begin_run(struct work_queue *queue, struct work *work, unsigned depth);
/* Puts work into the list of ready work if it waits for nothing. */
void work_settle(struct work_queue *queue, struct work *work);
/* Follows the links of a kind: the linked work no longer waits for `work`. `ahead`: links to the
 * end of its last block; otherwise links to its end. */
void work_let_go(struct work_queue *queue, struct work *work, bool ahead);
/* Takes work that has ended off the queue. */
void work_end(struct work_queue *queue, struct work *work);
/* Ends all work, without doing it: a kernel has failed. */
void work_drop_all(struct work_queue *queue);

/* work_device.c: returns the work that ends last: that of the family's end, or `work`. */
struct work *work_last_of(struct work *work);
/* As device_launches.launched; `context` is the work of the kernel. */
void work_launched(void *context, const struct device_child *child);
void work_family_free(struct work *work);

/* work_graph.c: adds the work of a graph, which waits for `before` (NULL: nothing). *end waits for
 * all of it; the caller becomes a holder. */
enum cuda_error work_add_graph(struct work_queue *queue, struct graph *graph, struct stream *stream,
                               struct work *before, struct work **end);
/* work_queue.c: adds one piece of work of any kind but WORK_GRAPH. */
enum cuda_error work_add(struct work_queue *queue, const struct stream_work *what,
                         const struct stream *stream, struct work **work);

/* work_run.c: runs the device to the next begin or end of work, but not beyond cycle `until`.
 * Returns false if nothing can happen any more. */
bool work_step(struct work_queue *queue, uint64_t until);

#endif
