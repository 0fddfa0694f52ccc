// Lengths of Collatz sequences of 64-bit numbers, three blocks of 96 threads.
//
// Shows lanes that leave a loop one by one, with 64-bit integers, in few warps.
#include "verify.h"

__host__ __device__ inline uint32_t steps_from(uint64_t x)
{
    uint32_t steps = 0;
    for (; x != 1; steps++)
        x = x % 2 ? 3 * x + 1 : x / 2;
    return steps;
}

__global__ void collatz(uint32_t *steps)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    steps[i] = steps_from(1000000007ull * (i + 1));
}

int main()
{
    const uint32_t n = 288;
    verify::Program program("collatz");
    verify::Buffer<uint32_t> steps(n);
    collatz<<<3, 96>>>(steps.data);
    program.launched("collatz");
    std::vector<uint32_t> want;
    for (uint32_t i = 0; i < n; i++)
        want.push_back(steps_from(1000000007ull * (i + 1)));
    program.equal("steps", program.output("steps", steps), want);
    return program.finish();
}
