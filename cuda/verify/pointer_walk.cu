// Walks through linked lists whose nodes are spread over 512 MB: one list per thread, in few and in
// many warps.
//
// Shows the latency of dependent misses: each address comes out of the load before it, so that only
// other warps can hide it, and pages are visited once.
#include "verify.h"

const uint32_t steps = 12;

/// The place of a list's k-th node, in nodes of 16 bytes.
__host__ __device__ inline uint32_t node(uint32_t list, uint32_t k, uint32_t nodes)
{
    return (k * 65536u + list) * 2654435769u & (nodes - 1);
}

__global__ void link(uint4 *data, uint32_t nodes, uint32_t lists)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, list = i % lists, k = i / lists;
    data[node(list, k, nodes)] = make_uint4(node(list, k + 1, nodes), list ^ k, 0, 0);
}

__global__ void walk(const uint4 *data, uint32_t nodes, uint32_t *sums)
{
    uint32_t list = blockIdx.x * blockDim.x + threadIdx.x, at = node(list, 0, nodes), sum = 0;
#pragma unroll 1
    for (uint32_t k = 0; k < steps; k++) {
        uint4 here = data[at];
        sum += here.y;
        at = here.x;
    }
    sums[list] = sum;
}

int main()
{
    const uint32_t lists = 1 << 14, nodes = (1u << 25) * (uint32_t)verify::size();
    verify::Program program("pointer_walk");
    verify::Buffer<uint4> data(nodes);
    verify::Buffer<uint32_t> sums(lists);
    std::vector<uint32_t> want(lists, 0);
    for (uint32_t i = 0; i < lists * steps; i++)
        want[i % lists] += i % lists ^ i / lists;

    link<<<lists * steps / 128, 128>>>(data.data, nodes, lists);
    program.launched("link");
    for (uint32_t walkers : {128u, 2048u, lists}) {
        walk<<<walkers / 64, 64>>>(data.data, nodes, sums.data);
        program.launched("walk");
        std::vector<uint32_t> got = program.output("sums", sums);
        got.resize(walkers);
        program.equal("sum", got, std::vector<uint32_t>(want.begin(), want.begin() + walkers));
    }
    return program.finish();
}
