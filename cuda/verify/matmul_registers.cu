// Matrix product C = A B, 256 x 256: a block makes a tile of 64 x 64, a thread 4 x 4 of it.
//
// Shows reuse in registers: 16 multiply-adds for 8 words from shared memory, in many registers.
#include "verify.h"

const int tile = 64, depth = 16, each = 4; // a block of 16 x 16 threads

__global__ void __launch_bounds__(256)
    matmul_registers(const float *a, const float *b, float *c, int n)
{
    __shared__ __align__(16) float tile_a[depth][tile + 4];
    __shared__ __align__(16) float tile_b[depth][tile];
    int t = threadIdx.y * 16 + threadIdx.x;
    int row = blockIdx.y * tile, column = blockIdx.x * tile;
    float sums[each][each] = {};
    for (int k0 = 0; k0 < n; k0 += depth) {
        for (int i = t; i < tile * depth; i += 256) {
            tile_a[i % depth][i / depth] = a[(row + i / depth) * n + k0 + i % depth];
            tile_b[i / tile][i % tile] = b[(k0 + i / tile) * n + column + i % tile];
        }
        __syncthreads();
        for (int k = 0; k < depth; k++) {
            float4 p = *(const float4 *)&tile_a[k][each * threadIdx.y];
            float4 q = *(const float4 *)&tile_b[k][each * threadIdx.x];
            float left[each] = {p.x, p.y, p.z, p.w}, right[each] = {q.x, q.y, q.z, q.w};
            for (int i = 0; i < each; i++)
                for (int j = 0; j < each; j++)
                    sums[i][j] += left[i] * right[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < each; i++)
        for (int j = 0; j < each; j++)
            c[(row + each * threadIdx.y + i) * n + column + each * threadIdx.x + j] = sums[i][j];
}

int main()
{
    const int n = 256 * verify::size();
    verify::Program program("matmul_registers");
    std::vector<float> a = verify::random_floats(n * n, 1), b = verify::random_floats(n * n, 2);
    verify::Buffer<float> device_a(a), device_b(b), device_c(n * n);

    matmul_registers<<<dim3(n / tile, n / tile), dim3(16, 16)>>>(device_a.data, device_b.data,
                                                                 device_c.data, n);
    program.launched("matmul_registers");

    std::vector<double> want(n * n, 0.0);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                want[i * n + j] += (double)a[i * n + k] * b[k * n + j];
    program.close("c", program.output("c", device_c), want, 1e-5, 1e-4);
    return program.finish();
}
