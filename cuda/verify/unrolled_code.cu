// Straight code of 2500, 5000 and 20000 steps, without a loop: every warp passes through it once.
//
// Shows instruction fetch: code that fits into none of the caches of an SM, and warps that follow
// each other through it.
#include "verify.h"

template <int N> __host__ __device__ __forceinline__ void steps(uint32_t &x, uint32_t &y)
{
    if constexpr (N <= 10) {
        for (int k = 0; k < N; k++) {
            x = x * (2654435761u + 2 * k) + y;
            y ^= x >> (k + 3);
        }
    } else {
        steps<N / 2>(x, y);
        x ^= N * 77777u;
        steps<N - N / 2>(y, x);
    }
}

template <int N> __global__ void unrolled_code(uint32_t *out)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, x = i, y = ~i;
    steps<N>(x, y);
    out[i] = x ^ y;
}

template <int N> void test(verify::Program &program, uint32_t threads)
{
    verify::Buffer<uint32_t> out(threads);
    unrolled_code<N><<<threads / 32, 32>>>(out.data);
    program.launched("unrolled_code");
    std::vector<uint32_t> want;
    for (uint32_t i = 0; i < threads; i++) {
        uint32_t x = i, y = ~i;
        steps<N>(x, y);
        want.push_back(x ^ y);
    }
    program.equal("word", program.output("words", out), want);
}

int main()
{
    verify::Program program("unrolled_code");
    test<1250>(program, 132 * 32);
    test<2500>(program, 132 * 32);
    test<10000>(program, 132 * 32);
    return program.finish();
}
