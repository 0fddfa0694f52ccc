// Blocks of equal work in grids of several sizes: less than one wave, one wave, one and a bit.
//
// Shows lesson 9 of docs/lessons: too few blocks, a partial last wave, whole waves.
#include "random_loads.h"

const int block = 128, rounds = 16;

__global__ void waves(const uint32_t *data, uint32_t *out)
{
    uint32_t warp = blockIdx.x * (block / 32) + threadIdx.x / 32;
    out[blockIdx.x * block + threadIdx.x] = random_loads(data, warp, rounds);
}

int main()
{
    // Of a T4: 250 of 320 places, one wave, 400. Of an H100 or H200: one wave, 1.25 waves.
    const int grids[] = {250, 320, 400, 2112, 2640};
    verify::Program program("waves");
    std::vector<uint32_t> data = random_loads_data();
    verify::Buffer<uint32_t> from(data);
    for (int blocks : grids) {
        const int grid = blocks * verify::size();
        verify::Buffer<uint32_t> to((size_t)grid * block);
        waves<<<grid, block>>>(from.data, to.data);
        program.launched("waves");
        std::vector<uint32_t> want;
        for (uint32_t i = 0; i < to.count; i++)
            want.push_back(random_loads(data.data(), i / 32, rounds));
        program.equal("sum", program.output("sums", to), want);
    }
    return program.finish();
}
