/*
 * Memory and events that another process opens: what is opened and refused, what both see, and what
 * is left when the process ends that has created them. The expectations are those of an H200 with
 * driver 580.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct handle {
    char bytes[64];
};

int cuInit(unsigned flags);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxSetCurrent(void *context);
int cuCtxSynchronize(void);
int cuMemAlloc_v2(uint64_t *pointer, size_t size);
int cuMemAllocManaged(uint64_t *pointer, size_t size, unsigned flags);
int cuMemAllocAsync(uint64_t *pointer, size_t size, void *stream);
int cuMemHostAlloc(void **pointer, size_t size, unsigned flags);
int cuMemFree_v2(uint64_t pointer);
int cuMemcpyHtoD_v2(uint64_t dst, const void *src, size_t size);
int cuMemcpyDtoH_v2(void *dst, uint64_t src, size_t size);
int cuMemsetD32_v2(uint64_t dst, unsigned value, size_t count);
int cuMemGetAddressRange_v2(uint64_t *base, size_t *size, uint64_t pointer);
int cuPointerGetAttribute(void *value, int attribute, uint64_t pointer);
int cuEventCreate(void **event, unsigned flags);
int cuEventDestroy_v2(void *event);
int cuEventRecord(void *event, void *stream);
int cuEventQuery(void *event);
int cuEventSynchronize(void *event);
int cuEventElapsedTime(float *ms, void *from, void *to);
int cuStreamWaitEvent(void *stream, void *event, unsigned flags);
int cuIpcGetMemHandle(struct handle *handle, uint64_t pointer);
int cuIpcOpenMemHandle_v2(uint64_t *pointer, struct handle handle, unsigned flags);
int cuIpcCloseMemHandle(uint64_t pointer);
int cuMemAddressFree(uint64_t address, size_t size);
int cuIpcGetEventHandle(struct handle *handle, void *event);
int cuIpcOpenEventHandle(void **event, struct handle handle);

static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: %s\n", __LINE__, #condition);                                         \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

enum { INVALID_VALUE = 1, INVALID_CONTEXT = 201, MAP_FAILED = 205, INVALID_HANDLE = 400 };
enum { LARGE = 6 << 20, SMALL = 1000, LAZY_PEER = 1, GRANULE = 2 << 20 };
enum { DISABLE_TIMING = 2, INTERPROCESS = 4 };
enum { IS_IPC_CAPABLE = 10, RANGE_START, RANGE_SIZE };

/* What the exporter sends. */
struct offer {
    struct handle large, small, event;
};

static int value_at(uint64_t pointer)
{
    int value = -1;
    return cuMemcpyDtoH_v2(&value, pointer, sizeof value) ? -1 : value;
}

static int attribute_of(uint64_t pointer, int attribute)
{
    uint64_t value = 0;
    return cuPointerGetAttribute(&value, attribute, pointer) ? -1 : (int)value;
}

static void start(void)
{
    void *context;
    CHECK(cuInit(0) == 0 && cuDevicePrimaryCtxRetain(&context, 0) == 0);
    CHECK(cuCtxSetCurrent(context) == 0);
}

/* One word at a time goes between the processes: it is the other one's turn. */
static void turn(int to)
{
    CHECK(write(to, "t", 1) == 1);
}

static int await_turn(int from)
{
    char word;
    return (int)read(from, &word, 1);
}

static void refuse_to_export(uint64_t large)
{
    struct handle handle;
    uint64_t pointer = 0;
    void *event = NULL, *host = NULL;
    CHECK(cuIpcGetMemHandle(NULL, large) == INVALID_VALUE);
    CHECK(cuIpcGetMemHandle(&handle, 0) == INVALID_VALUE);
    CHECK(cuIpcGetMemHandle(&handle, (uintptr_t)&handle) == INVALID_VALUE);
    CHECK(cuMemAllocManaged(&pointer, LARGE, 1) == 0);
    CHECK(cuIpcGetMemHandle(&handle, pointer) == INVALID_VALUE);
    CHECK(cuMemAllocAsync(&pointer, LARGE, NULL) == 0);
    CHECK(cuIpcGetMemHandle(&handle, pointer) == INVALID_VALUE);
    CHECK(cuMemHostAlloc(&host, SMALL, 0) == 0);
    CHECK(cuIpcGetMemHandle(&handle, (uintptr_t)host) == INVALID_VALUE);
    CHECK(cuEventCreate(&event, INTERPROCESS) == INVALID_VALUE);
    CHECK(cuEventCreate(&event, DISABLE_TIMING) == 0);
    CHECK(cuIpcGetEventHandle(&handle, event) == INVALID_HANDLE);
    CHECK(cuIpcGetEventHandle(NULL, event) == INVALID_VALUE);
    CHECK(cuIpcCloseMemHandle(large) == INVALID_VALUE);
}

static void refuse_own(const struct offer *offer)
{
    uint64_t pointer;
    void *event;
    CHECK(cuIpcOpenMemHandle_v2(&pointer, offer->large, LAZY_PEER) == INVALID_CONTEXT);
    CHECK(cuIpcOpenEventHandle(&event, offer->event) == INVALID_CONTEXT);
}

static void export(int from, int to)
{
    uint64_t large, small, neighbour;
    void *event;
    struct offer offer;
    struct handle again;
    const int first = 42;
    start();
    CHECK(cuMemAlloc_v2(&large, LARGE) == 0 && cuMemAlloc_v2(&small, SMALL) == 0);
    CHECK(cuMemAlloc_v2(&neighbour, SMALL) == 0);
    CHECK(cuMemcpyHtoD_v2(large + 400, &first, sizeof first) == 0);
    CHECK(cuMemsetD32_v2(neighbour, 5, 1) == 0);
    CHECK(cuEventCreate(&event, DISABLE_TIMING | INTERPROCESS) == 0);
    CHECK(attribute_of(large, IS_IPC_CAPABLE) == 1);
    CHECK(cuIpcGetMemHandle(&offer.large, large) == 0);
    CHECK(cuIpcGetMemHandle(&offer.small, small) == 0);
    CHECK(cuIpcGetMemHandle(&again, large + 4096) == 0); /* of the allocation */
    CHECK(memcmp(&again, &offer.large, sizeof again) == 0);
    CHECK(cuIpcGetMemHandle(&again, neighbour) == 0 && value_at(neighbour) == 5);
    CHECK(cuIpcGetEventHandle(&offer.event, event) == 0);
    refuse_to_export(large);
    refuse_own(&offer);
    CHECK(cuMemsetD32_v2(small, 7, 1) == 0 && cuEventRecord(event, NULL) == 0);
    CHECK(write(to, &offer, sizeof offer) == (ssize_t)sizeof offer);
    CHECK(await_turn(from) == 1);
    CHECK(value_at(large + 800) == 77 && value_at(neighbour) == 5);
    CHECK(cuMemFree_v2(small) == 0 && cuEventDestroy_v2(event) == 0);
    CHECK(cuMemFree_v2(neighbour) == 0); /* with which a GPU ends what `small` was part of */
    turn(to);
    CHECK(await_turn(from) == 1);
}

static void import_events(const struct offer *offer)
{
    void *event, *second;
    struct handle handle;
    float ms;
    CHECK(cuIpcOpenEventHandle(&event, offer->event) == 0);
    CHECK(cuIpcOpenEventHandle(&second, offer->event) == 0 && event != second);
    CHECK(cuEventQuery(event) == 0 && cuEventSynchronize(event) == 0);
    CHECK(cuStreamWaitEvent(NULL, event, 0) == 0 && cuEventRecord(event, NULL) == 0);
    CHECK(cuEventElapsedTime(&ms, event, second) == INVALID_HANDLE);
    CHECK(cuIpcGetEventHandle(&handle, event) == INVALID_HANDLE);
    CHECK(cuEventDestroy_v2(event) == 0 && cuEventDestroy_v2(second) == 0);
}

static void refuse_to_open(const struct offer *offer)
{
    const struct handle zero = {{0}};
    uint64_t pointer;
    void *event;
    CHECK(cuIpcOpenMemHandle_v2(&pointer, offer->large, 0) == INVALID_VALUE);
    CHECK(cuIpcOpenMemHandle_v2(&pointer, zero, LAZY_PEER) == INVALID_VALUE);
    CHECK(cuIpcOpenMemHandle_v2(&pointer, offer->event, LAZY_PEER) == INVALID_VALUE);
    CHECK(cuIpcOpenEventHandle(&event, zero) == MAP_FAILED);
    CHECK(cuIpcOpenEventHandle(&event, offer->large) == MAP_FAILED);
}

/* Opens it twice, closes it twice; the address is reachable until the second time. */
static void count(const struct offer *offer)
{
    uint64_t first, second;
    CHECK(cuIpcOpenMemHandle_v2(&first, offer->large, LAZY_PEER) == 0);
    CHECK(cuIpcOpenMemHandle_v2(&second, offer->large, LAZY_PEER) == 0 && first == second);
    CHECK(cuIpcCloseMemHandle(first + 4) == INVALID_VALUE);
    CHECK(cuIpcCloseMemHandle(first) == 0 && value_at(first + 400) == 42);
    CHECK(cuIpcCloseMemHandle(first) == 0);
    CHECK(cuMemcpyDtoH_v2(&second, first + 400, 4) == INVALID_VALUE);
    CHECK(cuIpcCloseMemHandle(first) == INVALID_VALUE);
}

static void use(uint64_t large, uint64_t small)
{
    uint64_t base = 0;
    size_t size = 0;
    struct handle handle;
    CHECK(cuMemGetAddressRange_v2(&base, &size, large + 100) == 0);
    CHECK(base == large && size == LARGE);
    CHECK(cuMemGetAddressRange_v2(&base, &size, small) == 0 && base == small && size == SMALL);
    CHECK(attribute_of(large, RANGE_SIZE) == LARGE && attribute_of(large, IS_IPC_CAPABLE) == 0);
    CHECK(value_at(large + 400) == 42 && value_at(large + 404) == 0 && value_at(small) == 7);
    CHECK(cuMemsetD32_v2(large + 800, 77, 1) == 0 && cuCtxSynchronize() == 0);
    CHECK(cuMemFree_v2(large) == INVALID_VALUE);
    CHECK(cuIpcGetMemHandle(&handle, large) == INVALID_VALUE);
}

/* Opens memory until its process has ended, which takes a moment after the process's last word. */
static int await_end(const struct handle *handle)
{
    const struct timespec moment = {.tv_nsec = 10 * 1000 * 1000};
    uint64_t pointer;
    int result = 0;
    for (int i = 0; i < 1000 && result == 0; i++) {
        result = cuIpcOpenMemHandle_v2(&pointer, *handle, LAZY_PEER);
        if (result == 0) {
            (void)cuIpcCloseMemHandle(pointer);
            (void)nanosleep(&moment, NULL);
        }
    }
    return result;
}

static void import(int from, int to)
{
    struct offer offer;
    uint64_t large = 0, small = 0;
    start();
    CHECK(read(from, &offer, sizeof offer) == (ssize_t)sizeof offer);
    refuse_to_open(&offer);
    count(&offer);
    CHECK(cuIpcOpenMemHandle_v2(&large, offer.large, LAZY_PEER) == 0);
    CHECK(cuIpcOpenMemHandle_v2(&small, offer.small, LAZY_PEER) == 0);
    CHECK(cuMemAddressFree(large / GRANULE * GRANULE, LARGE) == INVALID_VALUE); /* not reserved */
    use(large, small);
    import_events(&offer);
    turn(to);
    CHECK(await_turn(from) == 1); /* the exporter has freed `small` */
    CHECK(cuIpcCloseMemHandle(small) == 0);
    CHECK(cuIpcOpenMemHandle_v2(&small, offer.small, LAZY_PEER) == INVALID_VALUE);
    CHECK(cuMemsetD32_v2(large + 1200, 78, 1) == 0);
    turn(to);
    CHECK(await_turn(from) == 0); /* the exporter has ended */
    CHECK(value_at(large + 400) == 42 && value_at(large + 1200) == 78);
    CHECK(cuIpcCloseMemHandle(large) == 0);
    CHECK(await_end(&offer.large) == INVALID_HANDLE);
}

/* Starts this program as exporter or importer; it uses two of the ends of pipes. */
static pid_t start_role(const char *role, int from, int to, const int other[2])
{
    const pid_t child = fork();
    if (child)
        return child;
    char in[16], out[16];
    (void)snprintf(in, sizeof in, "%d", from);
    (void)snprintf(out, sizeof out, "%d", to);
    (void)close(other[0]);
    (void)close(other[1]);
    (void)execl("/proc/self/exe", "ipc", role, in, out, (char *)NULL);
    _exit(127);
}

int main(int count_of, char **argument)
{
    if (count_of == 4) {
        const int from = atoi(argument[2]), to = atoi(argument[3]);
        if (strcmp(argument[1], "export") == 0)
            export(from, to);
        else
            import(from, to);
        return failures != 0;
    }
    int there[2], back[2], status;
    CHECK(pipe(there) == 0 && pipe(back) == 0);
    CHECK(start_role("export", back[0], there[1], (int[]){there[0], back[1]}) > 0);
    CHECK(start_role("import", there[0], back[1], (int[]){there[1], back[0]}) > 0);
    (void)close(there[0]);
    (void)close(there[1]);
    (void)close(back[0]);
    (void)close(back[1]);
    for (int i = 0; i < 2; i++) {
        CHECK(wait(&status) > 0);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    if (!failures)
        printf("PASS ipc\n");
    return failures != 0;
}
