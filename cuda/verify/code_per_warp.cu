// Every warp of a block runs a part of the code of its own, 16 parts of 10 KB each; in a second
// launch all run the same part.
//
// Shows warps that compete for the instruction caches of an SM, against warps that share their
// code.
#include "verify.h"

const int parts = 16;

template <int PART, int N> __host__ __device__ __forceinline__ void steps(uint32_t &x, uint32_t &y)
{
    if constexpr (N <= 8) {
        for (int k = 0; k < N; k++) {
            x = x * (uint32_t)(PART * 4 + k * 64 + 2654435761u) + y;
            y ^= x >> (k + PART % 8 + 3);
        }
    } else {
        steps<PART, N / 2>(x, y);
        steps<PART, N - N / 2>(y, x);
    }
}

template <int PART> __host__ __device__ __noinline__ uint32_t part(uint32_t x)
{
    uint32_t y = ~x;
    steps<PART, 200>(x, y);
    return x ^ y;
}

template <int PART = 0> __host__ __device__ inline uint32_t choose(int number, uint32_t x)
{
    if constexpr (PART < parts) {
        if (number == PART)
            return part<PART>(x);
        return choose<PART + 1>(number, x);
    }
    return x;
}

__global__ void code_per_warp(uint32_t *out, int different, int rounds)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, x = i;
    int number = different ? threadIdx.x / 32 % parts : 5;
    for (int r = 0; r < rounds; r++)
        x = choose(number, x);
    out[i] = x;
}

int main()
{
    const int threads = 66 * 512, rounds = 3;
    verify::Program program("code_per_warp");
    verify::Buffer<uint32_t> out(threads);
    for (int different : {1, 0}) {
        code_per_warp<<<threads / 512, 512>>>(out.data, different, rounds);
        program.launched("code_per_warp");
        std::vector<uint32_t> want;
        for (int i = 0; i < threads; i++) {
            uint32_t x = (uint32_t)i;
            for (int r = 0; r < rounds; r++)
                x = choose(different ? i / 32 % parts : 5, x);
            want.push_back(x);
        }
        program.equal("word", program.output("words", out), want);
    }
    return program.finish();
}
