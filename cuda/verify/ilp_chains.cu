// One warp computes 1, 2, 4 and 8 independent chains of multiply-adds, of the same total length;
// then sixteen warps, four per sub-partition, compute one chain each.
//
// Shows parallelism within a warp against parallelism between warps.
#include "verify.h"

template <int CHAINS> __global__ void ilp_chains(uint32_t *out, int steps)
{
    uint32_t x[CHAINS], sum = 0;
    for (int c = 0; c < CHAINS; c++)
        x[c] = threadIdx.x + c;
#pragma unroll 8
    for (int k = 0; k < steps / CHAINS; k++)
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            x[c] = x[c] * 1664525u + 1013904223u;
    for (int c = 0; c < CHAINS; c++)
        sum ^= x[c];
    out[threadIdx.x] = sum;
}

template <int CHAINS> void test(verify::Program &program, int threads)
{
    const int steps = 16384;
    verify::Buffer<uint32_t> out(threads);
    ilp_chains<CHAINS><<<1, threads>>>(out.data, steps);
    program.launched("ilp_chains");
    std::vector<uint32_t> want(threads, 0);
    for (int i = 0; i < threads; i++)
        for (int c = 0; c < CHAINS; c++) {
            uint32_t x = (uint32_t)(i + c);
            for (int k = 0; k < steps / CHAINS; k++)
                x = x * 1664525u + 1013904223u;
            want[i] ^= x;
        }
    program.equal("word", program.output("words", out), want);
}

int main()
{
    verify::Program program("ilp_chains");
    test<1>(program, 32);
    test<2>(program, 32);
    test<4>(program, 32);
    test<8>(program, 32);
    test<1>(program, 512);
    return program.finish();
}
