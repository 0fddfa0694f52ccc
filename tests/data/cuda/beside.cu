/*
 * Work of several streams that overlaps, for `simsm run --concurrent`:
 *
 *     beside [MICROSECONDS]      sleeps so long between calls: the times must stay the same
 *
 * Prints what events say, then PASS beside.
 */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <unistd.h>

enum { N = 1 << 14, STREAMS = 3 };

static int pause_us, failures;

#define CUDA(call)                                                                                 \
    do {                                                                                           \
        cudaError_t error = (call);                                                                \
        if (pause_us)                                                                              \
            usleep(pause_us);                                                                      \
        if (error != cudaSuccess)                                                                  \
            printf("line %d: %s: %s\n", __LINE__, #call, cudaGetErrorName(error));                 \
        failures += error != cudaSuccess;                                                          \
    } while (0)

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            printf("line %d: %s\n", __LINE__, #condition);                                         \
        failures += !(condition);                                                                  \
    } while (0)

__global__ void add(int *data, int n, int value, int times)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < times && i < n; k++)
        data[i] += value;
}

__global__ void wait_for(volatile int *flag, int *out)
{
    while (!*flag)
        ;
    *out = *flag + 1;
}

__global__ void raise_flag(volatile int *flag)
{
    __nanosleep(20000);
    *flag = 41;
}

__global__ void occupy(int clocks)
{
    long long begin = clock64();
    while (clock64() - begin < clocks)
        ;
}

static cudaStream_t stream[STREAMS];
static int *device[STREAMS], *pinned[STREAMS];

static void copies_and_kernels()
{
    cudaEvent_t begin, end;
    cudaFuncAttributes loaded; // loading code waits for the GPU
    float ms;
    CUDA(cudaFuncGetAttributes(&loaded, add));
    CUDA(cudaEventCreate(&begin));
    CUDA(cudaEventCreate(&end));
    for (int i = 0; i < N; i++)
        for (int s = 0; s < STREAMS; s++)
            pinned[s][i] = i + s;
    CUDA(cudaEventRecord(begin, stream[0]));
    for (int s = 0; s < STREAMS; s++) {
        CUDA(cudaMemcpyAsync(device[s], pinned[s], N * 4, cudaMemcpyHostToDevice, stream[s]));
        add<<<16, 256, 0, stream[s]>>>(device[s], N, 3, 20);
        CUDA(cudaGetLastError());
        CUDA(cudaMemcpyAsync(pinned[s], device[s], N * 4, cudaMemcpyDeviceToHost, stream[s]));
    }
    for (int s = 1; s < STREAMS; s++) {
        cudaEvent_t done;
        CUDA(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
        CUDA(cudaEventRecord(done, stream[s]));
        CUDA(cudaStreamWaitEvent(stream[0], done, 0));
        CUDA(cudaEventDestroy(done));
    }
    CUDA(cudaEventRecord(end, stream[0]));
    CHECK(cudaEventQuery(end) == cudaErrorNotReady && cudaPeekAtLastError() == cudaSuccess);
    CHECK(cudaStreamQuery(stream[0]) == cudaErrorNotReady);
    CHECK(cudaEventElapsedTime(&ms, begin, end) == cudaErrorNotReady);
    (void)cudaGetLastError();
    CUDA(cudaEventSynchronize(end));
    CHECK(cudaStreamQuery(stream[1]) == cudaSuccess);
    CUDA(cudaEventElapsedTime(&ms, begin, end));
    for (int i = 0; i < N; i++)
        for (int s = 0; s < STREAMS; s++)
            failures += pinned[s][i] != i + s + (i < 4096 ? 60 : 0);
    printf("copies and kernels: %.3f us\n", ms * 1000);
}

// A kernel that waits for another is only over if both are on the GPU at a time.
static void kernels_that_meet()
{
    int *flag, out[2] = {};
    cudaFuncAttributes loaded; // a kernel that waits must not keep the other from being loaded
    CUDA(cudaFuncGetAttributes(&loaded, wait_for));
    CUDA(cudaFuncGetAttributes(&loaded, raise_flag));
    CUDA(cudaMalloc(&flag, 8));
    CUDA(cudaMemset(flag, 0, 8));
    CUDA(cudaDeviceSynchronize());
    wait_for<<<1, 1, 0, stream[0]>>>(flag, flag + 1);
    raise_flag<<<1, 1, 0, stream[1]>>>(flag);
    CUDA(cudaMemcpy(out, flag, 8, cudaMemcpyDeviceToHost));
    CHECK(out[0] == 41 && out[1] == 42);
    CUDA(cudaFree(flag));
}

static void CUDART_CB note(void *value)
{
    ++*(int *)value;
}

static void memory()
{
    int *managed, *mapped, *ordered, called = 0, out = 0;
    CUDA(cudaMallocManaged(&managed, 4));
    CUDA(cudaMallocHost(&mapped, 4));
    *managed = *mapped = 1;
    add<<<1, 1, 0, stream[0]>>>(managed, 1, 5, 1);
    add<<<1, 1, 0, stream[1]>>>(mapped, 1, 7, 1);
    for (int i = 0; i < 1000 && *(volatile int *)mapped == 1; i++) // no call that waits
        usleep(100);
    CHECK(*mapped == 8);
    CUDA(cudaDeviceSynchronize());
    CHECK(*managed == 6);
    CUDA(cudaFree(managed));
    CUDA(cudaMallocAsync(&ordered, 4, stream[2]));
    CUDA(cudaMemsetAsync(ordered, 0, 4, stream[2]));
    add<<<1, 1, 0, stream[2]>>>(ordered, 1, 9, 1);
    CUDA(cudaLaunchHostFunc(stream[2], note, &called));
    CUDA(cudaMemcpyAsync(mapped, ordered, 4, cudaMemcpyDeviceToHost, stream[2]));
    CUDA(cudaFreeAsync(ordered, stream[2]));
    CUDA(cudaStreamSynchronize(stream[2]));
    out = *mapped;
    CHECK(out == 9 && called == 1);
    CUDA(cudaFreeHost(mapped));
}

// Three kernels of which each takes most of the shared memory of all SMs come one after another: none
// beside another, and the one of high priority before the one that came earlier.
static void kernels_in_turn()
{
    enum { CLOCKS = 60000, SHARED = 40 << 10 };
    int sms, khz, least, greatest;
    float ms[2];
    cudaEvent_t end[3];
    cudaStream_t urgent;
    cudaFuncAttributes loaded;
    CUDA(cudaFuncGetAttributes(&loaded, occupy));
    CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CUDA(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
    CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CUDA(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, greatest));
    for (cudaEvent_t &event : end)
        CUDA(cudaEventCreate(&event));
    cudaStream_t in[3] = {stream[0], stream[1], urgent};
    for (int k = 0; k < 3; k++)
        occupy<<<sms, 32, SHARED, in[k]>>>(CLOCKS);
    for (int k = 0; k < 3; k++)
        CUDA(cudaEventRecord(end[k], in[k]));
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaEventElapsedTime(&ms[0], end[0], end[2]));
    CUDA(cudaEventElapsedTime(&ms[1], end[2], end[1]));
    printf("kernels in turn: %.3f and %.3f us\n", ms[0] * 1000, ms[1] * 1000);
    CHECK(ms[0] > 0.9f * CLOCKS / khz && ms[1] > 0.9f * CLOCKS / khz);
    CUDA(cudaStreamDestroy(urgent));
}

// Work of the default stream waits for streams that block, and they for it.
static void default_stream()
{
    int out = 0;
    CUDA(cudaMemset(device[0], 0, 4));
    add<<<1, 1, 0, stream[0]>>>(device[0], 1, 1, 100);
    add<<<1, 1>>>(device[0], 1, 1, 100);
    add<<<1, 1, 0, stream[1]>>>(device[0], 1, 1, 100);
    CUDA(cudaMemcpy(&out, device[0], 4, cudaMemcpyDeviceToHost));
    CHECK(out == 300);
}

int main(int count, char **argument)
{
    pause_us = count > 1 ? atoi(argument[1]) : 0;
    for (int s = 0; s < STREAMS; s++) {
        CUDA(cudaStreamCreate(&stream[s]));
        CUDA(cudaMalloc(&device[s], N * 4));
        CUDA(cudaMallocHost(&pinned[s], N * 4));
    }
    copies_and_kernels();
    kernels_that_meet();
    default_stream();
    kernels_in_turn();
    memory();
    printf(failures ? "FAIL beside\n" : "PASS beside\n");
    return failures != 0;
}
