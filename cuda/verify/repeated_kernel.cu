// The same kernel five times over 1 MB: the second and later launches find code, constants and data
// in the caches if nobody empties them.
//
// Shows what the first launch pays on cold caches, and what a launch itself takes.
#include "verify.h"

__global__ void repeated_kernel(uint32_t *data, uint32_t key)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = (data[i] ^ key) * 2654435769u + (data[i] >> 5);
}

int main()
{
    const uint32_t n = 1 << 18;
    verify::Program program("repeated_kernel");
    std::vector<uint32_t> words = verify::random_words(n, 1);
    verify::Buffer<uint32_t> data(words);
    for (uint32_t k = 0; k < 5; k++) {
        repeated_kernel<<<n / 256, 256>>>(data.data, k);
        program.launched("repeated_kernel");
        for (uint32_t &word : words)
            word = (word ^ k) * 2654435769u + (word >> 5);
        program.equal("word", program.output("words", data), words);
    }
    return program.finish();
}
