/*
 * Types of the CUDA driver API, as programs and runtimes exchange them. See cuda/abi.h.
 */
#ifndef SIM_CUDA_DRIVER_DRIVER_ABI_H
#define SIM_CUDA_DRIVER_DRIVER_ABI_H

#include "cuda/graph_abi.h"

/* Memory of one side of a copy, numbered as CUmemorytype: host, device, array, or any address. */
enum side_type { SIDE_HOST = 1, SIDE_DEVICE, SIDE_ARRAY, SIDE_UNIFIED };

struct driver_copy_side {
    size_t x, y; /* x in bytes, y in rows */
    int type;    /* enum side_type */
    void *host, *device, *array;
    size_t pitch;
};

struct driver_copy {
    struct driver_copy_side src, dst;
    size_t width, height; /* width in bytes, height in rows */
};

struct driver_side_3d {
    size_t x, y, z, level; /* x in bytes */
    int type;              /* enum side_type */
    void *host, *device, *array;
    void *context;        /* only in copies between contexts */
    size_t pitch, height; /* bytes of a row, rows of a layer */
};

struct driver_copy_3d {
    struct driver_side_3d src, dst;
    size_t width, height, depth; /* width in bytes */
};

struct driver_array {
    size_t width, height;
    int format; /* CUarray_format */
    unsigned channels;
};

struct driver_array_3d {
    size_t width, height, depth;
    int format; /* CUarray_format */
    unsigned channels, flags;
};

struct driver_memory_view {
    void *pointer;
    int format; /* CUarray_format */
    unsigned channels;
    size_t width; /* elements; bytes if RESOURCE_LINEAR */
    size_t height, pitch;
};

struct driver_resource {
    int type; /* enum cuda_resource_type */
    union {
        void *array;
        struct driver_memory_view memory;
        int reserved[32];
    } as;
    unsigned flags;
};

enum driver_texture_flag { TEXTURE_AS_INTEGER = 1, TEXTURE_NORMALIZED = 2, TEXTURE_SRGB = 16 };

struct driver_texture {
    int beyond[3]; /* enum exec_texture_beyond */
    int linear;
    unsigned flags; /* enum driver_texture_flag */
    unsigned anisotropy;
    int mipmap_linear;
    float mipmap_bias, mipmap_min, mipmap_max;
    float border[4];
    int reserved[12];
};

struct driver_kernel_node {
    struct cuda_kernel_node node; /* its function: NULL, or the kernel */
    void *kernel;                 /* if node.function is NULL */
    void *context;
};

struct driver_copy_node {
    int flags, reserved;
    void *context;
    struct driver_copy_3d copy;
};

/* The parameters of cuGraphAddNode. Nodes without a member here have the runtime's parameters. */
struct driver_node_params {
    int type; /* enum work_kind */
    int reserved[3];
    union {
        long long room[29];
        struct driver_kernel_node kernel;
        struct driver_copy_node copy;
    } as;
    long long reserved_end;
};

#endif
