// Random reads of words from a table of 1 MB and of 16 MB, eight per thread; the tables are read
// once in order before.
//
// Shows L2 (and for the smaller table L1) as a random-access memory: a sector for each lane.
#include "verify.h"

const int reads = 8;

__global__ void gather_near(const uint32_t *table, uint32_t words, uint32_t *sums)
{
    uint32_t threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
#pragma unroll 8
    for (uint32_t k = i; k < words; k += threads)
        sum += table[k];
#pragma unroll
    for (uint32_t k = 0; k < reads; k++)
        sum = sum * 3 + table[verify::random_word(k, i) & (words - 1)];
    sums[i] = sum;
}

int main()
{
    const uint32_t threads = 132 * 512;
    verify::Program program("gather_near");
    for (uint32_t words : {1u << 18, 1u << 22}) {
        std::vector<uint32_t> table = verify::random_words(words, words), want;
        verify::Buffer<uint32_t> device_table(table), sums(threads);
        gather_near<<<threads / 512, 512>>>(device_table.data, words, sums.data);
        program.launched("gather_near");
        for (uint32_t i = 0; i < threads; i++) {
            uint32_t sum = 0;
            for (uint32_t k = i; k < words; k += threads)
                sum += table[k];
            for (uint32_t k = 0; k < reads; k++)
                sum = sum * 3 + table[verify::random_word(k, i) & (words - 1)];
            want.push_back(sum);
        }
        program.equal("sum", program.output("sums", sums), want);
    }
    return program.finish();
}
