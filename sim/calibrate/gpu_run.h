/* Runs points on a GPU through its driver. */
#ifndef SIM_CALIBRATE_GPU_RUN_H
#define SIM_CALIBRATE_GPU_RUN_H

#include "calibrate/gpu_driver.h"
#include "calibrate/table.h"

enum { GPU_NAME = 128 };

struct gpu_about {
    char name[GPU_NAME];
    uint32_t compute_capability; /* 10 x major + minor */
    int driver_version;          /* 1000 x major + 10 x minor */
    int sms, clock_khz, memory_clock_khz, l2_bytes;
};

struct measured_gpu;

/* Prepares GPU 0 for this process. On success the caller calls gpu_close(). `profiled`: a
 * profiler empties caches and counts every launch, so that only the kernels of points may be
 * launched. */
enum simsm_status gpu_open(struct measured_gpu **gpu, bool profiled, struct simsm_error *error);
void gpu_close(struct measured_gpu *gpu); /* `gpu` may be NULL */
const struct gpu_about *gpu_about(const struct measured_gpu *gpu);

/*
 * Loads the kernels of a cubin for the points that follow; loading the same cubin again costs
 * nothing. If a flush.cubin lies beside it, its kernel empties L2 before each launch
 * (cuda/calib/flush.cu).
 */
enum simsm_status gpu_load(struct measured_gpu *gpu, const char *cubin, struct simsm_error *error);

/*
 * Launches the point once to warm up, and then once for each of measured[0 .. repeat). Before each
 * launch the point's buffers are filled anew and, unless profiled, L2 is filled with other data.
 * Returns SIMSM_FAILED if the GPU reported an error; this process can then not use the GPU any
 * more.
 */
enum simsm_status gpu_measure(struct measured_gpu *gpu, const struct point *point, uint32_t repeat,
                              struct measured *measured, struct simsm_error *error);

#endif
