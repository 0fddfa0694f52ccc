/*
 * A program as nvcc makes them, in plain C: it registers its device code, which is the cubin that
 * its argument names (kernels.sm_75.cubin), and unregisters it at exit. Two threads use memory,
 * streams, events, graphs and host functions; the main thread then makes mistakes.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dim3 {
    unsigned x, y, z;
};

int cudaMalloc(void **pointer, size_t size);
int cudaMallocHost(void **pointer, size_t size);
int cudaMallocManaged(void **pointer, size_t size, unsigned flags);
int cudaFree(void *pointer);
int cudaFreeHost(void *pointer);
int cudaMemcpy(void *to, const void *from, size_t size, int kind);
int cudaMemcpyAsync(void *to, const void *from, size_t size, int kind, void *stream);
int cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset, int kind);
int cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset, int kind);
int cudaMemsetAsync(void *pointer, int value, size_t size, void *stream);
int cudaLaunchKernel(const void *stub, struct dim3 grid, struct dim3 block, void **arguments,
                     size_t shared, void *stream);
int cudaLaunchHostFunc(void *stream, void (*function)(void *), void *data);
int cudaStreamCreateWithFlags(void **stream, unsigned flags);
int cudaStreamDestroy(void *stream);
int cudaStreamSynchronize(void *stream);
int cudaStreamBeginCapture(void *stream, int mode);
int cudaStreamEndCapture(void *stream, void **graph);
int cudaGraphInstantiateWithFlags(void **exec, void *graph, unsigned long long flags);
int cudaGraphLaunch(void *exec, void *stream);
int cudaGraphExecDestroy(void *exec);
int cudaGraphDestroy(void *graph);
int cudaEventCreate(void **event);
int cudaEventRecord(void *event, void *stream);
int cudaEventElapsedTime(float *ms, void *from, void *to);
int cudaEventDestroy(void *event);
int cudaDeviceSynchronize(void);
int cudaGetLastError(void);
const char *cudaGetErrorName(int error);
void **__cudaRegisterFatBinary(const void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *stub, char *device_stub, const char *name,
                            int thread_limit, void *tid, void *bid, struct dim3 *block,
                            struct dim3 *grid, int *warp_size);
void __cudaRegisterVar(void **handle, char *shadow, char *address, const char *name, int ext,
                       size_t size, int constant, int global);

enum { N = 1000, TO_DEVICE = 1, TO_HOST = 2, HEAD = 16, ENTRY = 64 };

static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: %s\n", __LINE__, #condition);                                         \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

/* Host addresses that stand for kernels and for a variable; `nosuch` is not in the cubin. */
static char vecadd, wrong_address, nosuch, counter[sizeof(int)];

static struct {
    uint32_t magic, version;
    const void *data;
    void *further;
} wrapper = {0x466243b1, 1, NULL, NULL};

static void **handle;
static uint8_t *fatbin;

static void unregister(void)
{
    __cudaUnregisterFatBinary(handle);
    free(fatbin);
}

/* A fatbin with one cubin. */
static int read_code(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        return 0;
    const uint64_t payload = ((uint64_t)ftell(file) + 7) / 8 * 8, all = ENTRY + payload;
    const uint32_t container[2] = {0xba55ed50, 1u | HEAD << 16}, entry = ENTRY, sm = 75;
    const uint16_t kind = 2;
    rewind(file);
    fatbin = calloc(1, HEAD + all);
    memcpy(fatbin, container, sizeof container);
    memcpy(fatbin + 8, &all, sizeof all);
    memcpy(fatbin + HEAD, &kind, sizeof kind);
    memcpy(fatbin + HEAD + 4, &entry, sizeof entry);
    memcpy(fatbin + HEAD + 8, &payload, sizeof payload);
    memcpy(fatbin + HEAD + 28, &sm, sizeof sm);
    const size_t got = fread(fatbin + HEAD + ENTRY, 1, payload, file);
    (void)fclose(file);
    wrapper.data = fatbin;
    return got > 0;
}

static void register_function(const char *stub, char *name)
{
    __cudaRegisterFunction(handle, stub, name, name, -1, NULL, NULL, NULL, NULL, NULL);
}

/* NVIDIA's runtime keeps the addresses of names. */
static void register_code(void)
{
    static char vecadd_name[] = "vecadd", wrong_address_name[] = "wrong_address";
    static char nosuch_name[] = "nosuch", counter_name[] = "counter";
    handle = __cudaRegisterFatBinary(&wrapper);
    register_function(&vecadd, vecadd_name);
    register_function(&wrong_address, wrong_address_name);
    register_function(&nosuch, nosuch_name);
    __cudaRegisterVar(handle, counter, counter_name, counter_name, 0, sizeof(int), 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
    (void)atexit(unregister);
}

static void add_one(void *count)
{
    ++*(int *)count;
}

/* Captures c = a + b and a host function as a graph, and launches the graph twice. */
static void *use_stream(void *unused)
{
    (void)unused;
    void *stream, *graph, *exec, *begin, *end;
    float *host, *a, *b, *c, ms = -1;
    int n = N, told = 0;
    /* Non-blocking: the other thread uses the default stream while this one captures. */
    CHECK(cudaStreamCreateWithFlags(&stream, 1) == 0 && cudaEventCreate(&begin) == 0 &&
          cudaEventCreate(&end) == 0);
    CHECK(cudaMallocHost((void **)&host, N * sizeof *host) == 0);
    for (int i = 0; i < N; i++)
        host[i] = (float)i;
    CHECK(cudaMalloc((void **)&a, N * sizeof *a) == 0 &&
          cudaMalloc((void **)&b, N * sizeof *b) == 0);
    CHECK(cudaMallocManaged((void **)&c, N * sizeof *c, 1) == 0);
    CHECK(cudaMemcpyAsync(a, host, N * sizeof *a, TO_DEVICE, stream) == 0);
    CHECK(cudaMemsetAsync(b, 0, N * sizeof *b, stream) == 0 && cudaEventRecord(begin, stream) == 0);
    void *arguments[] = {&a, &b, &c, &n};
    CHECK(cudaStreamBeginCapture(stream, 2) == 0);
    CHECK(cudaLaunchKernel(&vecadd, (struct dim3){8, 1, 1}, (struct dim3){128, 1, 1}, arguments, 0,
                           stream) == 0);
    CHECK(cudaLaunchHostFunc(stream, add_one, &told) == 0);
    CHECK(cudaStreamEndCapture(stream, &graph) == 0 &&
          cudaGraphInstantiateWithFlags(&exec, graph, 0) == 0);
    CHECK(cudaGraphLaunch(exec, stream) == 0 && cudaGraphLaunch(exec, stream) == 0);
    CHECK(cudaEventRecord(end, stream) == 0 && cudaStreamSynchronize(stream) == 0 && told == 2);
    CHECK(cudaEventElapsedTime(&ms, begin, end) == 0 && ms > 0);
    for (int i = 0; i < N; i++)
        failures += c[i] != (float)i;
    CHECK(cudaGraphExecDestroy(exec) == 0 && cudaGraphDestroy(graph) == 0);
    CHECK(cudaEventDestroy(begin) == 0 && cudaEventDestroy(end) == 0 &&
          cudaStreamDestroy(stream) == 0);
    CHECK(cudaFree(a) == 0 && cudaFree(b) == 0 && cudaFree(c) == 0 && cudaFreeHost(host) == 0);
    return NULL;
}

static void use_variable(void)
{
    int value = 0;
    CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value, 0, TO_HOST) == 0 && value == 41);
    value = 5;
    CHECK(cudaMemcpyToSymbol(counter, &value, sizeof value, 0, TO_DEVICE) == 0);
    value = 0;
    CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value, 0, TO_HOST) == 0 && value == 5);
    CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value, 1, TO_HOST) != 0);
}

/* Calls that are refused; then a kernel that writes outside its memory, after which all calls fail.
 */
static void make_mistakes(void)
{
    const struct dim3 one = {1, 1, 1};
    void *pointer, *arguments[] = {&pointer, (long[]){1L << 40}};
    int host = 0;
    CHECK(cudaMalloc(&pointer, 64) == 0 && cudaFree((char *)pointer + 1) != 0);
    CHECK(cudaMemcpy(pointer, &host, 1 << 20, TO_DEVICE) != 0);
    CHECK(cudaLaunchKernel(&nosuch, one, one, NULL, 0, NULL) != 0);
    CHECK(cudaLaunchKernel(&host, one, one, NULL, 0, NULL) != 0);
    CHECK(cudaLaunchKernel(&vecadd, one, (struct dim3){2048, 1, 1}, NULL, 0, NULL) != 0);
    CHECK(cudaGetLastError() != 0 && cudaGetLastError() == 0);
    (void)cudaLaunchKernel(&wrong_address, one, one, arguments, 0, NULL);
    const int error = cudaDeviceSynchronize();
    CHECK(strcmp(cudaGetErrorName(error), "cudaErrorIllegalAddress") == 0);
    CHECK(cudaFree(pointer) == error);
}

int main(int argc, char **argv)
{
    pthread_t thread;
    if (argc != 2 || !read_code(argv[1])) {
        puts("expected a cubin");
        return 2;
    }
    register_code();
    CHECK(pthread_create(&thread, NULL, use_stream, NULL) == 0);
    use_variable();
    CHECK(pthread_join(thread, NULL) == 0);
    (void)use_stream(NULL);
    make_mistakes();
    puts(failures ? "FAIL registered" : "PASS registered");
    return failures != 0;
}
