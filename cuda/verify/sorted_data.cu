// Work on those elements alone that are at least 128: in random, then in sorted data.
//
// Shows lesson 2 of docs/lessons: the threads do the same work either way; sorted, half as many
// warps do it.
#include "verify.h"

const int grid = 320, block = 128, each = 4, steps = 64;

__host__ __device__ static unsigned work(unsigned x)
{
    for (int i = 0; i < steps; i++)
        x = x * 1664525u + (x >> 7);
    return x;
}

__global__ void sorted_data(const unsigned *in, unsigned *out)
{
    for (int r = 0; r < each; r++) {
        int i = (r * gridDim.x + blockIdx.x) * block + threadIdx.x;
        unsigned x = in[i];
        if (x >= 128)
            x = work(x);
        out[i] = x;
    }
}

int main()
{
    verify::Program program("sorted_data");
    std::vector<uint32_t> in = verify::random_words(grid * block * each, 1, 256);
    verify::Buffer<unsigned> to(in.size());
    for (int sorted = 0; sorted < 2; sorted++) {
        if (sorted)
            std::sort(in.begin(), in.end());
        verify::Buffer<unsigned> from(in);
        sorted_data<<<grid, block>>>(from.data, to.data);
        program.launched("sorted_data");
        std::vector<unsigned> want;
        for (uint32_t x : in)
            want.push_back(x >= 128 ? work(x) : x);
        program.equal("out", program.output("out", to), want);
    }
    return program.finish();
}
