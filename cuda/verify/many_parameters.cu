// A kernel with 3.9 KB of parameters: each thread adds up all of them in a fixed order, then those
// that its block and its lane choose.
//
// Shows parameters in constant memory that are read for the first time by each SM, with addresses
// that are fixed, uniform, and different for each lane.
#include "verify.h"

struct Parameters {
    uint32_t word[960];
};

__global__ void many_parameters(const __grid_constant__ Parameters p, uint32_t *out)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
#pragma unroll
    for (int k = 0; k < 960; k++)
        sum = (sum ^ p.word[k]) + k;
    for (uint32_t k = 0; k < 32; k++)
        sum += p.word[(blockIdx.x * 29 + k * 31) % 960] ^ k;
    for (uint32_t k = 0; k < 8; k++)
        sum += p.word[(i % 32 * 3 + k * 111) % 960];
    out[i] = sum;
}

int main()
{
    const uint32_t blocks = 264, block = 128;
    verify::Program program("many_parameters");
    Parameters p;
    for (uint32_t k = 0; k < 960; k++)
        p.word[k] = verify::random_word(1, k);
    verify::Buffer<uint32_t> out(blocks * block);
    many_parameters<<<blocks, block>>>(p, out.data);
    program.launched("many_parameters");

    uint32_t fixed = 0;
    for (uint32_t k = 0; k < 960; k++)
        fixed = (fixed ^ p.word[k]) + k;
    std::vector<uint32_t> want;
    for (uint32_t i = 0; i < blocks * block; i++) {
        uint32_t sum = fixed;
        for (uint32_t k = 0; k < 32; k++)
            sum += p.word[(i / block * 29 + k * 31) % 960] ^ k;
        for (uint32_t k = 0; k < 8; k++)
            sum += p.word[(i % 32 * 3 + k * 111) % 960];
        want.push_back(sum);
    }
    program.equal("sum", program.output("sums", out), want);
    return program.finish();
}
