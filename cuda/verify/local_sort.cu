// Each thread sorts 48 keys of its own by insertion, in an array that it indexes at run time.
//
// Shows local memory: words of the lanes of a warp lie side by side, but lanes that are at
// different places of their arrays touch different lines; loads follow stores of the same words.
#include "verify.h"

const int keys = 48;

__global__ void local_sort(const uint32_t *in, uint32_t *out, int threads)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t mine[keys];
    for (int k = 0; k < keys; k++) {
        uint32_t key = in[k * threads + i];
        int at = k;
        for (; at > 0 && mine[at - 1] > key; at--)
            mine[at] = mine[at - 1];
        mine[at] = key;
    }
    for (int k = 0; k < keys; k++)
        out[k * threads + i] = mine[k];
}

int main()
{
    const int threads = 8448;
    verify::Program program("local_sort");
    std::vector<uint32_t> in = verify::random_words(keys * threads, 1), want(in.size());
    verify::Buffer<uint32_t> from(in), to(in.size());

    local_sort<<<threads / 64, 64>>>(from.data, to.data, threads);
    program.launched("local_sort");

    for (int i = 0; i < threads; i++) {
        std::vector<uint32_t> mine;
        for (int k = 0; k < keys; k++)
            mine.push_back(in[k * threads + i]);
        std::sort(mine.begin(), mine.end());
        for (int k = 0; k < keys; k++)
            want[k * threads + i] = mine[k];
    }
    program.equal("key", program.output("sorted", to), want);
    return program.finish();
}
