// One warp of each block, or one block of eight, has four times the work of the others.
//
// Shows lesson 9 of docs/lessons: why fewer warps are resident than fit.
#include "random_loads.h"

const int block = 128, rounds = 8, factor = 4;

__global__ void imbalance_within(const uint32_t *data, uint32_t *out)
{
    uint32_t warp = blockIdx.x * (block / 32) + threadIdx.x / 32;
    int mine = threadIdx.x < 32 ? factor * rounds : rounds;
    out[blockIdx.x * block + threadIdx.x] = random_loads(data, warp, mine);
}

__global__ void imbalance_across(const uint32_t *data, uint32_t *out)
{
    uint32_t warp = blockIdx.x * (block / 32) + threadIdx.x / 32;
    int mine = blockIdx.x < gridDim.x / 8 ? factor * rounds : rounds;
    out[blockIdx.x * block + threadIdx.x] = random_loads(data, warp, mine);
}

int main()
{
    const int grid = 320 * verify::size(); // one full wave of a T4
    verify::Program program("imbalance");
    std::vector<uint32_t> data = random_loads_data(), want_within, want_across;
    verify::Buffer<uint32_t> from(data), within(grid * block), across(grid * block);

    imbalance_within<<<grid, block>>>(from.data, within.data);
    program.launched("imbalance_within");
    std::vector<uint32_t> got_within = program.output("sums", within);
    imbalance_across<<<grid, block>>>(from.data, across.data);
    program.launched("imbalance_across");

    for (int i = 0; i < grid * block; i++) {
        int warp_rounds = i % block < 32 ? factor * rounds : rounds;
        int block_rounds = i / block < grid / 8 ? factor * rounds : rounds;
        want_within.push_back(random_loads(data.data(), i / 32, warp_rounds));
        want_across.push_back(random_loads(data.data(), i / 32, block_rounds));
    }
    program.equal("sum within", got_within, want_within);
    program.equal("sum across", program.output("sums", across), want_across);
    return program.finish();
}
