// Histogram with atomics on global memory, with and without merging equal bins within a warp first.
//
// Shows contention in the L2 cache, and its cure: lanes that want the same bin elect one of them,
// by __match_any_sync, which adds for all.
#include "verify.h"

const int bins = 64;

__global__ void histogram_plain(const unsigned *in, int n, unsigned *counts)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&counts[in[i] % bins], 1u);
}

__global__ void histogram_merged(const unsigned *in, int n, unsigned *counts)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned bin = i < n ? in[i] % bins : bins;
    unsigned peers = __match_any_sync(0xffffffffu, bin);
    bool leader = (unsigned)__ffs((int)peers) - 1 == threadIdx.x % 32;
    if (leader && bin < bins)
        atomicAdd(&counts[bin], (unsigned)__popc(peers));
}

int main()
{
    const int n = 70001 * verify::size();
    verify::Program program("histogram_global");
    std::vector<uint32_t> in = verify::random_words(n, 1);
    for (int i = 0; i < n; i += 2)
        in[i] = 5; // every other element meets in one bin
    verify::Buffer<unsigned> device_in(in), plain(bins), merged(bins);

    histogram_plain<<<(n + 255) / 256, 256>>>(device_in.data, n, plain.data);
    program.launched("histogram_plain");
    std::vector<unsigned> got_plain = program.output("counts", plain);
    histogram_merged<<<(n + 255) / 256, 256>>>(device_in.data, n, merged.data);
    program.launched("histogram_merged");

    std::vector<unsigned> want(bins, 0);
    for (uint32_t value : in)
        want[value % bins]++;
    program.equal("count", got_plain, want);
    program.equal("merged count", program.output("counts", merged), want);
    return program.finish();
}
