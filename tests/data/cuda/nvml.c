/*
 * What a monitor asks NVML about the GPU, before and while the program itself uses it. NVML starts
 * no device: a child of a fork may use it after its parent has asked.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct memory {
    unsigned version;
    unsigned long long total, reserved, free, used;
};

struct pci {
    char old_id[16];
    unsigned domain, bus, device, ids, subsystem;
    char id[32];
};

struct process {
    unsigned pid;
    unsigned long long memory;
    unsigned instance[2];
};

int nvmlInit_v2(void);
int nvmlShutdown(void);
const char *nvmlErrorString(int result);
int nvmlSystemGetCudaDriverVersion(int *version);
int nvmlSystemGetDriverVersion(char *text, unsigned size);
int nvmlDeviceGetCount_v2(unsigned *count);
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device);
int nvmlDeviceGetHandleByUUID(const char *uuid, void **device);
int nvmlDeviceGetHandleByPciBusId_v2(const char *id, void **device);
int nvmlDeviceGetName(void *device, char *text, unsigned size);
int nvmlDeviceGetUUID(void *device, char *text, unsigned size);
int nvmlDeviceGetPciInfo_v2(void *device, struct pci *pci);
int nvmlDeviceGetPciInfo_v3(void *device, struct pci *pci);
int nvmlDeviceGetMemoryInfo_v2(void *device, struct memory *memory);
int nvmlDeviceGetClockInfo(void *device, int clock, unsigned *mhz);
int nvmlDeviceGetCudaComputeCapability(void *device, int *major, int *minor);
int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, struct process *list);
int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *celsius);
int cuInit(unsigned flags);
int cuMemAlloc_v2(uint64_t *pointer, size_t size);
int cuMemGetInfo_v2(size_t *left, size_t *all);
int cuDeviceGetPCIBusId(char *id, int size, int device);
int cuDeviceGetUuid_v2(void *uuid, int device);

static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: %s\n", __LINE__, #condition);                                         \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

enum { NOT_INITIALIZED = 1, INVALID = 2, UNSUPPORTED = 3, UNKNOWN_DEVICE = 6, TOO_SMALL = 7 };

static void find_device(void **device)
{
    unsigned count = 0;
    char uuid[96], name[64];
    struct pci pci;
    void *same = NULL;
    CHECK(nvmlDeviceGetCount_v2(&count) == NOT_INITIALIZED && nvmlShutdown() == NOT_INITIALIZED);
    CHECK(nvmlInit_v2() == 0 && nvmlInit_v2() == 0 && nvmlShutdown() == 0);
    CHECK(nvmlDeviceGetCount_v2(&count) == 0 && count == 1);
    CHECK(nvmlDeviceGetHandleByIndex_v2(0, device) == 0);
    CHECK(nvmlDeviceGetHandleByIndex_v2(1, &same) == INVALID);
    CHECK(nvmlDeviceGetUUID(*device, uuid, 8) == TOO_SMALL);
    CHECK(nvmlDeviceGetUUID(*device, uuid, sizeof uuid) == 0 && strlen(uuid) == 40);
    CHECK(nvmlDeviceGetHandleByUUID(uuid, &same) == 0 && same == *device);
    CHECK(nvmlDeviceGetHandleByUUID("GPU-0", &same) == UNKNOWN_DEVICE);
    CHECK(nvmlDeviceGetPciInfo_v3(*device, &pci) == 0 && strcmp(pci.id, "00000000:01:00.0") == 0);
    CHECK(nvmlDeviceGetHandleByPciBusId_v2(pci.id, &same) == 0 && same == *device);
    CHECK(nvmlDeviceGetHandleByPciBusId_v2("0000:02:00.0", &same) == UNKNOWN_DEVICE);
    CHECK(nvmlDeviceGetHandleByPciBusId_v2("1:0", &same) == 0 && same == *device);
    CHECK(nvmlDeviceGetHandleByPciBusId_v2("0000:01:00.1", &same) == INVALID);
    CHECK(nvmlDeviceGetHandleByPciBusId_v2("02", &same) == INVALID);
    CHECK(nvmlDeviceGetName(&count, name, sizeof name) == INVALID);
    CHECK(nvmlDeviceGetName(*device, name, sizeof name) == 0 && strcmp(name, "Tesla T4") == 0);
    memset(&pci, 'x', sizeof pci); /* version 2 ends before the last member */
    CHECK(nvmlDeviceGetPciInfo_v2(*device, &pci) == 0 && pci.bus == 1 && pci.id[0] == 'x');
}

static void check_facts(void *device)
{
    unsigned mhz = 0, celsius;
    int major, minor, version;
    char release[80];
    CHECK(nvmlSystemGetCudaDriverVersion(&version) == 0 && version == 13000);
    CHECK(nvmlSystemGetDriverVersion(release, sizeof release) == 0);
    CHECK(nvmlDeviceGetCudaComputeCapability(device, &major, &minor) == 0);
    CHECK(major == 7 && minor == 5);
    CHECK(nvmlDeviceGetClockInfo(device, 1, &mhz) == 0 && mhz > 500 && mhz < 3000);
    CHECK(nvmlDeviceGetClockInfo(device, 3, &mhz) == UNSUPPORTED);
    CHECK(nvmlDeviceGetTemperature(device, 0, &celsius) == UNSUPPORTED);
    CHECK(strcmp(nvmlErrorString(UNSUPPORTED), "Not Supported") == 0);
    CHECK(strcmp(nvmlErrorString(12345), "Unknown Error") == 0);
}

static unsigned long long used(void *device)
{
    struct memory memory = {.version = sizeof memory | 2U << 24}, wrong = {.version = 1};
    CHECK(nvmlDeviceGetMemoryInfo_v2(device, &wrong) == 25);
    CHECK(nvmlDeviceGetMemoryInfo_v2(device, &memory) == 0);
    CHECK(memory.total == 1ULL << 30 && memory.free == memory.total - memory.used);
    return memory.used;
}

/* Uses the device; NVML says as much as the driver does. */
static void use_device(void *device)
{
    uint64_t pointer;
    size_t left = 0, all = 0;
    unsigned count = 0;
    struct process process[2];
    char id[16];
    struct pci pci;
    CHECK(used(device) == 0);
    CHECK(nvmlDeviceGetComputeRunningProcesses_v3(device, &count, NULL) == 0 && count == 0);
    CHECK(cuInit(0) == 0 && cuMemAlloc_v2(&pointer, 3 << 20) == 0);
    CHECK(cuMemGetInfo_v2(&left, &all) == 0);
    CHECK(used(device) >= 3 << 20 && used(device) == all - left);
    CHECK(nvmlDeviceGetComputeRunningProcesses_v3(device, &count, NULL) == TOO_SMALL && count == 1);
    count = 2;
    CHECK(nvmlDeviceGetComputeRunningProcesses_v3(device, &count, process) == 0 && count == 1);
    CHECK(process[0].pid == (unsigned)getpid() && process[0].memory == all - left);
    CHECK(cuDeviceGetPCIBusId(id, sizeof id, 0) == 0);
    CHECK(nvmlDeviceGetPciInfo_v3(device, &pci) == 0 && strcmp(id, pci.old_id) == 0);
}

int main(void)
{
    void *device = NULL;
    int status = -1;
    find_device(&device);
    check_facts(device);
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        use_device(device);
        (void)fflush(stdout);
        return failures != 0;
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(used(device) == 0); /* each process has memory of its own */
    CHECK(nvmlShutdown() == 0);
    printf("%s nvml\n", failures ? "FAIL" : "PASS");
    return failures != 0;
}
