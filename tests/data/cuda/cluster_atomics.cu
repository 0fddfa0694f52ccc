// Atomics of 64 bits on shared memory of the own block, of another block of the cluster, and of
// both in one warp: prints "PASS cluster_atomics" if no addition is lost.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

enum { WORDS = 32, BLOCKS = 2, THREADS = 64, OWN = 0, OTHER = 1, BOTH = 2, CROWDED = 3 };

__global__ void __cluster_dims__(BLOCKS, 1, 1) add(unsigned long long *sum, int where)
{
    __shared__ unsigned long long word[WORDS];
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x < WORDS)
        word[threadIdx.x] = 0;
    cluster.sync();
    const unsigned own = cluster.block_rank();
    const unsigned rank = where == OWN ? own : where == OTHER ? own ^ 1 : threadIdx.x & 1;
    const unsigned at = where == CROWDED ? threadIdx.x / 4 : threadIdx.x / 2 % WORDS;
    atomicAdd(cluster.map_shared_rank(&word[at], rank), 1ull);
    cluster.sync();
    if (threadIdx.x < WORDS)
        atomicAdd(sum, word[threadIdx.x]);
}

int main()
{
    unsigned long long *sum, got;
    bool good = true;
    cudaMalloc(&sum, sizeof got);
    for (int where = OWN; where <= CROWDED; where++) {
        cudaMemset(sum, 0, sizeof got);
        add<<<BLOCKS, THREADS>>>(sum, where);
        good &= cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess;
        good &= got == BLOCKS * THREADS;
    }
    std::printf("%s cluster_atomics\n", good ? "PASS" : "FAIL");
    return !good;
}
