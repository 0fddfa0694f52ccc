// Counts keys in global memory: lanes of a warp with equal keys find each other with match_any, and
// one of them adds for all; keys of few and of many values.
//
// Shows MATCH, population counts, leader election and what it spares in atomics.
#include "verify.h"

__global__ void match_aggregate(const uint32_t *keys, uint32_t n, unsigned *counts)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned peers = __match_any_sync(__activemask(), keys[i]);
        if (__ffs((int)peers) - 1 == (int)(threadIdx.x % 32))
            atomicAdd(&counts[keys[i]], (unsigned)__popc(peers));
    }
}

int main()
{
    const uint32_t n = 262144;
    verify::Program program("match_aggregate");
    for (uint32_t values : {3u, 64u, 65536u}) {
        std::vector<uint32_t> keys = verify::random_words(n, 1, values);
        verify::Buffer<uint32_t> device_keys(keys);
        verify::Buffer<unsigned> counts(values);
        match_aggregate<<<264, 256>>>(device_keys.data, n, counts.data);
        program.launched("match_aggregate");
        std::vector<unsigned> want(values, 0);
        for (uint32_t key : keys)
            want[key]++;
        program.equal("count", program.output("counts", counts), want);
    }
    return program.finish();
}
