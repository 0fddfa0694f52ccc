/*
 * Types of the CUDA runtime API, as a compiled program and libcudart exchange them. The definitions
 * are our own; sizes, offsets and values are those of toolkits 11 to 13. tests/cli/run_abi.sh
 * compares the definitions with NVIDIA's headers if NVIDIA's headers are installed. Functions of
 * the API have NVIDIA's names; types have other names, so that one file can include both.
 */
#ifndef SIM_CUDA_ABI_H
#define SIM_CUDA_ABI_H

#include <stddef.h>
#include <stdint.h>

enum cuda_error {
#define ERROR(id, number, ...) CUDA_##id = (number),
#include "cuda/cuda_errors.def"
#undef ERROR
};

/*
 * Exports `function` under a second name: an older name, or a name that ends in _ptsz or _ptds,
 * which programs built with --default-stream per-thread call.
 */
#define CUDA_ALIAS(name, function)                                                                 \
    extern __typeof__(function) name /* NOLINT(bugprone-macro-parentheses): it is declared */      \
        __attribute__((alias(#function)))

struct cuda_dim3 {
    uint32_t x, y, z;
};

struct cuda_pitched_ptr {
    void *ptr;
    size_t pitch, xsize, ysize; /* bytes */
};

struct cuda_extent {
    size_t width, height, depth; /* width: elements if the copy has an array, else bytes */
};

struct cuda_pos {
    size_t x, y, z; /* x: elements if the copy has an array on either side, else bytes */
};

/* cudaIpcMemHandle_t, cudaIpcEventHandle_t. */
struct cuda_ipc_handle {
    char bytes[64];
};

struct cuda_channel {
    int bits[4]; /* bits of each component; 0: no such component */
    int kind;    /* enum exec_texture_format */
};

enum cuda_resource_type { RESOURCE_ARRAY, RESOURCE_MIPMAPPED, RESOURCE_LINEAR, RESOURCE_PITCH_2D };

struct cuda_memory_view {
    void *pointer;
    struct cuda_channel channel;
    size_t width; /* elements; bytes if RESOURCE_LINEAR */
    size_t height, pitch;
};

struct cuda_resource {
    int type; /* enum cuda_resource_type */
    union {
        void *array;
        struct cuda_memory_view memory;
        int reserved[32];
    } as;
};

struct cuda_texture {
    int beyond[3]; /* enum exec_texture_beyond */
    int linear, fraction, srgb;
    float border[4];
    int normalized;
    unsigned anisotropy;
    int mipmap_linear;
    float mipmap_bias, mipmap_min, mipmap_max;
};

enum cuda_copy_kind {
    COPY_HOST_TO_HOST,
    COPY_HOST_TO_DEVICE,
    COPY_DEVICE_TO_HOST,
    COPY_DEVICE_TO_DEVICE,
    COPY_DEFAULT /* the addresses tell the direction */
};

struct cuda_copy_3d {
    void *src_array;
    struct cuda_pos src_pos;
    struct cuda_pitched_ptr src;
    void *dst_array;
    struct cuda_pos dst_pos;
    struct cuda_pitched_ptr dst;
    struct cuda_extent extent;
    int kind; /* enum cuda_copy_kind */
};

enum cuda_memory_type { MEMORY_UNREGISTERED, MEMORY_HOST, MEMORY_DEVICE, MEMORY_MANAGED };

struct cuda_pointer_attributes {
    int type; /* enum cuda_memory_type */
    int device;
    void *device_pointer, *host_pointer;
    long reserved[8]; /* only in toolkit 13 */
};

struct cuda_func_attributes {
    size_t shared_bytes, const_bytes, local_bytes;
    int max_threads, registers, ptx_version, binary_version, cache_mode_ca;
    int max_dynamic_shared, carveout_percent;
    /* The members from here on are in toolkits 12 and 13 only. */
    int cluster_must_be_set, cluster_width, cluster_height, cluster_depth;
    int cluster_scheduling, non_portable_cluster;
    int reserved[16];
};

enum cuda_func_attribute {
    FUNC_MAX_DYNAMIC_SHARED = 8,
    FUNC_CARVEOUT = 9,
    FUNC_CLUSTER_WIDTH = 11,
    FUNC_CLUSTER_HEIGHT = 12,
    FUNC_CLUSTER_DEPTH = 13,
    FUNC_NON_PORTABLE_CLUSTER = 14,
    FUNC_CLUSTER_SCHEDULING = 15
};

enum cuda_limit {
    LIMIT_STACK,
    LIMIT_PRINTF_FIFO,
    LIMIT_MALLOC_HEAP,
    LIMIT_SYNC_DEPTH,
    LIMIT_PENDING_LAUNCHES,
    LIMIT_L2_FETCH,
    LIMIT_PERSISTING_L2,
    LIMIT_COUNT,
    LIMIT_KNOWN = LIMIT_COUNT + 3 /* those of contexts for graphics can be read, and are 0 */
};

enum cuda_launch_attribute_id {
    LAUNCH_COOPERATIVE = 2,
    LAUNCH_CLUSTER = 4,
    LAUNCH_DEPENDENT = 6, /* programmatic stream serialization */
    LAUNCH_CARVEOUT = 14
};

struct cuda_launch_attribute {
    int id; /* enum cuda_launch_attribute_id */
    char pad[4];
    union {
        char bytes[64];
        int cooperative, dependent;
        struct cuda_dim3 cluster;
        uint32_t carveout_percent;
        uint64_t align;
    } value;
};

struct cuda_launch_config {
    struct cuda_dim3 grid, block;
    size_t shared; /* dynamic shared memory, bytes */
    void *stream;
    const struct cuda_launch_attribute *attributes;
    unsigned attribute_count;
};

struct cuda_mem_location {
    int type; /* 1 device, 2 host */
    int id;
};

struct cuda_pool_props {
    int alloc_type, handle_types;
    struct cuda_mem_location location;
    void *security;
    size_t max_size;
    unsigned short usage;
    unsigned char reserved[54];
};

struct cuda_access_desc {
    struct cuda_mem_location location;
    int flags; /* 0 none, 1 read, 3 read and write */
};

enum cuda_pool_attribute {
    POOL_REUSE_FIRST = 1, /* attributes 1 to 3: int, reuse of freed memory */
    POOL_REUSE_LAST = 3,
    POOL_RELEASE_THRESHOLD = 4, /* attributes from 4 on: uint64_t */
    POOL_RESERVED_CURRENT,
    POOL_RESERVED_HIGH,
    POOL_USED_CURRENT,
    POOL_USED_HIGH
};

enum cuda_capture_status { CAPTURE_NONE, CAPTURE_ACTIVE, CAPTURE_INVALIDATED };

typedef void cuda_host_fn(void *data);
typedef void cuda_stream_callback(void *stream, enum cuda_error status, void *data);

#endif
