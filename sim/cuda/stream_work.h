/*
 * What a program puts into a stream: a kernel, a copy, a fill, a function of its own ... A stream
 * that is not captured carries it out at once; a graph keeps it in a node.
 */
#ifndef SIM_CUDA_STREAM_WORK_H
#define SIM_CUDA_STREAM_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda/runtime.h"

struct program_kernel;
struct event;
struct graph;

/* As cudaGraphNodeType numbers them. */
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
    WORK_FREE = 11
};

struct launch {
    struct program_kernel *kernel;
    struct cuda_dim3 grid, block;
    uint32_t shared; /* bytes, dynamic */
    int carveout_percent;
    bool cooperative;
    uint8_t *params; /* packed as the kernel wants them; owned */
};

/* Rows and layers of bytes; a plain copy is one row. */
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
        struct graph *graph; /* a child; owned */
        struct event *event;
        struct {
            uint64_t address, size;
        } memory;
    } as;
};

/* Carries it out, in simulated time too. */
enum cuda_error stream_work_run(struct runtime *rt, const struct stream_work *work);

/* Whether stream_work_run would refuse it: what a program did wrong is told when it does it. */
enum cuda_error stream_work_check(struct runtime *rt, const struct stream_work *work);

/* The copy that a program describes in three dimensions. */
enum cuda_error copy_from_3d(const struct runtime *rt, const struct cuda_copy_3d *request,
                             struct copy *copy);

/* A copy that owns what it points to. False: out of memory. */
bool stream_work_copy(struct stream_work *copy, const struct stream_work *work);
void stream_work_free(struct stream_work *work);

#endif
