// Matrix product C = A B, 256 x 256, through shared memory in tiles of 16 x 16.
//
// Shows lesson 11 of docs/lessons: a word from global memory is used 16 times; two barriers a
// tile.
#include "verify.h"

const int tile = 16;

__global__ void matmul_tiled16(const float *a, const float *b, float *c, int n)
{
    __shared__ float tile_a[tile][tile];
    __shared__ float tile_b[tile][tile];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
    float sum = 0.0f;
    for (int t = 0; t < n; t += tile) {
        tile_a[y][x] = a[row * n + t + x];
        tile_b[y][x] = b[(t + y) * n + column];
        __syncthreads();
        for (int k = 0; k < tile; k++)
            sum += tile_a[y][k] * tile_b[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

int main()
{
    const int n = 256 * verify::size();
    verify::Program program("matmul_tiled16");
    std::vector<float> a = verify::random_floats(n * n, 1), b = verify::random_floats(n * n, 2);
    verify::Buffer<float> device_a(a), device_b(b), device_c(n * n);

    matmul_tiled16<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(device_a.data, device_b.data,
                                                                   device_c.data, n);
    program.launched("matmul_tiled16");

    std::vector<double> want(n * n, 0.0);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                want[i * n + j] += (double)a[i * n + k] * b[k * n + j];
    program.close("c", program.output("c", device_c), want, 1e-5, 1e-4);
    return program.finish();
}
