// Matrix product in double precision, 192 x 192, tiles of 32 x 32 in shared memory, four results
// per thread; then the product of complex matrices in single precision, 128 x 128.
//
// Shows DFMA beside shared memory, and four multiply-adds for each pair of complex numbers.
#include "verify.h"

const int size = 192, side = 128;

__global__ void matmul_f64(const double *a, const double *b, double *c)
{
    __shared__ double at[32][33], bt[32][33];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32, column = blockIdx.x * 32;
    double sum[4] = {};
    for (int k = 0; k < size; k += 32) {
        for (int r = 0; r < 4; r++) {
            at[y + 8 * r][x] = a[(row + y + 8 * r) * size + k + x];
            bt[y + 8 * r][x] = b[(k + y + 8 * r) * size + column + x];
        }
        __syncthreads();
#pragma unroll 8
        for (int m = 0; m < 32; m++)
#pragma unroll
            for (int r = 0; r < 4; r++)
                sum[r] += at[y + 8 * r][m] * bt[m][x];
        __syncthreads();
    }
    for (int r = 0; r < 4; r++)
        c[(row + y + 8 * r) * size + column + x] = sum[r];
}

__global__ void matmul_complex(const float2 *a, const float2 *b, float2 *c)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float2 sum = make_float2(0.0f, 0.0f);
#pragma unroll 4
    for (int k = 0; k < side; k++) {
        float2 p = a[y * side + k], q = b[k * side + x];
        sum.x += p.x * q.x - p.y * q.y;
        sum.y += p.x * q.y + p.y * q.x;
    }
    c[y * side + x] = sum;
}

int main()
{
    verify::Program program("matmul_f64");
    std::vector<double> a, b, want(size * size, 0.0);
    for (int i = 0; i < size * size; i++) {
        a.push_back(verify::random_unit(1, i));
        b.push_back(verify::random_unit(2, i) - 0.5);
    }
    for (int i = 0; i < size * size; i++)
        for (int k = 0; k < size; k++)
            want[i] += a[i / size * size + k] * b[k * size + i % size];
    verify::Buffer<double> device_a(a), device_b(b), c(size * size);
    matmul_f64<<<dim3(size / 32, size / 32), dim3(32, 8)>>>(device_a.data, device_b.data, c.data);
    program.launched("matmul_f64");
    program.close("c", program.output("c", c), want, 1e-12, 1e-12);

    std::vector<float> p = verify::random_floats(2 * side * side, 3);
    std::vector<double> want_z(2 * side * side, 0.0);
    for (int i = 0; i < side * side; i++)
        for (int k = 0; k < side; k++) {
            const float *u = &p[(i / side * side + k) * 2], *v = &p[(k * side + i % side) * 2];
            want_z[2 * i] += (double)u[0] * v[0] - (double)u[1] * v[1];
            want_z[2 * i + 1] += (double)u[0] * v[1] + (double)u[1] * v[0];
        }
    verify::Buffer<float> device_p(p), device_z(p.size());
    matmul_complex<<<dim3(8, 8), dim3(16, 16)>>>((float2 *)device_p.data, (float2 *)device_p.data,
                                                 (float2 *)device_z.data);
    program.launched("matmul_complex");
    program.close("z", program.output("z", device_z), want_z, 1e-4, 1e-4);
    return program.finish();
}
