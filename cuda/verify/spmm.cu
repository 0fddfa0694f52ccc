// Sparse matrix times a dense matrix of 32 columns: one warp per row, one lane per column.
//
// Shows a column number that is the same for all lanes, and a line of the dense matrix for each
// entry.
#include "sparse.h"

const int columns = 32;

__global__ void spmm(int rows, const int *start, const int *column, const float *value,
                     const float *dense, float *out)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float sum = 0.0f;
#pragma unroll 4
    for (int k = start[row]; k < start[row + 1]; k++)
        sum += value[k] * dense[column[k] * columns + lane];
    out[row * columns + lane] = sum;
}

int main()
{
    verify::Program program("spmm");
    Sparse matrix = sparse_random(8000 * verify::size(), 16, 1);
    std::vector<float> dense = verify::random_floats(matrix.rows * columns, 9);
    verify::Buffer<int> start(matrix.start), column(matrix.column);
    verify::Buffer<float> value(matrix.value), device_dense(dense), out(matrix.rows * columns);
    spmm<<<(matrix.rows + 3) / 4, 128>>>(matrix.rows, start.data, column.data, value.data,
                                         device_dense.data, out.data);
    program.launched("spmm");
    std::vector<double> want(matrix.rows * columns, 0.0);
    for (int row = 0; row < matrix.rows; row++)
        for (int k = matrix.start[row]; k < matrix.start[row + 1]; k++)
            for (int c = 0; c < columns; c++)
                want[row * columns + c] +=
                    (double)matrix.value[k] * dense[matrix.column[k] * columns + c];
    program.close("product", program.output("product", out), want, 1e-5, 1e-5);
    return program.finish();
}
