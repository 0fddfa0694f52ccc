// All blocks read the same tile of 256 KB, word by word in the same order, and multiply it with
// their own vector; then each block begins at another place of the tile.
//
// Shows lines that all SMs want at the same time, against lines that are asked for at different
// times.
#include "verify.h"

const int columns = 256, rows = 256;

__global__ void shared_tile(const float *tile, const float *vectors, int shift, float *out)
{
    float mine = vectors[blockIdx.x * columns + threadIdx.x], sum = 0.0f;
    int start = blockIdx.x * shift % rows;
#pragma unroll 8
    for (int r = 0; r < rows; r++) {
        int row = (r + start) & (rows - 1);
        sum += tile[row * columns + threadIdx.x] * mine;
    }
    out[blockIdx.x * columns + threadIdx.x] = sum;
}

int main()
{
    const int blocks = 132;
    verify::Program program("shared_tile");
    std::vector<float> tile(rows * columns), vectors(blocks * columns);
    for (size_t i = 0; i < tile.size(); i++)
        tile[i] = (float)(verify::random_word(1, (uint32_t)i) % 16); // exact in any order
    for (size_t i = 0; i < vectors.size(); i++)
        vectors[i] = (float)(verify::random_word(2, (uint32_t)i) % 16);
    verify::Buffer<float> device_tile(tile), device_vectors(vectors), out(blocks * columns);
    std::vector<float> sums(columns, 0.0f), want;
    for (int i = 0; i < rows * columns; i++)
        sums[i % columns] += tile[i];
    for (int i = 0; i < blocks * columns; i++)
        want.push_back(sums[i % columns] * vectors[i]);
    for (int shift : {0, 3}) {
        shared_tile<<<blocks, columns>>>(device_tile.data, device_vectors.data, shift, out.data);
        program.launched("shared_tile");
        program.equal("sum", program.output("sums", out), want);
    }
    return program.finish();
}
