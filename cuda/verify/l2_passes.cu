// Adds up an array of 8, 16 and 28 MB five times, each time by the same blocks or by others.
//
// Shows reads that miss once and then hit L2, whose two halves together hold the array; which half
// has a line, and whether it is there twice, decides the rest.
#include "verify.h"

__global__ void l2_passes(const uint4 *data, uint32_t quads, int passes, uint32_t shift,
                          uint32_t *sums)
{
    uint32_t threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int p = 0; p < passes; p++) {
        uint32_t start = (i + p * shift) % threads;
#pragma unroll 4
        for (uint32_t k = start; k < quads; k += threads) {
            uint4 q = data[k];
            sum = sum * 3 + (q.x ^ q.y ^ q.z ^ q.w);
        }
    }
    sums[i] = sum;
}

int main()
{
    const uint32_t threads = 132 * 512;
    const int passes = 5;
    verify::Program program("l2_passes");
    for (uint32_t rounds : {8u, 15u, 26u}) {
        std::vector<uint32_t> data = verify::random_words(rounds * threads * 4, rounds), all;
        verify::Buffer<uint32_t> from(data), sums(threads);
        const uint32_t shift = rounds == 15 ? 0 : 7 * 512;
        l2_passes<<<threads / 512, 512>>>((uint4 *)from.data, rounds * threads, passes, shift,
                                          sums.data);
        program.launched("l2_passes");
        std::vector<uint32_t> want(threads, 0);
        for (uint32_t i = 0; i < threads; i++)
            for (int p = 0; p < passes; p++)
                for (uint32_t k = (i + p * shift) % threads; k < rounds * threads; k += threads)
                    want[i] = want[i] * 3 +
                              (data[4 * k] ^ data[4 * k + 1] ^ data[4 * k + 2] ^ data[4 * k + 3]);
        program.equal("sum", program.output("sums", sums), want);
    }
    return program.finish();
}
