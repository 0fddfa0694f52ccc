// The same number of threads in blocks of different size.
//
// Shows lesson 10 of docs/lessons: whole blocks have to fit, so that the size of a block decides
// how many warps are resident.
#include "random_loads.h"

const int rounds = 8;

__global__ void block_size(const uint32_t *data, uint32_t *out)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = random_loads(data, i / 32, rounds);
}

int main()
{
    const int sizes[] = {32, 64, 96, 128, 192, 256, 384, 512, 640, 768, 896, 1024};
    const int all = 40960;
    verify::Program program("block_size");
    std::vector<uint32_t> data = random_loads_data(), want;
    verify::Buffer<uint32_t> from(data);
    for (uint32_t i = 0; i < all + 1024; i++)
        want.push_back(random_loads(data.data(), i / 32, rounds));
    for (int size : sizes) {
        int blocks = (all + size - 1) / size;
        verify::Buffer<uint32_t> to((size_t)blocks * size);
        block_size<<<blocks, size>>>(from.data, to.data);
        program.launched("block_size");
        program.equal("sum", program.output("sums", to),
                      std::vector<uint32_t>(want.begin(), want.begin() + blocks * size));
    }
    return program.finish();
}
