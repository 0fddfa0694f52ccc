// Jacobi iterations for a diagonally dominant system in double precision, and the residual's norm.
//
// Shows DADD, DMUL, DFMA, double division and sqrt, and 64-bit shuffles.
#include "verify.h"

__device__ double warp_sum(double value)
{
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    return value;
}

/// One warp per row.
__global__ void jacobi(const double *matrix, const double *b, const double *x, double *next, int n)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    double sum = 0.0;
    for (int k = threadIdx.x; k < n; k += 32)
        if (k != row)
            sum += matrix[row * n + k] * x[k];
    sum = warp_sum(sum);
    if (threadIdx.x == 0)
        next[row] = (b[row] - sum) / matrix[row * n + row];
}

__global__ void norm(const double *a, const double *b, int n, double *result)
{
    double sum = 0.0;
    for (int k = threadIdx.x; k < n; k += 32)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    sum = warp_sum(sum);
    if (threadIdx.x == 0)
        *result = sqrt(sum);
}

int main()
{
    const int n = 128, steps = 12;
    verify::Program program("jacobi_f64");
    std::vector<double> matrix, b(n, 0.0), solution, zero(n, 0.0);
    for (uint32_t i = 0; i < (uint32_t)(n * n); i++)
        matrix.push_back(verify::random_unit(1, i) - 0.5 + (i / n == i % n ? 64.0 : 0.0));
    for (uint32_t i = 0; i < (uint32_t)n; i++)
        solution.push_back(verify::random_unit(2, i));
    for (int i = 0; i < n * n; i++)
        b[i / n] += matrix[i] * solution[i % n];
    verify::Buffer<double> device_matrix(matrix), device_b(b), x(zero), y(zero), result(1);
    for (int i = 0; i < steps; i += 2) {
        jacobi<<<n / 4, dim3(32, 4)>>>(device_matrix.data, device_b.data, x.data, y.data, n);
        program.launched("jacobi");
        program.output("x", y);
        jacobi<<<n / 4, dim3(32, 4)>>>(device_matrix.data, device_b.data, y.data, x.data, n);
        program.launched("jacobi");
        program.output("x", x);
    }
    norm<<<1, 32>>>(x.data, y.data, n, result.data);
    program.launched("norm");
    program.holds("a last step below 1e-6", program.output("norm", result)[0] < 1e-6);
    program.close("x", x.read(), solution, 1e-6, 1e-6);
    return program.finish();
}
