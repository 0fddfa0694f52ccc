/* The CUDA driver, loaded at run time, so that a build needs nothing of CUDA. Types and values
 * are those of the driver API (CUDA 13, cuda.h), which are stable. */
#ifndef SIM_CALIBRATE_GPU_DRIVER_H
#define SIM_CALIBRATE_GPU_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#include "simsm/error.h"

typedef int cu_result; /* 0: success */
typedef int cu_device;
typedef uint64_t cu_pointer;
typedef struct cu_context_type *cu_context;
typedef struct cu_module_type *cu_module;
typedef struct cu_function_type *cu_function;
typedef struct cu_stream_type *cu_stream;

/* Attributes of a device (CUdevice_attribute) and of a function. */
enum {
    CU_CLOCK_RATE = 13, /* kHz */
    CU_MULTIPROCESSORS = 16,
    CU_MEMORY_CLOCK_RATE = 36, /* kHz */
    CU_L2_BYTES = 38,
    CU_CAPABILITY_MAJOR = 75,
    CU_CAPABILITY_MINOR = 76,
    CU_FUNCTION_MAX_DYNAMIC_SHARED = 8,
    CU_FUNCTION_CARVEOUT = 9
};

struct gpu_driver {
    cu_result (*init)(unsigned flags);
    cu_result (*driver_version)(int *version);
    cu_result (*error_name)(cu_result result, const char **name);
    cu_result (*error_string)(cu_result result, const char **text);
    cu_result (*device_get)(cu_device *device, int ordinal);
    cu_result (*device_name)(char *name, int length, cu_device device);
    cu_result (*device_attribute)(int *value, int attribute, cu_device device);
    cu_result (*context_retain)(cu_context *context, cu_device device);
    cu_result (*context_set)(cu_context context);
    cu_result (*synchronize)(void);
    cu_result (*module_load)(cu_module *module, const void *image);
    cu_result (*module_unload)(cu_module module);
    cu_result (*module_function)(cu_function *function, cu_module module, const char *name);
    cu_result (*function_set)(cu_function function, int attribute, int value);
    cu_result (*alloc)(cu_pointer *address, size_t bytes);
    cu_result (*free)(cu_pointer address);
    cu_result (*fill)(cu_pointer address, unsigned char value, size_t bytes);
    cu_result (*to_device)(cu_pointer to, const void *from, size_t bytes);
    cu_result (*to_host)(void *to, cu_pointer from, size_t bytes);
    cu_result (*launch)(cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        cu_stream cursor, void **parameters, void **extra);
    cu_result (*launch_cooperative)(cu_function function, unsigned grid_x, unsigned grid_y,
                                    unsigned grid_z, unsigned block_x, unsigned block_y,
                                    unsigned block_z, unsigned shared, cu_stream cursor,
                                    void **parameters);
};

/* Loads libcuda.so.1 for the life of the process. Returns SIMSM_FAILED if it is not installed. */
enum simsm_status gpu_driver_load(struct gpu_driver *driver, struct simsm_error *error);

/* Returns SIMSM_OK if `result` is 0, else SIMSM_FAILED with the error "what: CUDA_ERROR_...:
 * description". */
enum simsm_status gpu_check(const struct gpu_driver *driver, cu_result result, const char *what,
                            struct simsm_error *error);

#endif
