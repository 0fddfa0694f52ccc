/* Kernel launches: from the arguments of the API call to execution and timing. */
#ifndef SIM_CUDA_CUDA_LAUNCH_H
#define SIM_CUDA_CUDA_LAUNCH_H

#include "cuda/cuda_code.h"
#include "cuda/device_launch.h"
#include "cuda/launch_watch.h"
#include "cuda/stream_work.h"

struct launch_request {
    const void *stub; /* host function or handle of the kernel */
    struct cuda_dim3 grid, block;
    struct cuda_dim3 cluster; /* blocks of a cluster; 0: as the kernel says */
    void *const *arguments;   /* one pointer per parameter */
    void *const *extra;       /* {1, buffer, 2, &size, 0} in place of `arguments`; or NULL */
    size_t shared;            /* dynamic shared memory, bytes */
    int carveout_percent;     /* -1: the setting of the kernel */
    bool cooperative;
    bool dependent; /* programmatic stream serialization */
};

/*
 * Returns the bytes of the value of an attribute of launches, streams and graph nodes; 0 if there
 * is no such attribute. Never copy more bytes to the program: its union of values has 32 bytes up
 * to toolkit 11.7, and 64 bytes in later toolkits.
 */
size_t launch_attribute_bytes(int id);

/*
 * Loads the kernel, checks the request as the driver does, and packs the arguments into *work. Free
 * *work with stream_work_free; after an error there is nothing to free.
 */
enum cuda_error launch_prepare(struct runtime *rt, const struct launch_request *request,
                               struct stream_work *work);

/*
 * Checks that the kernel of a launch in a graph is loaded: cudaDeviceReset unloads kernels. Prints
 * a message and returns an error if it is not.
 */
enum cuda_error launch_check_loaded(const struct launch *launch);

/*
 * Executes a launch and, if the settings choose the launch, times it. Then does the same, one after
 * the other, with the launches of its kernel; launches to its tail come last. If the kernel fails,
 * the launch succeeds, and every later call returns the failure (rt->broken).
 */
enum cuda_error launch_run(struct runtime *rt, const struct launch *launch);

/* Returns the error for a grid, a block or an amount of shared memory that the kernel cannot have.
 */
enum cuda_error launch_check(const struct runtime *rt, const struct launch *launch);

/* Returns the error for clusters that the kernel or its grid cannot have. cuda_clusters.c */
enum cuda_error launch_check_clusters(const struct launch *launch);
/* Checks that a cluster has room on the GPU; an SM has room for so many blocks. */
enum cuda_error launch_check_places(const struct runtime *rt, const struct launch *launch,
                                    uint32_t blocks_per_sm);
/* Returns the blocks of a cluster with which the kernel must be launched; 0: any. */
struct cuda_dim3 launch_required_cluster(const struct program_kernel *kernel);

/* Returns the most blocks of a cluster of this kernel. */
int launch_most_cluster(const struct program_kernel *kernel);
/* Sets *clusters to how many clusters of a launch fit onto the GPU at a time. `cluster`: as the
 * launch asks for; 0: as the kernel says. */
enum cuda_error launch_count_clusters(const struct runtime *rt, struct program_kernel *kernel,
                                      const struct cuda_launch_config *config,
                                      struct cuda_dim3 cluster, int *clusters);

/* A launch from its begin to its end. */
struct launch_run {
    struct device_launches device; /* what its kernel launches */
    struct exec_launch exec;
    struct launch_watch watch;
    enum exec_failure failure;
    struct journal_launch row;
};

/* Fills *run, which must not move, and gives the launch its number. `launch` must outlive it.
 * `depth`: as in struct device_launches. */
void launch_begin(struct runtime *rt, const struct launch *launch, unsigned depth,
                  struct launch_run *run);
/*
 * Ends the run of launch_begin: writes its row, and reports *error unless `status` is SIMSM_OK. As
 * on a GPU, the launch itself has succeeded, and the next calls return the error.
 */
void launch_end(struct runtime *rt, struct launch_run *run, enum simsm_status status,
                const struct simsm_error *error);

/*
 * Fills *described with the launch as the simulator describes it: grid, block, registers, shared
 * memory, carveout, name.
 */
void launch_describe(const struct runtime *rt, const struct launch *launch,
                     struct simsm_launch *described);

#endif
