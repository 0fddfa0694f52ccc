// Kernels that launch kernels, where other work waits for all of them. Prints PASS families.
#include <cstdio>
#include <cuda_runtime.h>

static int failures;
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            printf("line %d: %s\n", __LINE__, #condition);                                         \
        failures += !(condition);                                                                  \
    } while (0)

__global__ void write(int *to, int value)
{
    *to = value;
}

__global__ void parent(int *to)
{
    *to = 0;
    write<<<1, 1>>>(to, 42);
}

__global__ void write_late(int *to)
{
    long long begin = clock64();
    while (clock64() - begin < 200000)
        ;
    *to = 7;
}

__global__ void parent_of_late(int *to)
{
    write_late<<<1, 1>>>(to);
}

__global__ void copy(int *to, const int *from)
{
    *to = *from;
}

__global__ void chain(int *count, int length)
{
    ++*count;
    if (length > 1)
        chain<<<1, 1, 0, cudaStreamTailLaunch>>>(count, length - 1);
}

int main()
{
    int *data, out[2] = {};
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaMalloc(&data, 4096);
    cudaMemset(data, 0, 4096);
    cudaStreamCreate(&stream);
    // Launches that are alike: some are executed on trial before they are timed.
    for (int i = 0; i < 12; i++)
        chain<<<1, 1>>>(data + 2, 200);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    parent<<<1, 1, 0, stream>>>(data);
    copy<<<1, 1, 0, stream>>>(data + 1, data);
    cudaStreamEndCapture(stream, &graph);
    CHECK(cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess);
    CHECK(cudaGraphLaunch(ready, stream) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(cudaStreamQuery(0) == cudaSuccess);
    cudaMemcpy(out, data + 1, 8, cudaMemcpyDeviceToHost);
    CHECK(out[0] == 42 && out[1] == 12 * 200);
    // The stream is busy while only the child runs, and work that comes then waits for it.
    cudaStream_t other;
    int asked = 0;
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    parent_of_late<<<1, 1, 0, stream>>>(data + 4);
    while (cudaStreamQuery(stream) == cudaErrorNotReady && asked < 1000000)
        asked++;
    cudaMemcpyAsync(out, data + 4, 4, cudaMemcpyDeviceToHost, other);
    cudaStreamSynchronize(other);
    CHECK(out[0] == 7);
    printf(failures ? "FAIL families\n" : "PASS families\n");
    return failures != 0;
}
