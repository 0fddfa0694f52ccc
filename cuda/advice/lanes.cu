// Lanes without work.
#include "advice.h"

__device__ float one_way(float x, int turns)
{
    for (int k = 0; k < turns; k++)
        x = x * 0.999f + 1;
    return x;
}

__device__ float other_way(float x, int turns)
{
    for (int k = 0; k < turns; k++)
        x = x * 1.001f - 1;
    return x;
}

// Odd and even lanes, or odd and even warps, take different ways.
__global__ void two_ways(float *out, int turns, int unit)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = threadIdx.x & 7;
    if (i / unit & 1)
        x = one_way(x, turns);
    else
        x = other_way(x, turns);
    out[i] = x;
}

static double divergence(bool mended)
{
    float *out = floats(SMS * 8 * 256, 0);
    two_ways<<<SMS * 8, 256>>>(out, 256, mended ? 32 : 1);
    return 0;
}

// Each thread has as many turns as its datum says: data in random order, or sorted.
__global__ void turns_of_data(const int *turns, float *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = one_way(i & 7, turns[i]);
}

static double uneven_loops(bool mended)
{
    const int count = SMS * 8 * 256;
    int *turns = numbers(count, 256), *host = new int[count], *sorted = new int[count];
    cudaMemcpy(host, turns, count * sizeof(int), cudaMemcpyDeviceToHost);
    int first[257] = {0};
    for (int i = 0; i < count; i++)
        first[host[i] + 1]++;
    for (int v = 0; v < 256; v++)
        first[v + 1] += first[v];
    for (int i = 0; i < count; i++) { // sorted, then dealt to the blocks warp by warp
        const int rank = first[host[i]]++, warp = rank / 32;
        const int place = warp % (SMS * 8) * 8 + warp / (SMS * 8);
        sorted[place * 32 + rank % 32] = host[i];
    }
    if (mended)
        cudaMemcpy(turns, sorted, count * sizeof(int), cudaMemcpyHostToDevice);
    float *out = floats(count, 0);
    turns_of_data<<<SMS * 8, 256>>>(turns, out);
    delete[] host;
    delete[] sorted;
    return 0;
}

// x = x * a + b in the lanes where `on` is not 0, by a predicate.
__device__ void add_if(int on, float &x, float a, float b)
{
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; @p fma.rn.f32 %0, %0, %2, %3; }"
                 : "+f"(x)
                 : "r"(on), "f"(a), "f"(b));
}

// One lane in four has work, and predicates switch the others off; or all lanes have work.
__global__ void lanes_by_predicate(float *out, int turns, int mask)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int on = (threadIdx.x & mask) == 0;
    float x = 3, y = 1, z = 2, w = 4;
#pragma unroll 16
    for (int t = 0; t < turns; t++) {
        add_if(on, x, 0.5f, y);
        add_if(on, y, 0.25f, z);
        add_if(on, z, 0.125f, w);
        add_if(on, w, 0.5f, x);
    }
    if (on)
        out[i / (mask + 1)] = x + y + z + w;
}

static double predication(bool mended)
{
    const int count = SMS * 8 * 256;
    float *out = floats(count / 4, 0);
    if (mended)
        lanes_by_predicate<<<count / 256, 64>>>(out, 256, 0);
    else
        lanes_by_predicate<<<count / 256, 256>>>(out, 256, 3);
    return sum_of(out, count / 4);
}

// Blocks of 40 threads, whose second warp has 8; or of 160.
__global__ void polynomial(float *out, int turns)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = one_way(i & 7, turns) + other_way(i & 3, turns);
}

static double partial_warps(bool mended)
{
    const int count = SMS * 4 * 640;
    float *out = floats(count, 0);
    const int block = mended ? 160 : 40;
    polynomial<<<count / block, block>>>(out, 256);
    return sum_of(out, count);
}

const Pair lane_pairs[] = {{"divergence", "divergence", divergence},
                           {"uneven_loops", "divergence", uneven_loops},
                           {"predication", "predication", predication},
                           {"partial_warps", "partial_warps", partial_warps},
                           {nullptr, nullptr, nullptr}};
