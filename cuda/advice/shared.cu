// Shared memory, barriers and atomics.
#include "advice.h"

// A tile is written by rows and read by columns; a padded row avoids conflicts.
template <int PAD> __global__ void columns_of_tile(float *out, int turns)
{
    __shared__ float tile[32][32 + PAD];
    const int x = threadIdx.x % 32, y = threadIdx.x / 32;
    float sum = 0;
    for (int i = y; i < 32; i += 8)
        tile[i][x] = x * i;
    __syncthreads();
    for (int t = 0; t < turns; t++) {
        sum += tile[x][(y + t) & 31];
        sum *= 0.5f;
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

static double conflicts(bool mended)
{
    float *out = floats(SMS * 8 * 256, 0);
    if (mended)
        columns_of_tile<1><<<SMS * 8, 256>>>(out, 64);
    else
        columns_of_tile<0><<<SMS * 8, 256>>>(out, 64);
    return sum_of(out, SMS * 8 * 256);
}

// Lanes read every eighth word, or neighbouring words.
__global__ void strided_words(float *out, int turns, int stride)
{
    __shared__ float words[2048];
    for (int i = threadIdx.x; i < 2048; i += 256)
        words[i] = 1;
    __syncthreads();
    float sum = 0;
    for (int t = 0; t < turns; t++)
        sum += words[(threadIdx.x * stride + t) & 2047] * t;
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

static double strided(bool mended)
{
    float *out = floats(SMS * 8 * 256, 0);
    strided_words<<<SMS * 8, 256>>>(out, 64, mended ? 1 : 8);
    return sum_of(out, SMS * 8 * 256);
}

// All threads add to one number, or each block adds up first.
__global__ void add_each(const float *in, float *sum, int turns)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int t = 0; t < turns; t++)
        atomicAdd(sum, in[i + t * gridDim.x * blockDim.x]);
}

__global__ void add_by_block(const float *in, float *sum, int turns)
{
    __shared__ float part[8];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = 0;
    for (int t = 0; t < turns; t++)
        mine += in[i + t * gridDim.x * blockDim.x];
    for (int d = 16; d; d /= 2)
        mine += __shfl_down_sync(~0u, mine, d);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < 8; k++)
            mine += part[k];
        atomicAdd(sum, mine);
    }
}

static double hot_atomics(bool mended)
{
    const int blocks = SMS * 2, turns = 2;
    float *in = floats(blocks * 256 * turns), *sum = floats(1, 0);
    if (mended)
        add_by_block<<<blocks, 256>>>(in, sum, turns);
    else
        add_each<<<blocks, 256>>>(in, sum, turns);
    return sum_of(sum, 1);
}

// A histogram in shared memory: one for the block, whose lanes mostly meet in few bins, or one for
// each lane.
template <int COPIES> __global__ void histogram(float *out, int turns)
{
    __shared__ int bins[8 * COPIES];
    for (int i = threadIdx.x; i < 8 * COPIES; i += 256)
        bins[i] = 0;
    __syncthreads();
    unsigned x = blockIdx.x * 256 + threadIdx.x;
    for (int t = 0; t < turns; t++) {
        x = x * 1664525u + 1013904223u;
        atomicAdd(&bins[(x >> 29) * COPIES + threadIdx.x % COPIES], t);
    }
    __syncthreads();
    if (threadIdx.x >= 8)
        return;
    int sum = 0;
    for (int c = 0; c < COPIES; c++)
        sum += bins[threadIdx.x * COPIES + (c + threadIdx.x) % COPIES];
    out[blockIdx.x * 8 + threadIdx.x] = sum * threadIdx.x;
}

static double shared_atomics(bool mended)
{
    const int blocks = SMS * 2, turns = 192;
    float *out = floats(blocks * 8, 0);
    if (mended)
        histogram<32><<<blocks, 256>>>(out, turns);
    else
        histogram<1><<<blocks, 256>>>(out, turns);
    return sum_of(out, blocks * 8);
}

// In each turn another warp has the work, and all meet at a barrier that nobody needs.
template <bool MEET> __global__ void needless_barriers(float *out, int turns)
{
    const int warp = threadIdx.x / 32;
    float x = threadIdx.x;
    for (int t = 0; t < turns; t++) {
        const int work = (t & 7) == warp ? 64 : 4;
        for (int k = 0; k < work; k++)
            x = x * 0.999f + 1;
        if (MEET)
            __syncthreads();
    }
    out[blockIdx.x * 256 + threadIdx.x] = x;
}

static double barriers(bool mended)
{
    float *out = floats(SMS * 2 * 256, 0);
    if (mended)
        needless_barriers<false><<<SMS * 2, 256>>>(out, 64);
    else
        needless_barriers<true><<<SMS * 2, 256>>>(out, 64);
    return sum_of(out, SMS * 2 * 256);
}

const Pair shared_pairs[] = {{"bank_conflicts", "bank_conflicts", conflicts},
                             {"strided_words", "bank_conflicts", strided},
                             {"hot_atomics", "atomics", hot_atomics},
                             {"shared_atomics", "atomics", shared_atomics},
                             {"barriers", "barriers", barriers},
                             {nullptr, nullptr, nullptr}};
