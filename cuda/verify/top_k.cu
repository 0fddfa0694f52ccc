// The eight largest of 4096 words per block: each thread keeps a sorted list of eight in registers,
// and lists are merged in pairs in shared memory.
//
// Shows insertion into registers under predicates, and a tree of merges with fewer and fewer
// threads.
#include "verify.h"

const int k = 8, per_block = 4096, block = 128;

__device__ void insert(uint32_t *best, uint32_t x)
{
#pragma unroll
    for (int i = 0; i < k; i++) {
        uint32_t larger = max(best[i], x);
        x = min(best[i], x);
        best[i] = larger;
    }
}

__global__ void top_k(const uint32_t *in, uint32_t *out)
{
    __shared__ uint32_t lists[k][block];
    uint32_t best[k] = {};
    for (int i = threadIdx.x; i < per_block; i += block)
        insert(best, in[blockIdx.x * per_block + i]);
    for (int half = block / 2; half > 0; half /= 2) {
        __syncthreads();
        for (int i = 0; i < k; i++)
            lists[i][threadIdx.x] = best[i];
        __syncthreads();
        if (threadIdx.x < half)
            for (int i = 0; i < k; i++)
                insert(best, lists[i][threadIdx.x + half]);
    }
    if (threadIdx.x == 0)
        for (int i = 0; i < k; i++)
            out[blockIdx.x * k + i] = best[i];
}

int main()
{
    const int blocks = 132;
    verify::Program program("top_k");
    std::vector<uint32_t> in = verify::random_words(blocks * per_block, 1), want;
    verify::Buffer<uint32_t> from(in), to(blocks * k);
    top_k<<<blocks, block>>>(from.data, to.data);
    program.launched("top_k");
    for (int b = 0; b < blocks; b++) {
        std::vector<uint32_t> part(in.begin() + b * per_block, in.begin() + (b + 1) * per_block);
        std::sort(part.rbegin(), part.rend());
        want.insert(want.end(), part.begin(), part.begin() + k);
    }
    program.equal("largest", program.output("largest", to), want);
    return program.finish();
}
