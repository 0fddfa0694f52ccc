// Matrix product C = A B, 256 x 256, the plain way: each thread reads a row of A and a column of B.
//
// Shows lesson 11 of docs/lessons: two loads for each multiplication, full occupancy, and yet the
// slowest of matmul_naive, matmul_tiled16 and matmul_tiled32.
#include "verify.h"

__global__ void matmul_naive(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

int main()
{
    const int n = 256 * verify::size();
    verify::Program program("matmul_naive");
    std::vector<float> a = verify::random_floats(n * n, 1), b = verify::random_floats(n * n, 2);
    verify::Buffer<float> device_a(a), device_b(b), device_c(n * n);

    matmul_naive<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(device_a.data, device_b.data,
                                                         device_c.data, n);
    program.launched("matmul_naive");

    std::vector<double> want(n * n, 0.0);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                want[i * n + j] += (double)a[i * n + k] * b[k * n + j];
    program.close("c", program.output("c", device_c), want, 1e-5, 1e-4);
    return program.finish();
}
