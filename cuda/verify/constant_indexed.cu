// Substitutes bytes by a table of 256 words in constant memory, so that the lanes of a warp read up
// to 32 different words at once.
//
// Shows what divergent addresses cost in constant memory: the words are served one after another;
// few different ones in the first launch, random ones in the second.
#include "verify.h"

__constant__ uint32_t table[256];

__global__ void constant_indexed(const uint32_t *in, uint32_t *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint32_t word = in[i];
#pragma unroll
    for (int round = 0; round < 6; round++)
        word = table[word & 255] ^ word >> 8 ^ word << 24;
    out[i] = word;
}

int main()
{
    const int n = 100000 * verify::size();
    verify::Program program("constant_indexed");
    std::vector<uint32_t> values = verify::random_words(256, 1);
    verify::must(cudaMemcpyToSymbol(table, values.data(), 1024), "cudaMemcpyToSymbol");
    for (uint32_t different : {4u, 0u}) {
        std::vector<uint32_t> in = verify::random_words(n, 2, different), want;
        verify::Buffer<uint32_t> from(in), to(n);
        constant_indexed<<<(n + 255) / 256, 256>>>(from.data, to.data, n);
        program.launched("constant_indexed");
        for (uint32_t word : in) {
            for (int round = 0; round < 6; round++)
                word = values[word & 255] ^ word >> 8 ^ word << 24;
            want.push_back(word);
        }
        program.equal("word", program.output("words", to), want);
    }
    return program.finish();
}
