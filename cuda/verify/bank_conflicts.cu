// Loads from shared memory with 1, 2, 4 and 8 lanes per bank, and of 16 bytes per lane, beside a
// chain of arithmetic, by eight warps per SM.
//
// Shows bank conflicts while other warps want shared memory too: does arithmetic hide them?
#include "verify.h"

const int words = 4096;

template <int STRIDE> __global__ void bank_conflicts(uint32_t *out, int rounds)
{
    __shared__ __align__(16) uint32_t data[words];
    uint32_t t = threadIdx.x, x = t, at = t * STRIDE;
    for (int k = t; k < words; k += blockDim.x)
        data[k] = verify::random_word(1, k);
    __syncthreads();
#pragma unroll 4
    for (int r = 0; r < rounds; r++) {
        if (STRIDE == 16) { // four words that follow each other: no conflict within 8 lanes
            uint4 q = *(const uint4 *)&data[(t * 4 + r * 64) % words];
            x = x * 5 + (q.x ^ q.y ^ q.z ^ q.w);
        } else {
            x = x * 5 + data[(at + r * 33) % words];
        }
        x ^= x >> 7;
    }
    out[blockIdx.x * blockDim.x + t] = x;
}

template <int STRIDE> void test(verify::Program &program)
{
    const int blocks = 132, block = 256, rounds = 64;
    verify::Buffer<uint32_t> out(blocks * block);
    bank_conflicts<STRIDE><<<blocks, block>>>(out.data, rounds);
    program.launched("bank_conflicts");
    std::vector<uint32_t> want;
    for (int t = 0; t < block; t++) {
        uint32_t x = (uint32_t)t;
        for (int r = 0; r < rounds; r++) {
            uint32_t loaded = 0;
            for (int k = 0; k < (STRIDE == 16 ? 4 : 1); k++)
                loaded ^= verify::random_word(
                    1, (STRIDE == 16 ? t * 4 + r * 64 + k : t * STRIDE + r * 33) % words);
            x = x * 5 + loaded;
            x ^= x >> 7;
        }
        want.push_back(x);
    }
    for (int i = block; i < blocks * block; i++)
        want.push_back(want[i % block]);
    program.equal("word", program.output("words", out), want);
}

int main()
{
    verify::Program program("bank_conflicts");
    test<1>(program);
    test<2>(program);
    test<4>(program);
    test<8>(program);
    test<16>(program);
    return program.finish();
}
