// Occupancy, and the shape of grids and blocks.
#include "advice.h"

// Turns of work that the compiler cannot shorten.
__device__ float work(float x, int turns)
{
#pragma unroll 4
    for (int k = 0; k < turns; k++)
        x = x * 0.999f + 1;
    return x;
}

// A chain of loads with work between; occupancy hides the waits.
__global__ void chain(const float *in, float *out, int count, int turns)
{
    extern __shared__ float room[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = i;
    float sum = 0;
    if (turns < 0)
        room[threadIdx.x] = 1;
    for (int t = 0; t < turns; t++) {
        const float x = in[at];
        sum = work(sum + x, 8);
        at = (at + 4096 * 7 + (x > 2 ? 1 : 0)) & (count - 1);
    }
    out[i] = sum;
}

static double shared_limit(bool mended)
{
    const int count = 1 << 20;
    float *in = floats(count), *out = floats(SMS * 8 * 256, 0);
    cudaFuncSetAttribute(chain, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024);
    chain<<<SMS * 8, 256, mended ? 16 : 100 * 1024>>>(in, out, count, 16);
    return sum_of(out, SMS * 8 * 256);
}

// Blocks of one warp: the SM has places for half as many as it has warp slots.
static double small_blocks(bool mended)
{
    const int count = 1 << 20, block = mended ? 256 : 32;
    float *in = floats(count), *out = floats(SMS * 8 * 256, 0);
    chain<<<SMS * 8 * 256 / block, block, 16>>>(in, out, count, 48);
    return sum_of(out, SMS * 8 * 256);
}

// The first warp of each block has all the work, or each warp its part.
__global__ void work_of_block(float *out, int first, int others)
{
    const int warp = threadIdx.x / 32;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = work(i & 7, warp == 0 ? first : others);
}

static double within_blocks(bool mended)
{
    float *out = floats(SMS * 24 * 256, 0);
    if (mended)
        work_of_block<<<SMS * 24, 256>>>(out, 160, 160);
    else
        work_of_block<<<SMS * 24, 256>>>(out, 160 * 8 - 7 * 16, 16);
    return 0;
}

// A few blocks have much more work than the others, or all have the same.
__global__ void work_of_blocks(float *out, int heavy, int more, int less)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = work(i & 7, blockIdx.x % heavy == heavy - 1 ? more : less);
}

static double imbalance(bool mended)
{
    const int blocks = SMS * 4;
    float *out = floats(blocks * 256, 0);
    if (mended)
        work_of_blocks<<<blocks, 256>>>(out, blocks + 1, 0, 450);
    else // 4 of the blocks have 64 times as much work
        work_of_blocks<<<blocks, 256>>>(out, SMS, 19250, 305);
    return 0;
}

// Blocks of which an SM holds one. The grid needs a second wave for a few of them, or its work is
// dealt to a single wave.
static double partial_wave(bool mended)
{
    const int room = 120 * 1024, more = SMS / 8;
    float *out = floats((SMS + more) * 256, 0);
    cudaFuncSetAttribute(work_of_blocks, cudaFuncAttributeMaxDynamicSharedMemorySize, room);
    if (mended)
        work_of_blocks<<<SMS, 256, room>>>(out, SMS + 1, 0, 4096 + 512);
    else
        work_of_blocks<<<SMS + more, 256, room>>>(out, SMS * 2, 0, 4096);
    return 0;
}

// Sixteen blocks with much work, or eight for each SM with little.
static double few_blocks(bool mended)
{
    float *out = floats(SMS * 256, 0);
    if (mended)
        work_of_blocks<<<SMS, 256>>>(out, SMS + 1, 0, 16 * 128);
    else
        work_of_blocks<<<16, 256>>>(out, SMS + 1, 0, SMS * 128);
    return 0;
}

// A launch for each step of little work, or one for all.
__global__ void steps(float *x, int turns)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = work(x[i], turns);
}

static double launches(bool mended)
{
    float *x = floats(SMS * 256);
    if (mended)
        steps<<<SMS, 256>>>(x, 20 * 256);
    for (int step = 0; step < 20 && !mended; step++)
        steps<<<SMS, 256>>>(x, 256);
    return sum_of(x, SMS * 256);
}

const Pair shape_pairs[] = {{"shared_limit", "occupancy", shared_limit},
                            {"small_blocks", "occupancy", small_blocks},
                            {"within_blocks", "within_blocks", within_blocks},
                            {"imbalance", "imbalance", imbalance},
                            {"partial_wave", "partial_wave", partial_wave},
                            {"few_blocks", "few_blocks", few_blocks},
                            {"launches", "launch_overhead", launches},
                            {nullptr, nullptr, nullptr}};
