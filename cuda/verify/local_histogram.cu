// Each thread counts its 96 values in 64 bins of its own, then the bins of a block are added up.
//
// Shows read-modify-write of local memory at places known only at run time: each depends on the one
// before if both are the same bin; and reads of all threads' bins in the end.
#include "verify.h"

const int bins = 64, values = 96;

__global__ void local_histogram(const uint8_t *in, unsigned *counts, int threads)
{
    __shared__ unsigned sums[bins];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned mine[bins];
    for (int b = 0; b < bins; b++)
        mine[b] = 0;
    if (threadIdx.x < bins)
        sums[threadIdx.x] = 0;
    for (int k = 0; k < values; k++)
        mine[in[k * threads + i] % bins]++;
    __syncthreads();
    for (int b = 0; b < bins; b++)
        atomicAdd(&sums[(b + threadIdx.x) % bins], mine[(b + threadIdx.x) % bins]);
    __syncthreads();
    if (threadIdx.x < bins)
        atomicAdd(&counts[threadIdx.x], sums[threadIdx.x]);
}

int main()
{
    const int threads = 16896;
    verify::Program program("local_histogram");
    std::vector<uint8_t> in;
    std::vector<unsigned> want(bins, 0);
    for (uint32_t word : verify::random_words(values * threads, 1)) {
        in.push_back((uint8_t)(word % 3 ? word >> 8 : word >> 28)); // a third in 16 bins
        want[in.back() % bins]++;
    }
    verify::Buffer<uint8_t> from(in);
    verify::Buffer<unsigned> counts(bins);

    local_histogram<<<threads / 128, 128>>>(from.data, counts.data, threads);
    program.launched("local_histogram");
    program.equal("count", program.output("counts", counts), want);
    return program.finish();
}
