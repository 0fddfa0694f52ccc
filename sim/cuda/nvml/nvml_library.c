/* NVML: its begin and end, versions, errors, and how programs find the device. */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cuda/device_choice.h"
#include "cuda/nvml/nvml_gpu.h"
#include "cuda/runtime.h"
#include "simsm/error.h"

int nvmlInit(void);
int nvmlInitWithFlags(unsigned flags);
int nvmlSystemGetNVMLVersion(char *text, unsigned size);
int nvmlSystemGetCudaDriverVersion_v2(int *version);
int nvmlDeviceGetCount(unsigned *count);
int nvmlDeviceGetHandleByIndex(unsigned index, void **device);
int nvmlDeviceGetHandleByUUIDV(const struct nvml_uuid *uuid, void **device);
int nvmlDeviceGetHandleByPciBusId(const char *id, void **device);
int nvmlUnitGetCount(unsigned *count);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects `users` and `gpu` */
static unsigned users; /* calls of nvmlInit without their nvmlShutdown */
static struct nvml_gpu gpu;

struct nvml_gpu *nvml_gpu(void)
{
    (void)pthread_mutex_lock(&lock);
    struct nvml_gpu *found = users ? &gpu : NULL;
    (void)pthread_mutex_unlock(&lock);
    return found;
}

int nvml_enter(const void *device, const void *out, const struct nvml_gpu **found)
{
    *found = nvml_gpu();
    if (!*found)
        return NVML_UNINITIALIZED;
    return device == *found && out ? NVML_SUCCESS : NVML_INVALID_ARGUMENT;
}

int nvml_give_text(char *to, unsigned size, const char *text)
{
    if (!to)
        return NVML_INVALID_ARGUMENT;
    if (size <= strlen(text))
        return NVML_INSUFFICIENT_SIZE;
    memcpy(to, text, strlen(text) + 1);
    return NVML_SUCCESS;
}

/* Reads the GPU's facts from the environment. Returns whether there is a GPU. */
static bool read_gpu(void)
{
    struct simsm_error error;
    char text[1100];
    if (device_choice_read(&gpu.settings, &gpu.config, &error) == SIMSM_OK) {
        properties_fill(&gpu.config, gpu.settings.device_memory, &gpu.properties);
        return true;
    }
    (void)fprintf(stderr, "simsm: %s\n", simsm_error_text(&error, text, sizeof text));
    return false;
}

int nvmlInit_v2(void)
{
    (void)pthread_mutex_lock(&lock);
    const bool found = users || read_gpu();
    users += found;
    (void)pthread_mutex_unlock(&lock);
    return found ? NVML_SUCCESS : NVML_DRIVER_NOT_LOADED;
}

int nvmlInit(void)
{
    return nvmlInit_v2();
}

int nvmlInitWithFlags(unsigned flags)
{
    (void)flags;
    return nvmlInit_v2();
}

int nvmlShutdown(void)
{
    (void)pthread_mutex_lock(&lock);
    const bool used = users != 0;
    users -= used;
    (void)pthread_mutex_unlock(&lock);
    return used ? NVML_SUCCESS : NVML_UNINITIALIZED;
}

const char *nvmlErrorString(int result)
{
    switch (result) {
#define RESULT(name, number, text)                                                                 \
    case number:                                                                                   \
        return text;
#include "cuda/nvml/nvml_errors.def"
#undef RESULT
    default:
        return nvmlErrorString(NVML_UNKNOWN);
    }
}

int nvmlSystemGetDriverVersion(char *text, unsigned size)
{
    return nvml_gpu() ? nvml_give_text(text, size, RT_DRIVER_RELEASE) : NVML_UNINITIALIZED;
}

int nvmlSystemGetNVMLVersion(char *text, unsigned size)
{
    return nvml_gpu() ? nvml_give_text(text, size, "13." RT_DRIVER_RELEASE) : NVML_UNINITIALIZED;
}

/* Works without nvmlInit, as NVIDIA's documentation says. */
int nvmlSystemGetCudaDriverVersion(int *version)
{
    if (!version)
        return NVML_INVALID_ARGUMENT;
    *version = RT_DRIVER_VERSION;
    return NVML_SUCCESS;
}

int nvmlSystemGetCudaDriverVersion_v2(int *version)
{
    return nvmlSystemGetCudaDriverVersion(version);
}

/* Gives a count, in calls that need no device. */
static int give_count(unsigned *count, unsigned value)
{
    if (!nvml_gpu())
        return NVML_UNINITIALIZED;
    if (!count)
        return NVML_INVALID_ARGUMENT;
    *count = value;
    return NVML_SUCCESS;
}

int nvmlDeviceGetCount_v2(unsigned *count)
{
    return give_count(count, 1);
}

int nvmlDeviceGetCount(unsigned *count)
{
    return give_count(count, 1);
}

/* Units are boxes of several GPUs. */
int nvmlUnitGetCount(unsigned *count)
{
    return give_count(count, 0);
}

/* Gives the device if it is the one that is meant; `otherwise` is the result if not. */
static int give_device(void **device, bool meant, int otherwise)
{
    if (!meant)
        return otherwise;
    *device = &gpu;
    return NVML_SUCCESS;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device)
{
    const struct nvml_gpu *found;
    const int result = nvml_enter(&gpu, device, &found);
    return result ? result : give_device(device, index == 0, NVML_INVALID_ARGUMENT);
}

int nvmlDeviceGetHandleByIndex(unsigned index, void **device)
{
    return nvmlDeviceGetHandleByIndex_v2(index, device);
}

int nvmlDeviceGetHandleByUUID(const char *uuid, void **device)
{
    const struct nvml_gpu *found;
    char own[PROPERTIES_UUID];
    const int result = nvml_enter(&gpu, device, &found);
    if (result || !uuid)
        return result ? result : NVML_INVALID_ARGUMENT;
    properties_uuid(&found->properties, own);
    return give_device(device, strcasecmp(uuid, own) == 0, NVML_NOT_FOUND);
}

int nvmlDeviceGetHandleByUUIDV(const struct nvml_uuid *uuid, void **device)
{
    const struct nvml_gpu *found;
    const int result = nvml_enter(&gpu, device, &found);
    if (result || !uuid)
        return result ? result : NVML_INVALID_ARGUMENT;
    if (uuid->version != (sizeof *uuid | 1U << 24))
        return NVML_ARGUMENT_VERSION_MISMATCH;
    if (uuid->type == NVML_UUID_TEXT)
        return nvmlDeviceGetHandleByUUID(uuid->as.text, device);
    const bool same =
        memcmp(uuid->as.bytes, found->properties.uuid, sizeof found->properties.uuid) == 0;
    return uuid->type == NVML_UUID_BYTES ? give_device(device, same, NVML_NOT_FOUND)
                                         : NVML_INVALID_ARGUMENT;
}

/*
 * Reads "domain:bus:device.function"; domain and function may be left out, and are 0 then. Returns
 * false if it is none.
 */
static bool read_bus_id(const char *id, unsigned long part[4])
{
    enum { DEVICE = 2, FUNCTION = 3 };
    const size_t colons = (size_t)(strchr(id, ':') != NULL) + (strchr(id, ':') != strrchr(id, ':'));
    char *end;
    memset(part, 0, 4 * sizeof *part);
    for (size_t i = DEVICE - colons; colons && i <= FUNCTION; i++) {
        part[i] = strtoul(id, &end, 16);
        if (end == id)
            return false;
        if (*end != (i < DEVICE ? ':' : '.'))
            return i >= DEVICE && *end == '\0';
        id = end + 1;
    }
    return false;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *id, void **device)
{
    const struct nvml_gpu *found;
    unsigned long part[4];
    const int result = nvml_enter(&gpu, device, &found);
    if (result)
        return result;
    if (!id || !read_bus_id(id, part) || part[3])
        return NVML_INVALID_ARGUMENT;
    const struct properties *properties = &found->properties;
    return give_device(device,
                       part[0] == (unsigned long)properties->pciDomainID &&
                           part[1] == (unsigned long)properties->pciBusID &&
                           part[2] == (unsigned long)properties->pciDeviceID,
                       NVML_NOT_FOUND);
}

int nvmlDeviceGetHandleByPciBusId(const char *id, void **device)
{
    return nvmlDeviceGetHandleByPciBusId_v2(id, device);
}
