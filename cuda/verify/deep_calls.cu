// Twelve functions call each other in a chain, none inlined, each with values that live across the
// call; a second kernel recurses to depths that differ between lanes.
//
// Shows calls and returns: saved registers in local memory, return addresses, stacks that grow.
#include "verify.h"

template <int N> __host__ __device__ __noinline__ uint32_t level(uint32_t a, uint32_t b)
{
    uint32_t c = a * 2654435761u + N, d = b ^ c >> 7, e = c + (d << 3);
    uint32_t below = level<N - 1>(d, e);
    return below * 3 + (c ^ d) + (e >> (N & 15));
}

template <> __host__ __device__ __noinline__ uint32_t level<0>(uint32_t a, uint32_t b)
{
    return a ^ b * 17;
}

/// Sums over a tree of calls: `depth` levels, of which each but every third has one call.
__host__ __device__ __noinline__ uint32_t tree(uint32_t depth, uint32_t seed)
{
    if (depth == 0)
        return seed;
    uint32_t left = tree(depth - 1, seed * 5 + depth);
    return depth % 3 ? left ^ seed : left + tree(depth - 1, seed ^ left);
}

__global__ void chain(uint32_t *out)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, x = i;
    for (uint32_t k = 0; k < 8; k++)
        x = level<12>(x, k);
    out[i] = x;
}

__global__ void recursion(uint32_t *out)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = tree(5 + i % 6, i);
}

int main()
{
    const uint32_t threads = 16896;
    verify::Program program("deep_calls");
    verify::Buffer<uint32_t> out(threads);
    std::vector<uint32_t> want;

    chain<<<threads / 128, 128>>>(out.data);
    program.launched("chain");
    for (uint32_t i = 0; i < threads; i++) {
        uint32_t x = i;
        for (uint32_t k = 0; k < 8; k++)
            x = level<12>(x, k);
        want.push_back(x);
    }
    program.equal("chain", program.output("chain", out), want);

    recursion<<<threads / 128, 128>>>(out.data);
    program.launched("recursion");
    for (uint32_t i = 0; i < threads; i++)
        want[i] = tree(5 + i % 6, i);
    program.equal("recursion", program.output("recursion", out), want);
    return program.finish();
}
