// Reads every 2nd, 4th, 8th, 32nd and 256th word of an array and stores the words side by side.
//
// Shows strides: from half of each sector to one sector per line and one line per page.
#include "verify.h"

__global__ void strided_copy(const uint32_t *from, uint32_t *to, uint32_t n, uint32_t stride)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        to[i] = from[(size_t)i * stride];
}

int main()
{
    const uint32_t words = 1u << 24;
    verify::Program program("strided_copy");
    std::vector<uint32_t> all = verify::random_words(words, 1);
    verify::Buffer<uint32_t> from(all);
    for (uint32_t stride : {2u, 4u, 8u, 32u, 256u}) {
        uint32_t n = std::min(words / stride, 1u << 19);
        verify::Buffer<uint32_t> to(n);
        strided_copy<<<1056, 256>>>(from.data, to.data, n, stride);
        program.launched("strided_copy");
        std::vector<uint32_t> want;
        for (uint32_t i = 0; i < n; i++)
            want.push_back(all[(size_t)i * stride]);
        program.equal("word", program.output("words", to), want);
    }
    return program.finish();
}
