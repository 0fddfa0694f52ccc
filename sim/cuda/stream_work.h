/*
 * Work that a program submits to a stream: a kernel, a copy, a fill, a host function and so on. A
 * stream executes work at once, unless it is captured: then the work becomes a graph node.
 */
#ifndef SIM_CUDA_STREAM_WORK_H
#define SIM_CUDA_STREAM_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda/memory_op.h"
#include "cuda/runtime.h"

struct program_kernel;
struct event;
struct graph;
struct transfer;

/* Kinds of work, numbered as cudaGraphNodeType. */
enum work_kind {
    WORK_KERNEL,
    WORK_COPY,
    WORK_FILL,
    WORK_HOST,
    WORK_GRAPH,
    WORK_NOTHING,
    WORK_WAIT,
    WORK_RECORD,
    WORK_ALLOC = 10,
    WORK_FREE = 11,
    WORK_MEMORY_OP = 12,
    WORK_RELEASE /* frees memory; not in graphs, whose memory stays */
};

struct launch {
    struct program_kernel *kernel;
    struct cuda_dim3 grid, block;
    struct cuda_dim3 cluster; /* blocks of a cluster; 0: not launched in clusters */
    uint32_t shared;          /* dynamic shared memory, bytes */
    int carveout_percent;
    bool cooperative;
    bool dependent;  /* may begin when the last block of the kernel before it ends */
    uint8_t *params; /* parameter block of the kernel; owned */
};

/* A copy of rows and layers of bytes; a plain copy is one row. */
struct copy {
    void *dst;
    const void *src;
    size_t dst_pitch, src_pitch; /* bytes from row to row */
    size_t dst_layer, src_layer; /* bytes from layer to layer */
    size_t width, height, depth; /* bytes, rows, layers */
    enum cuda_copy_kind kind;
};

struct fill {
    void *dst;
    size_t pitch, layer;
    uint32_t value, element;     /* the low `element` bytes of value: 1, 2 or 4 */
    size_t width, height, depth; /* elements, rows, layers */
};

struct stream_work {
    enum work_kind kind;
    union {
        struct launch launch;
        struct copy copy;
        struct fill fill;
        struct {
            cuda_host_fn *function;
            void *data;
        } host;
        struct graph *graph; /* child graph; owned */
        struct event *event;
        struct memory_op memory_op;
        struct {
            uint64_t address, size;
        } memory;
    } as;
};

/* Executes the work and advances simulated time. */
enum cuda_error stream_work_run(struct runtime *rt, const struct stream_work *work);

/*
 * Checks a copy or fill as stream_work_run does, so that one with wrong addresses fails at the call
 * that the program made, and describes it in *transfer (0 bytes: nothing to do, or other work).
 * Other work is not checked here.
 */
enum cuda_error stream_work_check(struct runtime *rt, const struct stream_work *work,
                                  struct transfer *transfer);

/* Executes a copy or a fill, without time. Does nothing for other work. */
enum cuda_error stream_work_transfer(struct runtime *rt, const struct stream_work *work);

/* Translates a copy in three dimensions. Sides are arrays or pitched memory. */
enum cuda_error copy_from_3d(const struct runtime *rt, const struct cuda_copy_3d *request,
                             struct copy *copy);

/* Makes *copy a copy of *work with its own parameters or graph. Returns false if out of memory. */
bool stream_work_copy(struct stream_work *copy, const struct stream_work *work);
/* Frees what the work owns; it then does nothing. Not the struct itself. */
void stream_work_free(struct stream_work *work);

#endif
