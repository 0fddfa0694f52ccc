// Each thread sorts 64 keys with a bitonic network that is unrolled: first with as many
// registers as it wants, then with 32, so that most keys are spilled.
//
// Shows register spills: stores and loads of local memory at fixed places, between comparisons.
#include "verify.h"

const int keys = 64;

template <int REGISTERS>
__global__ __maxnreg__(REGISTERS) void spilled_sort(const uint32_t *in, uint32_t *out, int threads)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t mine[keys];
#pragma unroll
    for (int k = 0; k < keys; k++)
        mine[k] = in[k * threads + i];
#pragma unroll
    for (int size = 1; size <= 6; size++)
#pragma unroll
        for (int step = size - 1; step >= 0; step--)
#pragma unroll
            for (int k = 0; k < keys; k++)
                if (!(k >> step & 1)) {
                    uint32_t a = mine[k], b = mine[k | 1 << step];
                    bool down = k >> size & 1;
                    mine[k] = down ? max(a, b) : min(a, b);
                    mine[k | 1 << step] = down ? min(a, b) : max(a, b);
                }
#pragma unroll
    for (int k = 0; k < keys; k++)
        out[k * threads + i] = mine[k];
}

int main()
{
    const int threads = 132 * 128;
    verify::Program program("spilled_sort");
    std::vector<uint32_t> in = verify::random_words(keys * threads, 1), want(in.size());
    for (int i = 0; i < threads; i++) {
        std::vector<uint32_t> mine;
        for (int k = 0; k < keys; k++)
            mine.push_back(in[k * threads + i]);
        std::sort(mine.begin(), mine.end());
        for (int k = 0; k < keys; k++)
            want[k * threads + i] = mine[k];
    }
    verify::Buffer<uint32_t> from(in), to(in.size());

    spilled_sort<160><<<threads / 128, 128>>>(from.data, to.data, threads);
    program.launched("spilled_sort");
    program.equal("key", program.output("sorted", to), want);
    spilled_sort<32><<<threads / 128, 128>>>(from.data, to.data, threads);
    program.launched("spilled_sort");
    program.equal("key", program.output("sorted", to), want);
    return program.finish();
}
