/* A program on the driver API alone; its argument is a cubin, a fatbin or PTX with vecadd. */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int cuInit(unsigned flags);
int cuDeviceGet(int *device, int ordinal);
int cuDeviceGetCount(int *count);
int cuDeviceGetName(char *name, int size, int device);
int cuDeviceGetAttribute(int *value, int attribute, int device);
int cuDeviceComputeCapability(int *major, int *minor, int device);
int cuDeviceTotalMem_v2(size_t *bytes, int device);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxCreate_v2(void **context, unsigned flags, int device);
int cuCtxCreate_v4(void **context, void *parameters, unsigned flags, int device);
int cuCtxGetCurrent(void **context);
int cuCtxPopCurrent_v2(void **context);
int cuCtxPushCurrent_v2(void *context);
int cuCtxSetCurrent(void *context);
int cuCtxGetFlags(unsigned *flags);
int cuCtxDestroy_v2(void *context);
int cuCtxSynchronize(void);
int cuModuleLoad(void **module, const char *path);
int cuModuleLoadData(void **module, const void *image);
int cuModuleUnload(void *module);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuModuleGetGlobal_v2(uint64_t *address, size_t *size, void *module, const char *name);
int cuMemAlloc_v2(uint64_t *pointer, size_t size);
int cuMemFree_v2(uint64_t pointer);
int cuMemcpyHtoD_v2(uint64_t dst, const void *src, size_t size);
int cuMemcpyDtoH_v2(void *dst, uint64_t src, size_t size);
int cuMemsetD32_v2(uint64_t dst, unsigned value, size_t count);
int cuMemsetD16_v2(uint64_t dst, unsigned short value, size_t count);
int cuFuncGetAttribute(int *value, int attribute, void *function);
int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                   void *stream, void **parameters, void **extra);
int cuStreamCreate(void **stream, unsigned flags);
int cuEventCreate(void **event, unsigned flags);
int cuStreamSynchronize(void *stream);
int cuEventRecord(void *event, void *stream);
int cuEventElapsedTime_v2(float *ms, void *from, void *to);
int cuGetErrorName(int error, const char **name);
int cuGetErrorString(int error, const char **text);
int cuGetProcAddress_v2(const char *name, void **function, int version, unsigned long long flags,
                        int *status);
int cuGetProcAddress(const char *name, void **function, int version, unsigned long long flags);
int cuCtxCreate_v3(void **context, void *affinity, int count, unsigned flags, int device);
int cuCtxSynchronize_v2(void *context);
int cuMulticastCreate(void);
int cuGetExportTable(const void **table, const void *id);
int cuStreamGetId(void *stream, unsigned long long *id);
int cuCtxSetFlags(unsigned flags);
int cuCtxRecordEvent(void *context, void *event);
int cuCtxWaitEvent(void *context, void *event);
int cuFuncGetModule(void **module, void *function);
int cuDeviceGetProperties(int *properties, int device);
int cuDeviceGetTexture1DLinearMaxWidth(size_t *width, int format, unsigned channels, int device);
int cuMemcpyBatchAsync_v2(const uint64_t *dst, const uint64_t *src, const size_t *size,
                          size_t count, const void *attributes, const size_t *index, size_t kinds,
                          void *stream);
int cuMemGetDefaultMemPool(void **pool, const int *location, int type);
int cuMemSetMemPool(const int *location, int type, void *pool);
int cuMemcpy2D_v2(const void *copy);

static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: %s\n", __LINE__, #condition);                                         \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

enum { N = 1000 };

static void check_device(void)
{
    int count = 0, device = -1, major = 0, minor = 0, warp = 0;
    char name[8];
    size_t bytes = 0;
    CHECK(cuInit(0) == 0 && cuInit(1) == 1);
    CHECK(cuDeviceGetCount(&count) == 0 && count == 1);
    CHECK(cuDeviceGet(&device, 0) == 0 && device == 0 && cuDeviceGet(&count, 1) == 101);
    CHECK(cuDeviceGetName(name, sizeof name, 0) == 0 && strcmp(name, "Tesla T") == 0);
    CHECK(cuDeviceComputeCapability(&major, &minor, 0) == 0 && major == 7 && minor == 5);
    CHECK(cuDeviceGetAttribute(&warp, 10, 0) == 0 && warp == 32);
    CHECK(cuDeviceTotalMem_v2(&bytes, 0) == 0 && bytes > 1 << 30);
}

/*
 * What cuBLAS asks a table of functions without names: the stream that a handle stands for (entry
 * 51), and its number (entry 39). An H200 with driver 580 answers so.
 */
static void check_stream_entries(void)
{
    static const unsigned char id[16] = {0x21, 0x31, 0x8c, 0x60, 0x97, 0x14, 0x32, 0x48,
                                         0x8c, 0xa6, 0x41, 0xff, 0x73, 0x24, 0xc8, 0xf2};
    typedef int resolve_fn(void *context, void *stream, void **found, int per_thread);
    typedef int number_fn(void *context, void *stream, unsigned long long *number);
    void *const *table = NULL, *context = NULL, *stream = NULL, *found = NULL;
    resolve_fn *resolve;
    number_fn *number;
    CHECK(cuDevicePrimaryCtxRetain(&context, 0) == 0 && cuCtxSetCurrent(context) == 0);
    CHECK(cuStreamCreate(&stream, 0) == 0 && cuGetExportTable((const void **)&table, id) == 0);
    memcpy(&resolve, &table[51], sizeof resolve);
    memcpy(&number, &table[39], sizeof number);
    void *const asked[] = {NULL, NULL, (void *)1, (void *)2, stream};
    void *const meant[] = {(void *)1, (void *)2, (void *)1, (void *)2, stream};
    for (int i = 0; i < 5; i++) {
        unsigned long long got = 0, expected = 1;
        CHECK(resolve(context, asked[i], &found, i == 1) == 0);
        CHECK(number(context, found, &got) == 0 && cuStreamGetId(meant[i], &expected) == 0);
        CHECK(got == expected);
    }
}

static int is_current(const void *context)
{
    void *now = NULL;
    return cuCtxGetCurrent(&now) == 0 && now == context;
}

static void *destroy(void *context)
{
    CHECK(cuCtxDestroy_v2(context) == 0);
    return NULL;
}

/* The thread's stack is as before afterwards. */
static void check_contexts(void)
{
    void *before, *primary, *a, *b, *c;
    unsigned flags = 0;
    pthread_t thread;
    CHECK(cuCtxGetCurrent(&before) == 0 && cuDevicePrimaryCtxRetain(&primary, 0) == 0);
    CHECK(cuCtxCreate_v2(&c, 0, 0) == 0 && cuCtxPopCurrent_v2(NULL) == 0 && is_current(before));
    CHECK(cuCtxCreate_v2(&a, 8, 0) == 0 && cuCtxCreate_v2(&b, 0, 0) == 0);
    CHECK(cuCtxPushCurrent_v2(a) == 0 && cuCtxPushCurrent_v2(a) == 0);
    CHECK(cuCtxGetFlags(&flags) == 0 && flags == 8);
    CHECK(cuCtxDestroy_v2(c) == 0 && cuCtxDestroy_v2(c) == 201 && cuCtxPushCurrent_v2(c) == 201);
    CHECK(cuCtxPopCurrent_v2(NULL) == 0 && is_current(a)); /* pushed twice */
    CHECK(cuCtxPushCurrent_v2(primary) == 0 && is_current(primary));
    CHECK(cuCtxPopCurrent_v2(NULL) == 0 && is_current(a));
    CHECK(cuCtxSetCurrent(c) == 201 && is_current(a));
    CHECK(cuCtxSetCurrent(primary) == 0 && cuCtxPopCurrent_v2(NULL) == 0 && is_current(b));
    CHECK(pthread_create(&thread, NULL, destroy, b) == 0 && pthread_join(thread, NULL) == 0);
    CHECK(is_current(b) && cuCtxGetFlags(&flags) == 709 && cuCtxPopCurrent_v2(NULL) == 0);
    CHECK(is_current(a) && cuCtxDestroy_v2(a) == 0 && is_current(before));
}

static void check_launch(void *function, int by_buffer)
{
    static float a[N], b[N], c[N];
    uint64_t device[3];
    int n = N;
    for (int i = 0; i < N; i++) {
        a[i] = (float)i;
        b[i] = (float)(2 * i);
    }
    for (int i = 0; i < 3; i++)
        CHECK(cuMemAlloc_v2(&device[i], sizeof a) == 0);
    CHECK(cuMemcpyHtoD_v2(device[0], a, sizeof a) == 0);
    CHECK(cuMemcpyHtoD_v2(device[1], b, sizeof b) == 0);
    void *parameters[] = {&device[0], &device[1], &device[2], &n};
    struct {
        uint64_t pointer[3];
        int n;
    } buffer = {{device[0], device[1], device[2]}, N};
    size_t size = sizeof buffer;
    void *extra[] = {(void *)1, &buffer, (void *)2, &size, (void *)0};
    CHECK(cuLaunchKernel(function, (N + 127) / 128, 1, 1, 128, 1, 1, 0, NULL,
                         by_buffer ? NULL : parameters, by_buffer ? extra : NULL) == 0);
    CHECK(cuCtxSynchronize() == 0);
    CHECK(cuMemcpyDtoH_v2(c, device[2], sizeof c) == 0);
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += c[i] != (float)(3 * i);
    CHECK(wrong == 0);
    for (int i = 0; i < 3; i++)
        CHECK(cuMemFree_v2(device[i]) == 0);
}

/* Parameters are not given, or not all: nothing is read, and nothing launched. */
static void check_refused(void *function)
{
    char buffer[1] = {0};
    size_t size = sizeof buffer;
    void *extra[] = {(void *)1, buffer, (void *)2, &size, (void *)0};
    void *unsized[] = {(void *)1, buffer, (void *)0};
    CHECK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL) == 1);
    CHECK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, extra) == 1);
    CHECK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, unsized) == 1);
    CHECK(cuCtxSynchronize() == 0);
}

static void check_fills(void)
{
    uint64_t device;
    unsigned words[4] = {0};
    unsigned short halves[8] = {0};
    CHECK(cuMemAlloc_v2(&device, sizeof words) == 0);
    CHECK(cuMemsetD32_v2(device, 0x12345678, 4) == 0);
    CHECK(cuMemcpyDtoH_v2(words, device, sizeof words) == 0 && words[3] == 0x12345678);
    CHECK(cuMemsetD16_v2(device + 2, 0xabcd, 6) == 0);
    CHECK(cuMemcpyDtoH_v2(halves, device, sizeof halves) == 0 && halves[0] == 0x5678 &&
          halves[1] == 0xabcd && halves[6] == 0xabcd && halves[7] == 0x1234);
    /* the middle two bytes of each of two rows: the layout of CUDA_MEMCPY2D */
    struct {
        struct {
            size_t x, y;
            int type;
            const void *host;
            uint64_t device;
            void *array;
            size_t pitch;
        } side[2];
        size_t width, height;
    } copy = {{{1, 0, 2, NULL, device, NULL, 4}, {0, 0, 1, words, 0, NULL, 2}}, 2, 2};
    CHECK(cuMemcpy2D_v2(&copy) == 0 && words[0] == 0xcdabcd56);
    CHECK(cuMemFree_v2(device) == 0);
}

static void check_names(void)
{
    const char *text = NULL;
    void *function = NULL;
    int status = -1;
    CHECK(cuGetErrorName(1, &text) == 0 && strcmp(text, "CUDA_ERROR_INVALID_VALUE") == 0);
    CHECK(cuGetErrorName(0, &text) == 0 && strcmp(text, "CUDA_SUCCESS") == 0);
    CHECK(cuGetErrorString(2, &text) == 0 && strcmp(text, "out of memory") == 0);
    CHECK(cuGetErrorName(12345, &text) == 1 && !text);
    CHECK(cuGetProcAddress_v2("cuMemAlloc", &function, 13000, 0, &status) == 0 && function &&
          status == 0);
    CHECK(cuGetProcAddress_v2("cuNoSuch", &function, 13000, 0, &status) == 500 && status == 1);
    CHECK(cuMulticastCreate() == 801);
}

/* A program is given the functions that its toolkit's headers declare. */
static void check_versions(void)
{
    static const struct {
        const char *name;
        int version;
        void *function;
    } expected[] = {{"cuGetProcAddress", 11030, (void *)cuGetProcAddress},
                    {"cuGetProcAddress", 12000, (void *)cuGetProcAddress_v2},
                    {"cuCtxCreate", 11030, (void *)cuCtxCreate_v2},
                    {"cuCtxCreate", 12000, (void *)cuCtxCreate_v3},
                    {"cuCtxCreate", 13000, (void *)cuCtxCreate_v4},
                    {"cuCtxSynchronize", 12090, (void *)cuCtxSynchronize},
                    {"cuCtxSynchronize", 13000, (void *)cuCtxSynchronize_v2},
                    {"cuInit", 11030, (void *)cuInit}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        void *function = NULL;
        int status = -1;
        CHECK(cuGetProcAddress_v2(expected[i].name, &function, expected[i].version, 0, &status) ==
              0);
        CHECK(status == 0 && function == expected[i].function);
    }
    void *context = NULL;
    CHECK(cuCtxGetCurrent(&context) == 0 && cuCtxSynchronize_v2(context) == 0);
    CHECK(cuCtxSynchronize_v2(NULL) == 0 && cuCtxSynchronize_v2(&context) == 201);
}

static void check_time(void *function)
{
    void *event[2], *stream;
    float ms = 0;
    CHECK(cuStreamCreate(&stream, 0) == 0);
    for (int i = 0; i < 2; i++)
        CHECK(cuEventCreate(&event[i], 0) == 0);
    CHECK(cuEventRecord(event[0], stream) == 0);
    check_launch(function, 1);
    CHECK(cuEventRecord(event[1], stream) == 0 && cuStreamSynchronize(stream) == 0);
    CHECK(cuEventElapsedTime_v2(&ms, event[0], event[1]) == 0 && ms > 0);
}

/* Flags of contexts, and events of all that they do. */
static void check_context_events(void)
{
    void *event, *context;
    unsigned before = 0, flags = 0;
    float ms = -1;
    CHECK(cuCtxGetFlags(&before) == 0 && cuCtxSetFlags(4) == 0);
    CHECK(cuCtxGetFlags(&flags) == 0 && flags == 4);
    CHECK(cuCtxSetFlags(0x100) == 1 && cuCtxSetFlags(before) == 0);
    CHECK(cuCtxGetCurrent(&context) == 0 && cuEventCreate(&event, 0) == 0);
    CHECK(cuCtxRecordEvent(context, event) == 0 && cuCtxWaitEvent(context, event) == 0);
    CHECK(cuCtxRecordEvent(NULL, event) == 201);
    CHECK(cuEventElapsedTime_v2(&ms, event, event) == 0 && ms == 0);
    CHECK(cuCtxRecordEvent(&ms, event) == 201 && cuCtxWaitEvent(&ms, event) == 201);
    CHECK(cuCtxWaitEvent(context, &ms) == 400);
}

/* Several copies in one call, of which some may be wrong before any is done. */
static void check_batch(void)
{
    uint64_t device;
    int from[4] = {1, 2, 3, 4}, to[4] = {0};
    const int attributes[2][6] = {{1}, {1}}, unordered[6] = {0}; /* CUmemcpyAttributes */
    const size_t index[2] = {0, 1}, wrong[2] = {1, 0}, size[2] = {8, 8};
    void *stream;
    CHECK(cuMemAlloc_v2(&device, sizeof from) == 0 && cuStreamCreate(&stream, 0) == 0);
    const uint64_t there[2] = {device, device + 8}, own[2] = {(uintptr_t)from, (uintptr_t)&from[2]};
    const uint64_t back[2] = {(uintptr_t)&to[2], (uintptr_t)to};
    CHECK(cuMemcpyBatchAsync_v2(there, own, size, 2, attributes, index, 2, stream) == 0);
    CHECK(cuMemcpyBatchAsync_v2(back, there, size, 2, attributes, index, 1, stream) == 0);
    CHECK(cuStreamSynchronize(stream) == 0);
    CHECK(to[0] == 3 && to[1] == 4 && to[2] == 1 && to[3] == 2);
    CHECK(cuMemcpyBatchAsync_v2(there, own, size, 2, attributes, wrong, 2, stream) == 1);
    CHECK(cuMemcpyBatchAsync_v2(there, own, size, 2, unordered, index, 1, stream) == 1);
    CHECK(cuMemcpyBatchAsync_v2(there, own, size, 2, attributes, index, 2, NULL) == 1);
    CHECK(cuMemFree_v2(device) == 0);
}

static void check_questions(void *function, void *module)
{
    static const int here[2] = {1, 0}, host[2] = {2, 0}; /* CUmemLocation */
    void *found = NULL, *pool = NULL;
    int properties[14] = {0};
    size_t width = 0;
    CHECK(cuFuncGetModule(&found, function) == 0 && found == module);
    CHECK(cuFuncGetModule(&found, properties) == 400 && cuFuncGetModule(NULL, function) == 1);
    CHECK(cuDeviceGetProperties(properties, 0) == 0);
    CHECK(properties[0] == 1024 && properties[9] == 32 && properties[13] == 512);
    CHECK(cuDeviceGetProperties(properties, 1) == 101);
    CHECK(cuDeviceGetTexture1DLinearMaxWidth(&width, 0x20, 4, 0) == 0 && width == 1 << 28);
    CHECK(cuDeviceGetTexture1DLinearMaxWidth(&width, 0x20, 1, 0) == 0 && width == 1 << 30);
    CHECK(cuDeviceGetTexture1DLinearMaxWidth(&width, 0x99, 4, 0) == 1);
    CHECK(cuMemGetDefaultMemPool(&pool, here, 1) == 0 && pool);
    CHECK(cuMemGetDefaultMemPool(&pool, host, 1) == 801 && cuMemSetMemPool(here, 1, pool) == 0);
}

/* Headers that lead to nowhere. */
static void check_broken_code(void)
{
    unsigned char image[128] = "\177ELF\002";
    void *module;
    memset(image + 16, 1, sizeof image - 16);
    CHECK(cuModuleLoadData(&module, image) == 200);
    image[18] = 190; /* of NVIDIA's GPUs */
    image[19] = 0;
    CHECK(cuModuleLoadData(&module, image) == 200);
}

int main(int argc, char **argv)
{
    void *context, *current, *module, *function;
    uint64_t variable;
    size_t size;
    int value = 0;
    if (argc != 3)
        return 2;
    check_device();
    check_stream_entries();
    CHECK(cuCtxCreate_v4(&context, NULL, 0, 0) == 0);
    CHECK(cuCtxGetCurrent(&current) == 0 && current == context);
    check_contexts();
    CHECK(cuModuleLoad(&module, "nosuch") == 301);
    check_broken_code();
    CHECK(cuModuleLoad(&module, argv[2]) == 209); /* for another GPU */
    CHECK(cuModuleLoad(&module, argv[2]) == 209);
    CHECK(cuModuleLoad(&module, argv[1]) == 0);
    CHECK(cuModuleGetFunction(&function, module, "nosuch") == 500);
    CHECK(cuModuleGetFunction(&function, module, "vecadd") == 0);
    CHECK(cuModuleGetGlobal_v2(&variable, &size, module, "counter") == 0 && size == sizeof value);
    CHECK(cuMemcpyDtoH_v2(&value, variable, sizeof value) == 0 && value == 41);
    CHECK(cuFuncGetAttribute(&value, 6, function) == 0 && value == 75);
    check_launch(function, 0);
    check_refused(function);
    check_time(function);
    check_fills();
    check_names();
    check_versions();
    check_context_events();
    check_batch();
    check_questions(function, module);
    CHECK(cuModuleUnload(module) == 0 && cuModuleUnload(module) == 400);
    CHECK(cuCtxDestroy_v2(context) == 0);
    printf("%s driver\n", failures ? "FAIL" : "PASS");
    return failures != 0;
}
