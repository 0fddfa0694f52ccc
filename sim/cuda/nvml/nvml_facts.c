/* What NVML tells of the device: constants, addresses, clocks, neighbours. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cuda/nvml/nvml_gpu.h"

enum { BUS_PCIE = 2 };

/* nvmlDeviceArchitecture_t; UINT32_MAX: none that NVML knows. */
static unsigned architecture_of(uint32_t compute_capability)
{
    static const struct {
        uint32_t from; /* compute capability */
        unsigned number;
    } row[] = {{100, 10}, {90, 9}, {89, 8}, {80, 7}, {75, 6}, {70, 5}, {60, 4}, {50, 3}, {30, 2}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        if (compute_capability >= row[i].from)
            return row[i].number;
    return UINT32_MAX;
}

/* Lanes for single precision, which NVIDIA calls cores. */
static unsigned cores_of(const struct simsm_config *config)
{
    const unsigned interval = config->ops[SIMSM_OP_FP32].interval;
    return config->gpu_sms * config->sm_sub_partitions * SIMSM_WARP_LANES /
           (interval ? interval : 1);
}

#define FACTS                                                                                      \
    const struct nvml_gpu *gpu;                                                                    \
    const int result = nvml_enter(device, to, &gpu);                                               \
    if (result)                                                                                    \
        return result;                                                                             \
    const struct properties *const P = &gpu->properties;                                           \
    const struct simsm_config *const CONFIG = &gpu->config;                                        \
    (void)P;                                                                                       \
    (void)CONFIG;
#define NUMBER(function, value)                                                                    \
    int function(void *device, unsigned *to);                                                      \
    int function(void *device, unsigned *to)                                                       \
    {                                                                                              \
        FACTS                                                                                      \
        *to = (unsigned)(value);                                                                   \
        return NVML_SUCCESS;                                                                       \
    }
#define PAIR(function, first, second)                                                              \
    int function(void *device, unsigned *to, unsigned *other);                                     \
    int function(void *device, unsigned *to, unsigned *other)                                      \
    {                                                                                              \
        FACTS                                                                                      \
        if (!other)                                                                                \
            return NVML_INVALID_ARGUMENT;                                                          \
        *to = (unsigned)(first);                                                                   \
        *other = (unsigned)(second);                                                               \
        return NVML_SUCCESS;                                                                       \
    }
#define TEXT(function, value)                                                                      \
    int function(void *device, char *to, unsigned size);                                           \
    int function(void *device, char *to, unsigned size)                                            \
    {                                                                                              \
        FACTS                                                                                      \
        return nvml_give_text(to, size, value);                                                    \
    }
#include "cuda/nvml/nvml_facts.def"

int nvmlDeviceGetPciInfo(void *device, struct nvml_pci *pci);
int nvmlDeviceGetPciInfo_v2(void *device, struct nvml_pci *pci);
int nvmlDeviceGetApplicationsClock(void *device, int clock, unsigned *mhz);
int nvmlDeviceGetDefaultApplicationsClock(void *device, int clock, unsigned *mhz);
int nvmlDeviceGetMaxCustomerBoostClock(void *device, int clock, unsigned *mhz);
int nvmlDeviceGetClock(void *device, int clock, int id, unsigned *mhz);
int nvmlDeviceGetGpuFabricInfoV(void *device, unsigned *info);
int nvmlDeviceOnSameBoard(void *a, void *b, int *same);
int nvmlDeviceGetTopologyCommonAncestor(void *a, void *b, int *level);
int nvmlDeviceGetTopologyNearestGpus(void *device, int level, unsigned *count, void **near);
int nvmlDeviceGetP2PStatus(void *a, void *b, int capability, int *status);

int nvmlDeviceGetUUID(void *device, char *text, unsigned size)
{
    const struct nvml_gpu *gpu;
    char uuid[PROPERTIES_UUID];
    const int result = nvml_enter(device, text, &gpu);
    if (result)
        return result;
    properties_uuid(&gpu->properties, uuid);
    return nvml_give_text(text, size, uuid);
}

/* Writes the first `size` bytes of struct nvml_pci. */
static int give_pci(const void *device, struct nvml_pci *to, size_t size)
{
    const struct nvml_gpu *gpu;
    const int result = nvml_enter(device, to, &gpu);
    if (result)
        return result;
    const struct properties *P = &gpu->properties;
    struct nvml_pci pci = {.domain = (unsigned)P->pciDomainID,
                           .bus = (unsigned)P->pciBusID,
                           .device = (unsigned)P->pciDeviceID,
                           .pciDeviceId = P->gpuPciDeviceID,
                           .pciSubSystemId = P->gpuPciSubsystemID};
    properties_bus_id(P, pci.busIdLegacy);
    (void)snprintf(pci.busId, sizeof pci.busId, "0000%s", pci.busIdLegacy);
    memcpy(to, &pci, size);
    return NVML_SUCCESS;
}

int nvmlDeviceGetPciInfo(void *device, struct nvml_pci *pci)
{
    return give_pci(device, pci, offsetof(struct nvml_pci, pciSubSystemId));
}

int nvmlDeviceGetPciInfo_v2(void *device, struct nvml_pci *pci)
{
    return give_pci(device, pci, offsetof(struct nvml_pci, busId));
}

int nvmlDeviceGetPciInfo_v3(void *device, struct nvml_pci *pci)
{
    return give_pci(device, pci, sizeof *pci);
}

/* A clock of the simulated GPU never changes: the current one is the highest and the default. */
int nvmlDeviceGetClockInfo(void *device, int clock, unsigned *mhz)
{
    const struct nvml_gpu *gpu;
    const int result = nvml_enter(device, mhz, &gpu);
    if (result)
        return result;
    if (clock < NVML_CLOCK_GRAPHICS || clock >= NVML_CLOCK_VIDEO)
        return clock == NVML_CLOCK_VIDEO ? NVML_NOT_SUPPORTED : NVML_INVALID_ARGUMENT;
    const int khz =
        clock == NVML_CLOCK_MEM ? gpu->properties.memoryClockRate : gpu->properties.clockRate;
    *mhz = (unsigned)khz / 1000;
    return NVML_SUCCESS;
}

int nvmlDeviceGetMaxClockInfo(void *device, int clock, unsigned *mhz)
{
    return nvmlDeviceGetClockInfo(device, clock, mhz);
}

int nvmlDeviceGetApplicationsClock(void *device, int clock, unsigned *mhz)
{
    return nvmlDeviceGetClockInfo(device, clock, mhz);
}

int nvmlDeviceGetDefaultApplicationsClock(void *device, int clock, unsigned *mhz)
{
    return nvmlDeviceGetClockInfo(device, clock, mhz);
}

int nvmlDeviceGetMaxCustomerBoostClock(void *device, int clock, unsigned *mhz)
{
    return nvmlDeviceGetClockInfo(device, clock, mhz);
}

int nvmlDeviceGetClock(void *device, int clock, int id, unsigned *mhz)
{
    enum { IDS = 4 }; /* current, target, default, highest */
    return id < 0 || id >= IDS ? NVML_INVALID_ARGUMENT : nvmlDeviceGetClockInfo(device, clock, mhz);
}

/* Gives a number in calls about two devices; there is one, which is both. */
static int give_of_pair(const void *a, const void *b, int *to, int value)
{
    const struct nvml_gpu *gpu;
    const int result = nvml_enter(a, to, &gpu);
    if (result || b != gpu)
        return result ? result : NVML_INVALID_ARGUMENT;
    *to = value;
    return NVML_SUCCESS;
}

int nvmlDeviceOnSameBoard(void *a, void *b, int *same)
{
    return give_of_pair(a, b, same, 1);
}

int nvmlDeviceGetTopologyCommonAncestor(void *a, void *b, int *level)
{
    return give_of_pair(a, b, level, 0); /* NVML_TOPOLOGY_INTERNAL: the same board */
}

/* A device is not its own peer. */
int nvmlDeviceGetP2PStatus(void *a, void *b, int capability, int *status)
{
    enum { P2P_NOT_SUPPORTED = 5 };
    (void)capability;
    return give_of_pair(a, b, status, P2P_NOT_SUPPORTED);
}

int nvmlDeviceGetTopologyNearestGpus(void *device, int level, unsigned *count, void **near)
{
    const struct nvml_gpu *gpu;
    const int result = nvml_enter(device, count, &gpu);
    (void)level;
    (void)near;
    if (!result)
        *count = 0;
    return result;
}

/*
 * A fabric joins GPUs of several hosts: there is none. The struct begins with its version, which
 * holds its size; zeros say that all is well and that a fabric is not supported.
 */
int nvmlDeviceGetGpuFabricInfoV(void *device, unsigned *info)
{
    enum { LEAST = 36, MOST = 40, FABRICS_SINCE = 9 };
    const struct nvml_gpu *gpu;
    const int result = nvml_enter(device, info, &gpu);
    if (result)
        return result;
    const size_t size = *info & 0xffffff;
    if (size < LEAST || size > MOST)
        return NVML_ARGUMENT_VERSION_MISMATCH;
    if (gpu->properties.major < FABRICS_SINCE)
        return NVML_NOT_SUPPORTED;
    memset(info + 1, 0, size - sizeof *info);
    return NVML_SUCCESS;
}
