// Copies 24 MB in five ways: 4, 8 and 16 bytes per lane, four loads of 16 bytes before the stores,
// and two words that lie far apart per lane.
//
// Shows the bandwidth of DRAM for reads and writes, and how many bytes must be under way for it.
#include "verify.h"

template <typename T> __global__ void copy(const T *from, T *to, uint32_t n)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}

__global__ void copy_four(const uint4 *from, uint4 *to, uint32_t n)
{
    uint32_t i = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    uint4 q[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        q[k] = i + k * blockDim.x < n ? from[i + k * blockDim.x] : make_uint4(0, 0, 0, 0);
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * blockDim.x < n)
            to[i + k * blockDim.x] = q[k];
}

__global__ void copy_halves(const uint32_t *from, uint32_t *to, uint32_t n)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t a = from[i], b = from[i + n / 2];
    to[i] = a, to[i + n / 2] = b;
}

int main()
{
    const uint32_t n = 6u << 20; // words
    verify::Program program("copy_wide");
    std::vector<uint32_t> words = verify::random_words(n, 1);
    verify::Buffer<uint32_t> from(words);
    for (int way = 0; way < 5; way++) {
        verify::Buffer<uint32_t> to(n);
        if (way == 0)
            copy<<<n / 256, 256>>>(from.data, to.data, n);
        else if (way == 1)
            copy<<<n / 512, 256>>>((uint2 *)from.data, (uint2 *)to.data, n / 2);
        else if (way == 2)
            copy<<<n / 1024, 256>>>((uint4 *)from.data, (uint4 *)to.data, n / 4);
        else if (way == 3)
            copy_four<<<n / 4096, 256>>>((uint4 *)from.data, (uint4 *)to.data, n / 4);
        else
            copy_halves<<<n / 512, 256>>>(from.data, to.data, n);
        program.launched("copy");
        program.equal("word", program.output("words", to), words);
    }
    return program.finish();
}
