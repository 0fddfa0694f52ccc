// All warps read a table of 48 KB in constant memory, the same word for all lanes: each block from
// another place on, first in order, then with a stride of a line.
//
// Shows constant caches that are smaller than the table: the cache of an SM holds a few KB, the
// next level a few tens.
#include "verify.h"

const int words = 12288;
__constant__ uint32_t table[words];

__global__ void constant_walk(int step, int reads, uint32_t *sums)
{
    uint32_t at = blockIdx.x * 1024 % words, sum = 0;
    for (int k = 0; k < reads; k++) {
        sum = sum * 3 + table[at];
        at += step;
        at -= at >= words ? words : 0;
    }
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main()
{
    const int blocks = 264, block = 64, reads = 384;
    verify::Program program("constant_walk");
    std::vector<uint32_t> values = verify::random_words(words, 1);
    verify::must(cudaMemcpyToSymbol(table, values.data(), words * 4), "cudaMemcpyToSymbol");
    verify::Buffer<uint32_t> sums(blocks * block);
    for (int step : {1, 16, 65}) {
        constant_walk<<<blocks, block>>>(step, reads, sums.data);
        program.launched("constant_walk");
        std::vector<uint32_t> want;
        for (int b = 0; b < blocks; b++) {
            uint32_t sum = 0;
            for (int k = 0; k < reads; k++)
                sum = sum * 3 + values[(b * 1024 % words + k * step) % words];
            want.insert(want.end(), block, sum);
        }
        program.equal("sum", program.output("sums", sums), want);
    }
    return program.finish();
}
