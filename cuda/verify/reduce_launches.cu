// Sum of two million words by a tree of launches: each block adds up 512 words, then their sums
// again, until one is left.
//
// Shows launches that become smaller and smaller, down to one block that waits for its few loads.
#include "verify.h"

__global__ void reduce_launches(const uint32_t *in, uint32_t n, uint32_t *out)
{
    __shared__ uint32_t sums[8];
    uint32_t i = blockIdx.x * 512 + threadIdx.x, sum = i < n ? in[i] : 0;
    sum += i + 256 < n ? in[i + 256] : 0;
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; w++)
            sum += sums[w];
        out[blockIdx.x] = sum;
    }
}

int main()
{
    uint32_t n = 1 << 21, want = 0;
    verify::Program program("reduce_launches");
    std::vector<uint32_t> words = verify::random_words(n, 1);
    for (uint32_t word : words)
        want += word;
    verify::Buffer<uint32_t> a(words), b(n / 512), *from = &a, *to = &b;
    while (n > 1) {
        uint32_t blocks = (n + 511) / 512;
        reduce_launches<<<blocks, 256>>>(from->data, n, to->data);
        program.launched("reduce_launches");
        std::swap(from, to);
        n = blocks;
    }
    std::vector<uint32_t> got = program.output("sum", *from);
    program.holds("sum", got[0] == want);
    return program.finish();
}
