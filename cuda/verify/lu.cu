// LU decomposition of many 32 x 32 matrices, one per block, in shared memory, without pivoting.
//
// Shows a loop in which fewer and fewer threads have work, with IEEE division (a call of a
// subroutine for hard cases) on its critical path.
#include "verify.h"

const int n = 32;

__global__ void lu(float *matrices)
{
    __shared__ float m[n][n + 1];
    int x = threadIdx.x, y = threadIdx.y;
    float *mine = matrices + blockIdx.x * n * n;
    for (int j = y; j < n; j += blockDim.y)
        m[j][x] = mine[j * n + x];
    __syncthreads();
    for (int k = 0; k < n - 1; k++) {
        if (y == 0 && x > k)
            m[x][k] /= m[k][k];
        __syncthreads();
        if (x > k)
            for (int j = k + 1 + y; j < n; j += blockDim.y)
                m[j][x] -= m[j][k] * m[k][x];
        __syncthreads();
    }
    for (int j = y; j < n; j += blockDim.y)
        mine[j * n + x] = m[j][x];
}

int main()
{
    const int blocks = 40 * verify::size();
    verify::Program program("lu");
    std::vector<float> in = verify::random_floats(blocks * n * n, 1);
    for (int b = 0; b < blocks; b++)
        for (int i = 0; i < n; i++)
            in[(b * n + i) * n + i] += 40.0f; // dominant diagonal: no pivoting needed
    verify::Buffer<float> device(in);

    lu<<<blocks, dim3(n, 8)>>>(device.data);
    program.launched("lu");

    std::vector<float> factors = program.output("factors", device);
    std::vector<double> product(in.size(), 0.0);
    for (int b = 0; b < blocks; b++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int k = 0; k <= std::min(i, j); k++) {
                    const float *f = &factors[b * n * n];
                    product[(b * n + i) * n + j] += (k == i ? 1.0 : f[i * n + k]) * f[k * n + j];
                }
    program.close("product of the factors", product, in, 1e-5, 1e-4);
    return program.finish();
}
