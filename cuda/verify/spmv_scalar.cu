// Sparse matrix times vector, one thread per row.
//
// Shows loops whose length differs between lanes, scattered loads, and one long row that holds up a
// whole warp; spmv_vector is the other way.
#include "sparse.h"

__global__ void spmv_scalar(int rows, const int *start, const int *column, const float *value,
                            const float *x, float *y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int k = start[row]; k < start[row + 1]; k++)
        sum += value[k] * x[column[k]];
    y[row] = sum;
}

int main()
{
    verify::Program program("spmv_scalar");
    Sparse matrix = sparse_random(6000 * verify::size(), 12, 1);
    std::vector<float> x = verify::random_floats(matrix.rows, 9);
    verify::Buffer<int> start(matrix.start), column(matrix.column);
    verify::Buffer<float> value(matrix.value), device_x(x), y(matrix.rows);

    spmv_scalar<<<(matrix.rows + 127) / 128, 128>>>(matrix.rows, start.data, column.data,
                                                    value.data, device_x.data, y.data);
    program.launched("spmv_scalar");

    std::vector<double> want(matrix.rows, 0.0);
    for (int row = 0; row < matrix.rows; row++)
        for (int k = matrix.start[row]; k < matrix.start[row + 1]; k++)
            want[row] += (double)matrix.value[k] * x[matrix.column[k]];
    program.close("y", program.output("y", y), want, 1e-5, 1e-5);
    return program.finish();
}
