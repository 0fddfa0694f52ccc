// A switch of 200 cases, each with other operations, in a loop: the case is the same for all lanes
// of a warp, or another for each group of eight lanes.
//
// Shows jumps through a table of 200 addresses, code that is visited at random, and divergence.
#include "verify.h"

#define CASE(n)                                                                                    \
    case (n):                                                                                      \
        x = (x ^ (x >> ((n) % 13 + 3))) * (2u * (n) + 2654435769u) + (x << ((n) % 7 + 1));         \
        x = x % ((n)*1000u + 65537u) ^ x * ((n) + 3u) ^ (x >> ((n) % 5 + 8));                      \
        break;
#define FIVE(n) CASE(n) CASE(n + 1) CASE(n + 2) CASE(n + 3) CASE(n + 4)
#define FIFTY(n)                                                                                   \
    FIVE(n)                                                                                        \
    FIVE(n + 5)                                                                                    \
    FIVE(n + 10) FIVE(n + 15) FIVE(n + 20) FIVE(n + 25) FIVE(n + 30) FIVE(n + 35) FIVE(n + 40)     \
        FIVE(n + 45)

__host__ __device__ inline uint32_t step(uint32_t choice, uint32_t x)
{
    switch (choice) {
        FIFTY(0)
        FIFTY(50)
        FIFTY(100)
        FIFTY(150)
    }
    return x;
}

__host__ __device__ inline uint32_t run(uint32_t group, uint32_t x, int rounds)
{
    for (int r = 0; r < rounds; r++)
        x = step(verify::random_word(group, r) % 200, x);
    return x;
}

__global__ void big_switch(uint32_t *out, int lanes, int rounds)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = run(i / lanes, i, rounds);
}

int main()
{
    const int threads = 16896, rounds = 20;
    verify::Program program("big_switch");
    verify::Buffer<uint32_t> out(threads);
    for (int lanes : {32, 8}) {
        big_switch<<<threads / 128, 128>>>(out.data, lanes, rounds);
        program.launched("big_switch");
        std::vector<uint32_t> want;
        for (uint32_t i = 0; i < threads; i++)
            want.push_back(run(i / lanes, i, rounds));
        program.equal("word", program.output("words", out), want);
    }
    return program.finish();
}
