// Histogram of words, half of them crowded into few bins: the blocks of a cluster (2, 4 or 8) count
// in one table that is spread over their shared memory, and add it to the result last. Shows
// atomics on shared memory of other blocks, with conflicts, and clusters whose size the launch
// says.
#include "verify.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

const int block = 256, bins = 8192;

__global__ void cluster_histogram(const unsigned *words, int n, unsigned *counts)
{
    extern __shared__ unsigned table[];
    const cg::cluster_group cluster = cg::this_cluster();
    const int here = bins / cluster.num_blocks(), shift = __ffs(here) - 1;
    for (int i = threadIdx.x; i < here; i += block)
        table[i] = 0;
    cluster.sync(); // all tables are there, and empty
    for (int i = blockIdx.x * block + threadIdx.x; i < n; i += gridDim.x * block) {
        const unsigned bin = words[i] % bins;
        atomicAdd(cluster.map_shared_rank(table, bin >> shift) + (bin & (here - 1)), 1u);
    }
    cluster.sync(); // nobody counts any more
    for (int i = threadIdx.x; i < here; i += block)
        if (table[i] != 0)
            atomicAdd(&counts[cluster.block_rank() * here + i], table[i]);
}

int main()
{
    const int n = 1000003 * verify::size(), blocks = 128;
    verify::Program program("hopper_cluster_histogram");
    std::vector<uint32_t> words = verify::random_words(n, 1);
    std::vector<unsigned> want(bins, 0);
    for (uint32_t &word : words) {
        if (word >> 31)
            word &= word >> 9 | 0x0303u;
        want[word % bins]++;
    }
    verify::Buffer<unsigned> device_words(words);

    for (int size = 2; size <= 8; size *= 2) {
        verify::Buffer<unsigned> counts(bins);
        cudaLaunchAttribute attribute;
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim.x = size;
        attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
        cudaLaunchConfig_t config = {};
        config.gridDim = blocks;
        config.blockDim = block;
        config.dynamicSmemBytes = bins / size * sizeof(unsigned);
        config.attrs = &attribute;
        config.numAttrs = 1;
        verify::must(cudaLaunchKernelEx(&config, cluster_histogram,
                                        (const unsigned *)device_words.data, n, counts.data),
                     "cudaLaunchKernelEx");
        program.launched("cluster_histogram");
        const std::string name = "clusters_of_" + std::to_string(size);
        program.equal(name.c_str(), program.output(name.c_str(), counts), want);
    }
    return program.finish();
}
