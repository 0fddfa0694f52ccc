// A block sums 256 values: thread 0 alone, or all lanes with shuffles.
//
// Shows lesson 2 of docs/lessons: one lane of one warp works and all others wait, against five
// steps for all. Values are small integers, so that both sums are exact.
#include "verify.h"

const int grid = 320, block = 256;
const unsigned full_mask = 0xffffffffu;

__global__ void sum_thread0(const float *in, float *out)
{
    __shared__ float values[block];
    values[threadIdx.x] = in[blockIdx.x * block + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0.0f;
#pragma unroll 1
        for (int i = 0; i < block; i++)
            sum += values[i];
        out[blockIdx.x] = sum;
    }
}

__global__ void sum_shuffle(const float *in, float *out)
{
    __shared__ float sums[block / 32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float sum = in[blockIdx.x * block + threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(full_mask, sum, offset);
    if (lane == 0)
        sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = sums[lane % 8];
        for (int offset = 4; offset > 0; offset /= 2)
            sum += __shfl_xor_sync(full_mask, sum, offset);
        if (lane == 0)
            out[blockIdx.x] = sum;
    }
}

int main()
{
    verify::Program program("block_sum");
    std::vector<uint32_t> words = verify::random_words(grid * block, 1, 100);
    std::vector<float> in(words.begin(), words.end()), want(grid, 0.0f);
    for (int i = 0; i < grid * block; i++)
        want[i / block] += in[i];
    verify::Buffer<float> from(in), a(grid), b(grid);

    sum_thread0<<<grid, block>>>(from.data, a.data);
    program.launched("sum_thread0");
    program.equal("sum by thread 0", program.output("sums", a), want);
    sum_shuffle<<<grid, block>>>(from.data, b.data);
    program.launched("sum_shuffle");
    program.equal("sum by shuffles", program.output("sums", b), want);
    return program.finish();
}
