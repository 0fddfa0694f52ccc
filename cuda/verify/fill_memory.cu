// Fills 64 MB with a pattern: 16 bytes per lane in a loop over few blocks, and 4 bytes per lane in
// many blocks (16 MB).
//
// Shows a stream of nothing but writes: the rate at which L2 takes them and DRAM empties it.
#include "verify.h"

__global__ void fill_wide(uint4 *data, uint32_t quads)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x)
        data[i] = make_uint4(i, ~i, i, ~i);
}

__global__ void fill_words(uint32_t *data)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = i * 3;
}

int main()
{
    const uint32_t quads = 4u << 20, words = 4u << 20;
    verify::Program program("fill_memory");
    verify::Buffer<uint32_t> data(4 * quads);
    fill_wide<<<528, 256>>>((uint4 *)data.data, quads);
    program.launched("fill_wide");
    std::vector<uint32_t> want(4 * quads);
    for (uint32_t i = 0; i < 4 * quads; i++)
        want[i] = i % 2 ? ~(i / 4) : i / 4;
    program.equal("word", data.read(), want);
    fill_words<<<words / 256, 256>>>(data.data);
    program.launched("fill_words");
    for (uint32_t i = 0; i < words; i++)
        want[i] = i * 3;
    program.equal("word", data.read(), want);
    verify::Buffer<uint32_t> sample(std::vector<uint32_t>(want.begin(), want.begin() + 4096));
    program.output("sample", sample);
    return program.finish();
}
