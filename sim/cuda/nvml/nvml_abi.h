/*
 * Types that programs and NVML exchange, in our own definitions, and the functions that `simsm smi`
 * calls. A device is a void *.
 */
#ifndef SIM_CUDA_NVML_NVML_ABI_H
#define SIM_CUDA_NVML_NVML_ABI_H

#include <stdint.h>

/* nvmlReturn_t */
enum {
#define RESULT(name, number, text) NVML_##name = (number),
#include "cuda/nvml/nvml_errors.def"
#undef RESULT
};

enum nvml_clock { NVML_CLOCK_GRAPHICS, NVML_CLOCK_SM, NVML_CLOCK_MEM, NVML_CLOCK_VIDEO };

struct nvml_memory {
    unsigned long long total, free, used; /* bytes */
};

struct nvml_memory_2 {
    unsigned version; /* size of the struct, and 2 << 24 */
    unsigned long long total, reserved, free, used;
};

/* The versions of this struct are its beginnings: versions 1 and 2 end before pciSubSystemId and
 * before busId. */
struct nvml_pci {
    char busIdLegacy[16]; /* "0000:01:00.0" */
    unsigned domain, bus, device;
    unsigned pciDeviceId;
    unsigned pciSubSystemId;
    char busId[32]; /* "00000000:01:00.0" */
};

struct nvml_process_1 {
    unsigned pid;
    unsigned long long memory; /* bytes */
};

struct nvml_process {
    unsigned pid;
    unsigned long long memory; /* bytes */
    unsigned gpu_instance, compute_instance;
};

enum nvml_uuid_type { NVML_UUID_TEXT = 1, NVML_UUID_BYTES = 2 };
struct nvml_uuid {
    unsigned version;
    unsigned type; /* enum nvml_uuid_type */
    union {
        char text[41];
        uint8_t bytes[16];
    } as;
};

const char *nvmlErrorString(int result);
int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlSystemGetDriverVersion(char *text, unsigned size);
int nvmlSystemGetCudaDriverVersion(int *version);
int nvmlDeviceGetCount_v2(unsigned *count);
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device);
int nvmlDeviceGetHandleByUUID(const char *uuid, void **device);
int nvmlDeviceGetHandleByPciBusId_v2(const char *id, void **device);
int nvmlDeviceGetIndex(void *device, unsigned *index);
int nvmlDeviceGetName(void *device, char *text, unsigned size);
int nvmlDeviceGetUUID(void *device, char *text, unsigned size);
int nvmlDeviceGetPciInfo_v3(void *device, struct nvml_pci *pci);
int nvmlDeviceGetMemoryInfo_v2(void *device, struct nvml_memory_2 *memory);
int nvmlDeviceGetClockInfo(void *device, int clock, unsigned *mhz);
int nvmlDeviceGetMaxClockInfo(void *device, int clock, unsigned *mhz);
int nvmlDeviceGetCudaComputeCapability(void *device, unsigned *major, unsigned *minor);
int nvmlDeviceGetComputeMode(void *device, unsigned *mode);
int nvmlDeviceGetPersistenceMode(void *device, unsigned *mode);
int nvmlDeviceGetDisplayActive(void *device, unsigned *active);
int nvmlDeviceGetDisplayMode(void *device, unsigned *mode);
int nvmlDeviceGetEccMode(void *device, unsigned *current, unsigned *pending);
int nvmlDeviceGetMigMode(void *device, unsigned *current, unsigned *pending);

#endif
