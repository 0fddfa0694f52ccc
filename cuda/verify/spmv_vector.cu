// Sparse matrix times vector, one warp per row.
//
// Shows coalesced loads of a row, a sum by shuffles, and idle lanes where rows are short.
#include "sparse.h"

__global__ void spmv_vector(int rows, const int *start, const int *column, const float *value,
                            const float *x, float *y)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int k = start[row] + lane; k < start[row + 1]; k += 32)
        sum += value[k] * x[column[k]];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (lane == 0)
        y[row] = sum;
}

int main()
{
    verify::Program program("spmv_vector");
    Sparse matrix = sparse_random(6000 * verify::size(), 12, 1);
    std::vector<float> x = verify::random_floats(matrix.rows, 9);
    verify::Buffer<int> start(matrix.start), column(matrix.column);
    verify::Buffer<float> value(matrix.value), device_x(x), y(matrix.rows);

    spmv_vector<<<(matrix.rows + 3) / 4, 128>>>(matrix.rows, start.data, column.data, value.data,
                                                device_x.data, y.data);
    program.launched("spmv_vector");

    std::vector<double> want(matrix.rows, 0.0);
    for (int row = 0; row < matrix.rows; row++)
        for (int k = matrix.start[row]; k < matrix.start[row + 1]; k++)
            want[row] += (double)matrix.value[k] * x[matrix.column[k]];
    program.close("y", program.output("y", y), want, 1e-5, 1e-5);
    return program.finish();
}
