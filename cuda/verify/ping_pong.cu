// Pairs of blocks hand a buffer of 32 KB to and fro: one writes it, the other reads it and writes
// an answer, 8 times.
//
// Shows data that go from SM to SM through L2: lines that one SM has just written and another
// reads, and a flag that is polled.
#include "verify.h"

const int words = 8192, block = 256;

__device__ void wait_for(volatile unsigned *flag, unsigned value)
{
    if (threadIdx.x == 0) {
        while (*flag != value)
            ;
        __threadfence();
    }
    __syncthreads();
}

__device__ void tell(volatile unsigned *flag, unsigned value)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        *flag = value;
    }
}

__global__ void ping_pong(uint32_t *buffers, unsigned *flags, int rounds)
{
    uint32_t *buffer = buffers + blockIdx.x / 2 * words;
    volatile unsigned *flag = flags + blockIdx.x / 2 * 32;
    unsigned second = blockIdx.x % 2;
    for (int r = 0; r < rounds; r++) {
        wait_for(flag, 2 * r + second);
        for (int k = threadIdx.x; k < words; k += block) {
            uint32_t word = __ldcg(&buffer[k]);
            __stcg(&buffer[k], second ? word * 5 + r : word ^ (k + r));
        }
        tell(flag, 2 * r + second + 1);
    }
}

int main()
{
    const int pairs = 60, rounds = 8;
    verify::Program program("ping_pong");
    verify::Buffer<uint32_t> buffers(pairs * words);
    verify::Buffer<unsigned> flags(pairs * 32);
    ping_pong<<<2 * pairs, block>>>(buffers.data, flags.data, rounds);
    program.launched("ping_pong");
    std::vector<uint32_t> want;
    for (int i = 0; i < pairs * words; i++) {
        uint32_t word = 0;
        for (int r = 0; r < rounds; r++)
            word = (word ^ (i % words + r)) * 5 + r;
        want.push_back(word);
    }
    program.equal("word", program.output("words", buffers), want);
    return program.finish();
}
