/* The GPU that NVML tells of. NVML does not start it: what it says comes from the configuration. */
#ifndef SIM_CUDA_NVML_NVML_GPU_H
#define SIM_CUDA_NVML_NVML_GPU_H

#include "cuda/nvml/nvml_abi.h"
#include "cuda/properties.h"
#include "cuda/settings.h"

struct nvml_gpu {
    struct settings settings;
    struct simsm_config config;
    struct properties properties;
};

/* Returns the GPU; NULL if nvmlInit was not called. Its address is the handle of the device. */
struct nvml_gpu *nvml_gpu(void);

/*
 * Begins a call about `device` that writes to `out`. Returns NVML_SUCCESS and the GPU, or the
 * result with which the call ends.
 */
int nvml_enter(const void *device, const void *out, const struct nvml_gpu **gpu);

/* Copies text to[size]. Returns NVML_INSUFFICIENT_SIZE if it does not fit. */
int nvml_give_text(char *to, unsigned size, const char *text);

#endif
