/* Kernel launches: from what the program passes to what is executed and timed. */
#ifndef SIM_CUDA_CUDA_LAUNCH_H
#define SIM_CUDA_CUDA_LAUNCH_H

#include "cuda/cuda_code.h"
#include "cuda/stream_work.h"

struct launch_request {
    const void *stub; /* host function or handle of the kernel */
    struct cuda_dim3 grid, block;
    void *const *arguments; /* one pointer for each parameter */
    void *const *extra;     /* {1, buffer, 2, &size, 0} instead of arguments; or NULL */
    size_t shared;          /* bytes, dynamic */
    int carveout_percent;   /* -1: that of the kernel */
    bool cooperative;
};

/*
 * Bytes of the value of an attribute of launches, streams and graph nodes; 0: there is no such. No
 * more may be written to a program: the union of them has 32 bytes up to toolkit 11.7, then 64.
 */
size_t launch_attribute_bytes(int id);

/*
 * Loads the kernel, checks the request as the driver does, and packs the arguments: *work then is a
 * kernel's, to be freed with stream_work_free. On failure *work needs no freeing.
 */
enum cuda_error launch_prepare(struct runtime *rt, const struct launch_request *request,
                               struct stream_work *work);

/* Fails, saying why, if the device was reset after the launch was made: for those in graphs. */
enum cuda_error launch_check_loaded(const struct launch *launch);

/* Executes and, if the settings say so, times it. A failed kernel breaks the device. */
enum cuda_error launch_run(struct runtime *rt, const struct launch *launch);

/* The launch as the simulator describes it. */
void launch_describe(const struct runtime *rt, const struct launch *launch,
                     struct simsm_launch *described);

#endif
