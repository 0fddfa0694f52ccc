/*
 * Chunks that are copied to the device, computed, and copied back:
 *
 *     copies HOW      call: cudaMemcpy; pageable: cudaMemcpyAsync, memory that is not pinned;
 *                     default: cudaMemcpyAsync in the default stream; streams: in two streams
 *
 * Prints PASS copies.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

enum { N = 1 << 14, CHUNKS = 4, STREAMS = 2 };

__global__ void grow(float *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "call";
    const size_t bytes = N * sizeof(float);
    float *host = (float *)malloc(CHUNKS * bytes), *device[STREAMS];
    cudaStream_t stream[STREAMS] = {};
    if (strcmp(how, "pageable") != 0)
        cudaMallocHost(&host, CHUNKS * bytes);
    memset(host, 0, CHUNKS * bytes);
    for (int i = 0; i < STREAMS; i++) {
        cudaMalloc(&device[i], bytes);
        if (strcmp(how, "default") != 0 && strcmp(how, "call") != 0)
            cudaStreamCreate(&stream[i]);
    }
    for (int c = 0; c < CHUNKS; c++) {
        float *chunk = host + c * N, *place = device[c % STREAMS];
        cudaStream_t own = stream[c % STREAMS];
        if (strcmp(how, "call") == 0)
            cudaMemcpy(place, chunk, bytes, cudaMemcpyHostToDevice);
        else
            cudaMemcpyAsync(place, chunk, bytes, cudaMemcpyHostToDevice, own);
        grow<<<N / 256, 256, 0, own>>>(place);
        if (strcmp(how, "call") == 0)
            cudaMemcpy(chunk, place, bytes, cudaMemcpyDeviceToHost);
        else
            cudaMemcpyAsync(chunk, place, bytes, cudaMemcpyDeviceToHost, own);
    }
    const bool good =
        cudaDeviceSynchronize() == cudaSuccess && host[0] == 1 && host[CHUNKS * N - 1] == 1;
    printf("%s copies\n", good ? "PASS" : "FAIL");
    return !good;
}
