// Sums of columns of a matrix whose rows lie 64 KB apart (256 MB in all): each warp walks down 32
// columns, and a second kernel takes one column per thread, 256 bytes from its neighbour's.
//
// Shows long strides: a line of each page, rows of DRAM that are opened for one line or one sector.
#include "verify.h"

const size_t row_words = 16384;

__host__ __device__ inline uint32_t value(uint32_t row, uint32_t column)
{
    return (row * 77u ^ column) & 1023;
}

__global__ void fill(uint32_t *matrix, uint32_t rows)
{
    uint32_t column = blockIdx.x % 8 * 128 + threadIdx.x, first = blockIdx.x / 8 * 16;
    for (uint32_t row = first; row < first + 16 && row < rows; row++)
        matrix[row * row_words + column] = value(row, column);
}

__global__ void column_sum(const uint32_t *matrix, uint32_t rows, uint32_t step, uint32_t *sums)
{
    uint32_t column = (blockIdx.x % 8 * 32 + threadIdx.x % 32) * step;
    uint32_t part = blockIdx.x / 8 * 8 + threadIdx.x / 32, sum = 0;
#pragma unroll 4
    for (uint32_t row = part; row < rows; row += 128)
        sum += matrix[row * row_words + column];
    atomicAdd(&sums[blockIdx.x % 8 * 32 + threadIdx.x % 32], sum);
}

int main()
{
    const uint32_t rows = 4096;
    verify::Program program("column_sum");
    verify::Buffer<uint32_t> matrix(rows * row_words);
    fill<<<8 * rows / 16, 128>>>(matrix.data, rows);
    program.launched("fill");
    for (uint32_t step : {1u, 64u}) { // with 64 few columns are filled, and the others are zero
        verify::Buffer<uint32_t> sums(256);
        column_sum<<<8 * 16, 256>>>(matrix.data, rows, step, sums.data);
        program.launched("column_sum");
        std::vector<uint32_t> want(256, 0);
        for (uint32_t row = 0; row < rows; row++)
            for (uint32_t c = 0; c < 256 && c * step < 1024; c++)
                want[c] += value(row, c * step);
        program.equal("sum", program.output("sums", sums), want);
    }
    return program.finish();
}
