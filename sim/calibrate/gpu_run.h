/* Running points on a GPU through its driver. */
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

/*
 * Makes GPU 0 ready for this process. On success gpu_close must be called. `profiled`: a profiler
 * empties caches and counts every launch, so that only the points' own kernels may be launched.
 */
enum simsm_status gpu_open(struct measured_gpu **gpu, bool profiled, struct simsm_error *error);
void gpu_close(struct measured_gpu *gpu); /* NULL is allowed */
const struct gpu_about *gpu_about(const struct measured_gpu *gpu);

/* Takes the kernels of this cubin from now on; that of the last call again costs nothing. If there
 * is a flush.cubin beside it, its kernel empties L2 from then on (cuda/calib/flush.cu). */
enum simsm_status gpu_load(struct measured_gpu *gpu, const char *cubin, struct simsm_error *error);

/*
 * Runs the point once untimed and then measured[0 .. repeat). Before each launch its buffers are
 * filled anew and, unless profiled, L2 is filled with something else. SIMSM_FAILED: the GPU
 * reported an error, after which this process can do no more on it.
 */
enum simsm_status gpu_measure(struct measured_gpu *gpu, const struct point *point, uint32_t repeat,
                              struct measured *measured, struct simsm_error *error);

#endif
