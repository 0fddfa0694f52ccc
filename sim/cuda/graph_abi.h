/*
 * Types of the graph functions of the runtime API, as programs and libcudart exchange them. See
 * abi.h.
 */
#ifndef SIM_CUDA_GRAPH_ABI_H
#define SIM_CUDA_GRAPH_ABI_H

#include "cuda/abi.h"

struct cuda_kernel_node {
    void *function;
    struct cuda_dim3 grid, block;
    unsigned shared;
    void **arguments, **extra;
};

struct cuda_fill_node {
    void *dst;
    size_t pitch;
    unsigned value, element;
    size_t width, height;
};

struct cuda_host_node {
    cuda_host_fn *function;
    void *data;
};

struct cuda_copy_node {
    int flags;
    int reserved[3];
    struct cuda_copy_3d copy;
};

struct cuda_child_node {
    void *graph;
    int ownership;
};

struct cuda_event_node {
    void *event;
};

struct cuda_alloc_node {
    struct cuda_pool_props props;
    const struct cuda_access_desc *access;
    size_t access_count, size;
    void *pointer; /* out: address of the allocation */
};

/* The parameters of cudaGraphAddNode. */
struct cuda_node_params {
    int type; /* enum work_kind */
    int reserved[3];
    union {
        long long room[29];
        struct cuda_kernel_node kernel;
        struct cuda_copy_node copy;
        struct cuda_fill_node fill;
        struct cuda_host_node host;
        struct cuda_child_node child;
        struct cuda_event_node event;
    } as;
    long long reserved_end;
};

/* Only ordinary dependencies are supported: type 0, no ports. */
struct cuda_edge {
    unsigned char from_port, to_port, type, reserved[5];
};

struct cuda_instantiate_params {
    unsigned long long flags;
    void *upload_stream;
    void *error_node;
    int result;
};

struct cuda_update_result {
    int result; /* enum cuda_update */
    void *error_node, *error_from;
};

enum cuda_update {
    UPDATE_SUCCESS,
    UPDATE_ERROR,
    UPDATE_TOPOLOGY_CHANGED,
    UPDATE_TYPE_CHANGED,
    UPDATE_FUNCTION_CHANGED
};

#endif
