// Programs whose copies cost time: data pass through the GPU chunk by chunk. The host's memory is
// pinned in both variants, so that they differ in nothing but the order of copies and kernels.
#include "advice.h"

constexpr int CHUNKS = 8, CHUNK = 1 << 16, STEPS = 5000, STREAMS = 3;
constexpr size_t BYTES = CHUNK * sizeof(float);

static __global__ void iterate_map(float *x)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = x[i];
    for (int step = 0; step < STEPS; step++)
        value = value * 0.999f + 0.001f;
    x[i] = value;
}

static double chunks(bool mended)
{
    float *host, *device[STREAMS];
    cudaStream_t stream[STREAMS];
    cudaMallocHost(&host, CHUNKS * BYTES);
    for (int i = 0; i < CHUNKS * CHUNK; i++)
        host[i] = (float)((i * 37 + 11) % 64) / 64;
    for (int s = 0; s < STREAMS; s++) {
        cudaMalloc(&device[s], BYTES);
        cudaStreamCreate(&stream[s]);
    }
    for (int c = 0; c < CHUNKS; c++) {
        float *chunk = host + (size_t)c * CHUNK, *place = device[mended ? c % STREAMS : 0];
        cudaStream_t own = mended ? stream[c % STREAMS] : nullptr;
        if (mended)
            cudaMemcpyAsync(place, chunk, BYTES, cudaMemcpyHostToDevice, own);
        else
            cudaMemcpy(place, chunk, BYTES, cudaMemcpyHostToDevice);
        iterate_map<<<CHUNK / 128, 128, 0, own>>>(place);
        if (mended)
            cudaMemcpyAsync(chunk, place, BYTES, cudaMemcpyDeviceToHost, own);
        else
            cudaMemcpy(chunk, place, BYTES, cudaMemcpyDeviceToHost);
    }
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < CHUNKS * CHUNK; i++)
        sum += host[i];
    return sum;
}

const Pair copy_pairs[] = {{"chunks", "copies_alone", chunks}, {}};
