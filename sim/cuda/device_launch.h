/*
 * Dynamic parallelism (CDP2): kernels that launch kernels. The functions of libcudadevrt call the
 * device runtime, which this is. A grid has ended when the grids that it has launched have ended.
 */
#ifndef SIM_CUDA_DEVICE_LAUNCH_H
#define SIM_CUDA_DEVICE_LAUNCH_H

#include "base/pool.h"
#include "cuda/cuda_code.h"
#include "cuda/stream_work.h"

/* Streams of a device launch that have no object: cudaStreamTailLaunch and so on. */
enum { DEVICE_STREAM_BLOCK = 0, DEVICE_STREAM_TAIL = 3, DEVICE_STREAM_FORGET = 4 };

/* A grid that another has launched. */
struct device_child {
    struct launch launch; /* params owned */
    uint64_t stream;      /* DEVICE_STREAM_..., or the handle of a stream that the grid created */
    uint64_t block;       /* linear index of the block that has launched it */
    uint64_t cycle;       /* in which it was launched; 0 without time */
    bool counted;         /* counts in runtime.device_pending */
};

/* The launches of one grid. */
struct device_launches {
    struct runtime *rt;
    const struct program_kernel *parent;
    unsigned depth;       /* 0: the host has launched the grid */
    struct pool children; /* struct device_child, in the order in which they were launched */
    struct pool buffers;  /* struct device_buffer: parameters of launches to come */
    uint64_t handles;     /* streams and events so far */
    uint32_t last_error;  /* enum cuda_error */
    bool reported;        /* a message about a launch that cannot run was printed */
    /* Called for each launch; NULL: not called. */
    void (*launched)(void *context, const struct device_child *child);
    void *context;
};

/* As exec_options.device_call; `context` is a struct device_launches. */
bool device_launch_call(void *context, struct exec_device_call *call);

/* Prepares the launches of a grid by `parent`. */
void device_launch_begin(struct device_launches *launches, struct runtime *rt,
                         const struct program_kernel *parent, unsigned depth);

/* Frees the launches and the parameters of launches that have not come. */
void device_launch_free(struct device_launches *launches);

/* Drops the launches of an execution that is undone. */
void device_launch_forget(struct device_launches *launches);

#endif
