// Looks up embeddings: for each bag of 8 tokens the sum of their rows, 128 floats each, out of a
// table of 1 GB; few tokens are frequent. The backward pass adds gradients to the rows.
//
// Shows reads of 512 bytes at random places, by one warp with 16 bytes per lane, and float atomics.
#include "verify.h"

const int width = 128, bag = 8;

__host__ __device__ inline uint32_t token(uint32_t i, uint32_t rows)
{
    uint32_t word = verify::random_word(5, i);
    return word % 4 == 0 ? word >> 20 & 63 : word % rows; // a quarter are among 64 frequent tokens
}

__global__ void backward(float *table, uint32_t rows, uint32_t tokens)
{
    uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (warp >= tokens)
        return;
    float *row = table + (size_t)token(warp, rows) * width;
    for (int k = 0; k < width / 32; k++)
        atomicAdd(&row[lane + 32 * k], 1.0f); // sums are whole numbers: exact in any order
}

__global__ void lookup(const float4 *table, uint32_t rows, float4 *sums)
{
    uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll
    for (uint32_t k = 0; k < bag; k++) {
        float4 row = table[(size_t)token(warp * bag + k, rows) * (width / 4) + lane];
        sum.x += row.x, sum.y += row.y, sum.z += row.z, sum.w += row.w;
    }
    sums[warp * (width / 4) + lane] = sum;
}

int main()
{
    const uint32_t rows = 1 << 21, bags = 4096, trained = 8192;
    verify::Program program("embedding_lookup");
    verify::Buffer<float> table((size_t)rows * width), sums(bags * width);

    backward<<<trained / 4, 128>>>(table.data, rows, trained);
    program.launched("backward");
    lookup<<<bags / 4, 128>>>((float4 *)table.data, rows, (float4 *)sums.data);
    program.launched("lookup");

    std::vector<uint16_t> count(rows, 0);
    for (uint32_t i = 0; i < trained; i++)
        count[token(i, rows)]++;
    std::vector<float> want(bags * width, 0.0f);
    for (uint32_t i = 0; i < bags * bag; i++)
        for (int k = 0; k < width; k++)
            want[i / bag * width + k] += count[token(i, rows)];
    program.equal("sum", program.output("sums", sums), want);
    return program.finish();
}
