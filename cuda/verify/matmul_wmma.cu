// Matrix product C = A B on tensor cores through nvcuda::wmma, f16 operands from shared memory.
//
// Shows 16 x 16 x 16 fragments, four warps that share tiles, and rounding as tensor cores do it:
// the result is compared with a tolerance, its bits are recorded.
#include "verify.h"

#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

const int tile = 32; // of C, by 4 warps

__global__ void matmul_wmma(const __half *a, const __half *b, float *c, int n)
{
    __shared__ __align__(32) __half tile_a[tile][16], tile_b[16][tile];
    int warp = threadIdx.x / 32, row = blockIdx.y * tile, column = blockIdx.x * tile;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < n; k += 16) {
        for (int i = threadIdx.x; i < tile * 16; i += blockDim.x) {
            tile_a[i / 16][i % 16] = a[(row + i / 16) * n + k + i % 16];
            tile_b[i / tile][i % tile] = b[(k + i / tile) * n + column + i % tile];
        }
        __syncthreads();
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
        wmma::load_matrix_sync(left, &tile_a[warp / 2 * 16][0], 16);
        wmma::load_matrix_sync(right, &tile_b[0][warp % 2 * 16], tile);
        wmma::mma_sync(sum, left, right, sum);
        __syncthreads();
    }
    wmma::store_matrix_sync(&c[(row + warp / 2 * 16) * n + column + warp % 2 * 16], sum, n,
                            wmma::mem_row_major);
}

int main()
{
    const int n = 128 * verify::size();
    verify::Program program("matmul_wmma");
    std::vector<float> floats = verify::random_floats(2 * n * n, 1);
    std::vector<__half> a, b;
    for (int i = 0; i < n * n; i++) {
        a.push_back(__float2half(floats[i]));
        b.push_back(__float2half(floats[n * n + i]));
    }
    verify::Buffer<__half> device_a(a), device_b(b);
    verify::Buffer<float> device_c(n * n);

    matmul_wmma<<<dim3(n / tile, n / tile), 128>>>(device_a.data, device_b.data, device_c.data, n);
    program.launched("matmul_wmma");

    std::vector<double> want(n * n, 0.0);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                want[i * n + j] += (double)__half2float(a[i * n + k]) * __half2float(b[k * n + j]);
    program.close("c", program.output("c", device_c), want, 1e-4, 1e-4);
    return program.finish();
}
