// Reads R and writes W arrays of 4 MB at once, with R to W of 4 to 1, 2 to 1, 1 to 2 and 1 to 4.
//
// Shows turns of DRAM between reads and writes at other ratios than those of a copy.
#include "verify.h"

template <int R, int W> __global__ void mixed_ratio(const uint4 *from, uint4 *to, uint32_t quads)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < quads;
         i += gridDim.x * blockDim.x) {
        uint4 sum = make_uint4(0, 0, 0, 0);
#pragma unroll
        for (int r = 0; r < R; r++) {
            uint4 q = from[r * quads + i];
            sum.x += q.x, sum.y ^= q.y, sum.z += q.z, sum.w ^= q.w;
        }
#pragma unroll
        for (int w = 0; w < W; w++)
            to[w * quads + i] = make_uint4(sum.x + w, sum.y, sum.z, sum.w + w);
    }
}

template <int R, int W> void test(verify::Program &program, const std::vector<uint32_t> &words)
{
    const uint32_t n = (uint32_t)words.size() / 4;
    verify::Buffer<uint32_t> from(words), to(W * n);
    mixed_ratio<R, W><<<132 * 4, 256>>>((uint4 *)from.data, (uint4 *)to.data, n / 4);
    program.launched("mixed_ratio");
    std::vector<uint32_t> want(W * n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t sum = 0;
        for (uint32_t r = 0; r < R; r++)
            sum = i % 2 ? sum ^ words[r * n + i] : sum + words[r * n + i];
        for (uint32_t w = 0; w < W; w++)
            want[w * n + i] = i % 4 == 0 || i % 4 == 3 ? sum + w : sum;
    }
    program.equal("word", program.output("words", to), want);
}

int main()
{
    verify::Program program("mixed_ratio");
    std::vector<uint32_t> words = verify::random_words(4u << 20, 1);
    test<4, 1>(program, words);
    test<2, 1>(program, words);
    test<1, 2>(program, words);
    test<1, 4>(program, words);
    return program.finish();
}
