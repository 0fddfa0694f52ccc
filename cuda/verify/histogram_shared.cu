// Histogram of bytes: each warp counts in its own table in shared memory, tables are added up last.
//
// Shows atomics on shared memory with conflicts between lanes, and one global atomic per bin.
#include "verify.h"

const int block = 192, warps = block / 32, bins = 256;

__global__ void histogram_shared(const unsigned *words, int n, unsigned *counts)
{
    __shared__ unsigned tables[warps][bins];
    for (int i = threadIdx.x; i < warps * bins; i += block)
        tables[i / bins][i % bins] = 0;
    __syncthreads();
    unsigned *mine = tables[threadIdx.x / 32];
    for (int i = blockIdx.x * block + threadIdx.x; i < n; i += gridDim.x * block) {
        unsigned word = words[i];
        for (int k = 0; k < 32; k += 8)
            atomicAdd(&mine[word >> k & 255], 1u);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < bins; bin += block) {
        unsigned sum = 0;
        for (int w = 0; w < warps; w++)
            sum += tables[w][bin];
        atomicAdd(&counts[bin], sum);
    }
}

int main()
{
    const int n = 100000 * verify::size();
    verify::Program program("histogram_shared");
    std::vector<uint32_t> words = verify::random_words(n, 1);
    for (uint32_t &word : words) // not evenly: few bins are hit often
        word &= word >> 7 | 0x0f0f0f0fu;
    verify::Buffer<unsigned> device_words(words), counts(bins);

    histogram_shared<<<132, block>>>(device_words.data, n, counts.data);
    program.launched("histogram_shared");

    std::vector<unsigned> want(bins, 0);
    for (uint32_t word : words)
        for (int k = 0; k < 32; k += 8)
            want[word >> k & 255]++;
    program.equal("count", program.output("counts", counts), want);
    return program.finish();
}
