// Histogram of 65536 bins whose frequencies fall like 1 / rank: some words are hit by most warps,
// most words rarely; in global memory, without and with the words before.
//
// Shows how atomics on few busy words and on many idle ones share the slices of L2.
#include "verify.h"

const uint32_t bins = 65536;

/// A bin with a probability of about 1 / rank: a random number of random bits.
__host__ __device__ inline uint32_t bin_of(uint32_t i)
{
    uint32_t word = verify::random_word(1, i);
    return (word >> 16) & ((1u << word % 17) - 1);
}

__global__ void histogram_skewed(unsigned *counts, uint32_t n)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[bin_of(i)], 1u);
}

__global__ void ranks(unsigned *counts, unsigned *largest, uint32_t n)
{
    unsigned most = 0;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        most = max(most, atomicAdd(&counts[bin_of(i)], 1u));
    for (int offset = 16; offset > 0; offset /= 2)
        most = max(most, __shfl_xor_sync(0xffffffffu, most, offset));
    if (threadIdx.x % 32 == 0)
        atomicMax(largest, most);
}

int main()
{
    const uint32_t n = 132 * 512 * (uint32_t)verify::size();
    verify::Program program("histogram_skewed");
    std::vector<unsigned> want(bins, 0);
    for (uint32_t i = 0; i < n; i++)
        want[bin_of(i)]++;
    verify::Buffer<unsigned> counts(bins), again(bins), largest(1);
    histogram_skewed<<<132, 256>>>(counts.data, n);
    program.launched("histogram_skewed");
    program.equal("count", program.output("counts", counts), want);
    ranks<<<132, 256>>>(again.data, largest.data, n);
    program.launched("ranks");
    program.equal("count", program.output("counts", again), want);
    program.equal("largest", program.output("largest", largest),
                  {*std::max_element(want.begin(), want.end()) - 1});
    return program.finish();
}
