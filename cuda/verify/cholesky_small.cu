// Cholesky decomposition of four 32 x 32 matrices in double precision, one block of one warp each,
// in shared memory.
//
// Shows a few warps that wait for square roots, divisions and shared memory, step after step.
#include "verify.h"

const int size = 32;

__global__ void cholesky_small(double *matrices)
{
    __shared__ double a[size][size + 1];
    double *matrix = matrices + blockIdx.x * size * size;
    int lane = threadIdx.x;
    for (int row = 0; row < size; row++)
        a[row][lane] = matrix[row * size + lane];
    __syncwarp();
    for (int k = 0; k < size; k++) {
        if (lane == k)
            a[k][k] = sqrt(a[k][k]);
        __syncwarp();
        if (lane > k)
            a[lane][k] /= a[k][k];
        __syncwarp();
        for (int column = k + 1; column < size; column++)
            if (lane >= column)
                a[lane][column] -= a[lane][k] * a[column][k];
        __syncwarp();
    }
    for (int row = 0; row < size; row++)
        matrix[row * size + lane] = lane <= row ? a[row][lane] : 0.0;
}

int main()
{
    const int matrices = 4, n = matrices * size * size;
    verify::Program program("cholesky_small");
    std::vector<double> factors(n, 0.0), products(n, 0.0);
    for (int m = 0; m < matrices; m++) { // products of lower triangles: known factors
        double *l = &factors[m * size * size], *p = &products[m * size * size];
        for (int i = 0; i < size; i++)
            for (int j = 0; j <= i; j++)
                l[i * size + j] = i == j ? 2.0 + i % 3 : verify::random_unit(m, i * size + j) - 0.5;
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++)
                for (int k = 0; k < size; k++)
                    p[i * size + j] += l[i * size + k] * l[j * size + k];
    }
    verify::Buffer<double> device(products);
    cholesky_small<<<matrices, 32>>>(device.data);
    program.launched("cholesky_small");
    program.close("factor", program.output("factors", device), factors, 1e-10, 1e-10);
    return program.finish();
}
