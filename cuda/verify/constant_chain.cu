// Follows a chain of indices through a table in constant memory, of 1 KB, 8 KB and 60 KB, in one
// warp per SM.
//
// Shows the latency of loads of constants, with each address the result of the load before.
#include "verify.h"

const uint32_t words = 15360;
__constant__ uint32_t chain[words];

__global__ void constant_chain(uint32_t first, uint32_t steps, uint32_t *out)
{
    uint32_t at = first;
#pragma unroll 1
    for (uint32_t k = 0; k < steps; k++)
        at = chain[at];
    out[blockIdx.x * 32 + threadIdx.x] = at;
}

int main()
{
    const uint32_t steps = 1000, warps = 132;
    verify::Program program("constant_chain");
    for (uint32_t length : {256u, 2048u, words}) {
        std::vector<uint32_t> next(words, 0);
        for (uint32_t k = 0; k < length; k++)
            next[k] = (k + 17 * 5) % length; // 17 lines of 5 words are not a multiple of any line
        verify::must(cudaMemcpyToSymbol(chain, next.data(), words * 4), "cudaMemcpyToSymbol");
        verify::Buffer<uint32_t> out(warps * 32);
        constant_chain<<<warps, 32>>>(1, steps, out.data);
        program.launched("constant_chain");
        std::vector<uint32_t> want(warps * 32, (1 + steps * 85) % length);
        program.equal("end", program.output("ends", out), want);
    }
    return program.finish();
}
