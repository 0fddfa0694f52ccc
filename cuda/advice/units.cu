// Arithmetic units, code and constants.
#include "advice.h"

#include <cuda_fp16.h>
#include <mma.h>

template <typename T> __global__ void series(float *out, int turns)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    T x = i & 7, y = i & 3, z = 1, w = 2;
    for (int t = 0; t < turns; t++) {
        x = x * (T)0.5 + (T)1;
        y = y * (T)0.25 + (T)2;
        z = z * (T)0.125 + (T)3;
        w = w * (T)0.0625 + (T)4;
    }
    out[i] = x + y + z + w;
}

static double doubles(bool mended)
{
    float *out = floats(SMS * 8 * 256, 0);
    if (mended)
        series<float><<<SMS * 8, 256>>>(out, 256);
    else
        series<double><<<SMS * 8, 256>>>(out, 256);
    return sum_of(out, SMS * 8 * 256);
}

template <bool FUSED> __global__ void products(float *out, int turns, float a, float b)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x[8];
    for (int k = 0; k < 8; k++)
        x[k] = i & 7;
    for (int t = 0; t < turns; t++)
#pragma unroll
        for (int k = 0; k < 8; k++)
            x[k] = FUSED ? fmaf(x[k], a, b) : __fadd_rn(__fmul_rn(x[k], a), b);
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += x[k];
    out[i] = sum;
}

static double unfused(bool mended)
{
    float *out = floats(SMS * 8 * 256, 0);
    if (mended)
        products<true><<<SMS * 8, 256>>>(out, 128, 0.5f, 1);
    else
        products<false><<<SMS * 8, 256>>>(out, 128, 0.5f, 1);
    return sum_of(out, SMS * 8 * 256);
}

// Straight code that runs once and is larger than the caches, or a loop.
template <int UNROLL> __global__ void straight(float *out, int turns, float a, float b)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 7, y = i & 3;
#pragma unroll UNROLL
    for (int t = 0; t < 8192; t++) {
        x = x * a + y;
        y = y * b + x;
    }
    out[i] = x + y;
}

static double large_code(bool mended)
{
    float *out = floats(SMS * 256, 0);
    if (mended)
        straight<16><<<SMS, 256>>>(out, 0, 0.5f, 0.25f);
    else
        straight<8192><<<SMS, 256>>>(out, 0, 0.5f, 0.25f);
    return sum_of(out, SMS * 256);
}

// A table in constant memory that is larger than its caches and is read in great strides, or the
// same table in global memory.
__constant__ float table[16384];

__global__ void constant_table(float *out, int turns, int stride)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i & 7;
    for (int t = 0; t < turns; t++)
        sum = sum * 0.5f + table[(t * stride + blockIdx.x * 64) & 16383];
    out[i] = sum;
}

__global__ void global_table(const float *in, float *out, int turns, int stride)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i & 7;
    for (int t = 0; t < turns; t++)
        sum = sum * 0.5f + __ldg(&in[(t * stride + blockIdx.x * 64) & 16383]);
    out[i] = sum;
}

static double constants(bool mended)
{
    float *in = floats(16384), *out = floats(SMS * 2 * 256, 0);
    cudaMemcpyToSymbol(table, in, sizeof table, 0, cudaMemcpyDeviceToDevice);
    if (mended)
        global_table<<<SMS * 2, 256>>>(in, out, 256, 96);
    else
        constant_table<<<SMS * 2, 256>>>(out, 256, 96);
    return sum_of(out, SMS * 2 * 256);
}

// A product of matrices of halves from shared memory: with FFMA, or with tensor cores. Each warp
// makes a tile of 16 x 16 again and again.
__global__ void product_ffma(float *out, int turns)
{
    __shared__ float a[16][17], b[16][16];
    const int x = threadIdx.x % 16, y = threadIdx.x / 16 % 16;
    a[y][x] = (x + y) & 3;
    b[y][x] = (x * y) & 3;
    __syncthreads();
    float sum[8] = {0};
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = lane / 16 * 8, column = lane % 16;
    for (int t = 0; t < turns; t++)
#pragma unroll
        for (int k = 0; k < 16; k++)
#pragma unroll
            for (int r = 0; r < 8; r++)
                sum[r] += a[row + r][k] * b[k][column];
    __syncthreads();
    for (int r = 0; r < 8; r++)
        out[((blockIdx.x * 8 + warp) * 16 + row + r) * 16 + column] = sum[r];
}

__global__ void product_wmma(float *out, int turns)
{
    using namespace nvcuda;
    __shared__ __half a[16][16], b[16][16];
    const int x = threadIdx.x % 16, y = threadIdx.x / 16 % 16, warp = threadIdx.x / 32;
    a[y][x] = __int2half_rn((x + y) & 3);
    b[y][x] = __int2half_rn((x * y) & 3);
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0);
    for (int t = 0; t < turns; t++) {
        wmma::load_matrix_sync(fa, &a[0][0], 16);
        wmma::load_matrix_sync(fb, &b[0][0], 16);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    wmma::store_matrix_sync(&out[(blockIdx.x * 8 + warp) * 256], fc, 16, wmma::mem_row_major);
}

static double matrix(bool mended)
{
    float *out = floats((size_t)SMS * 4 * 8 * 256, 0);
    if (mended)
        product_wmma<<<SMS * 4, 256>>>(out, 16);
    else
        product_ffma<<<SMS * 4, 256>>>(out, 16);
    return sum_of(out, (size_t)SMS * 4 * 8 * 256);
}

const Pair unit_pairs[] = {{"doubles", "double_precision", doubles},
                           {"unfused", "unfused", unfused},
                           {"large_code", "instruction_cache", large_code},
                           {"constants", "constant_misses", constants},
                           {"matrix", "tensor_cores", matrix},
                           {nullptr, nullptr, nullptr}};
