// Atomics on shared memory by all warps of a block at once: additions to one word, to 2, 8, 32 and
// 1024 words, the word before used or not, and maxima, 64-bit additions and float additions.
//
// Shows contention within a warp and between warps of an SM.
#include "verify.h"

typedef unsigned long long Wide;
const int rounds = 16;

__global__ void shared_atomics(uint32_t *counts, uint32_t *largest, Wide *wide, float *floats)
{
    __shared__ uint32_t count[5][1024], most[64];
    __shared__ Wide sum[64];
    __shared__ float parts[64];
    uint32_t t = threadIdx.x, returned = 0;
    for (uint32_t k = 0; k < 5; k++)
        for (uint32_t w = t; w < 1024; w += blockDim.x)
            count[k][w] = 0;
    if (t < 64)
        most[t] = 0, sum[t] = 0, parts[t] = 0.0f;
    __syncthreads();
    for (uint32_t r = 0; r < rounds; r++) {
        uint32_t word = verify::random_word(r, t);
        atomicAdd(&count[0][0], 1u);
        atomicAdd(&count[1][word % 2], 1u);
        atomicAdd(&count[2][word % 8], 1u);
        returned += atomicAdd(&count[3][word % 32], 1u);
        returned += atomicAdd(&count[4][word % 1024], 1u);
        atomicMax(&most[word % 64], word);
        atomicAdd(&sum[word % 64], (Wide)word);
        atomicAdd(&parts[word % 64], (float)(word >> 24)); // whole numbers: exact in any order
    }
    atomicMax(&most[63], returned >> 31); // 0: keeps the returned words
    __syncthreads();
    for (uint32_t k = 0; k < 5; k++)
        for (uint32_t w = t; w < 1024; w += blockDim.x)
            counts[(blockIdx.x * 5 + k) * 1024 + w] = count[k][w];
    if (t < 64) {
        largest[blockIdx.x * 64 + t] = most[t];
        wide[blockIdx.x * 64 + t] = sum[t];
        floats[blockIdx.x * 64 + t] = parts[t];
    }
}

int main()
{
    const uint32_t blocks = 132, block = 256, words[5] = {1, 2, 8, 32, 1024};
    verify::Program program("shared_atomics");
    verify::Buffer<uint32_t> counts(blocks * 5 * 1024), largest(blocks * 64);
    verify::Buffer<Wide> wide(blocks * 64);
    verify::Buffer<float> floats(blocks * 64);
    shared_atomics<<<blocks, block>>>(counts.data, largest.data, wide.data, floats.data);
    program.launched("shared_atomics");

    std::vector<uint32_t> count(blocks * 5 * 1024, 0), most(blocks * 64, 0);
    std::vector<Wide> sum(blocks * 64, 0);
    std::vector<float> parts(blocks * 64, 0.0f);
    for (uint32_t b = 0; b < blocks; b++)
        for (uint32_t i = 0; i < block * rounds; i++) {
            uint32_t word = verify::random_word(i / block, i % block), at = b * 64 + word % 64;
            for (uint32_t k = 0; k < 5; k++)
                count[(b * 5 + k) * 1024 + word % words[k]]++;
            most[at] = std::max(most[at], word);
            sum[at] += word;
            parts[at] += (float)(word >> 24);
        }
    program.equal("count", program.output("counts", counts), count);
    program.equal("largest", program.output("largest", largest), most);
    program.equal("sum", program.output("wide", wide), sum);
    program.equal("float", program.output("floats", floats), parts);
    return program.finish();
}
