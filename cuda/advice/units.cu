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
    float *out = floats(SMS * 4 * 256, 0);
    if (mended)
        series<float><<<SMS * 4, 256>>>(out, 256);
    else
        series<double><<<SMS * 4, 256>>>(out, 256);
    return sum_of(out, SMS * 4 * 256);
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
    float *out = floats(SMS * 4 * 256, 0);
    if (mended)
        products<true><<<SMS * 4, 256>>>(out, 128, 0.5f, 1);
    else
        products<false><<<SMS * 4, 256>>>(out, 128, 0.5f, 1);
    return sum_of(out, SMS * 4 * 256);
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
// part that a block needs in shared memory.
__constant__ float table[16384];

__global__ void constant_table(float *out, int turns, int stride)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i & 7;
#pragma unroll 1
    for (int t = 0; t < turns; t++)
        sum = sum * 0.5f + table[t * stride & 16383];
    out[i] = sum;
}

__global__ void shared_table(const float *in, float *out, int turns, int stride)
{
    __shared__ float mine[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    mine[threadIdx.x] = in[threadIdx.x * stride & 16383];
    __syncthreads();
    float sum = i & 7;
#pragma unroll 1
    for (int t = 0; t < turns; t++)
        sum = sum * 0.5f + mine[t & 255];
    out[i] = sum;
}

static double constants(bool mended)
{
    float *in = floats(16384), *out = floats(SMS * 2 * 256, 0);
    cudaMemcpyToSymbol(table, in, sizeof table, 0, cudaMemcpyDeviceToDevice);
    if (mended)
        shared_table<<<SMS * 2, 256>>>(in, out, 256, 96);
    else
        constant_table<<<SMS * 2, 256>>>(out, 256, 96);
    return sum_of(out, SMS * 2 * 256);
}

// A product of matrices from shared memory: with FFMA, or with tensor cores. Each warp makes a tile
// of 32 x 32 again and again.
__global__ void product_ffma(float *out, int turns)
{
    __shared__ float a[16][32], b[16][32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = lane / 8 * 8, column = lane % 8 * 4;
    for (int i = threadIdx.x; i < 512; i += 128) {
        a[i / 32][i % 32] = i & 3;
        b[i / 32][i % 32] = i & 1;
    }
    __syncthreads();
    float sum[8][4] = {0};
    for (int t = 0; t < turns; t++)
#pragma unroll
        for (int k = 0; k < 16; k++) {
            const int at = (k + t) & 15;
            const float4 a0 = *(const float4 *)&a[at][row], a1 = *(const float4 *)&a[at][row + 4];
            const float4 b0 = *(const float4 *)&b[at][column];
            const float x[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
            const float y[4] = {b0.x, b0.y, b0.z, b0.w};
#pragma unroll
            for (int r = 0; r < 8; r++)
#pragma unroll
                for (int c = 0; c < 4; c++)
                    sum[r][c] += x[r] * y[c];
        }
    for (int r = 0; r < 8; r++)
        for (int c = 0; c < 4; c++)
            out[((blockIdx.x * 4 + warp) * 32 + row + r) * 32 + column + c] = sum[r][c];
}

__global__ void product_wmma(float *out, int turns)
{
    using namespace nvcuda;
    __shared__ __half a[16][32], b[16][32];
    const int warp = threadIdx.x / 32;
    for (int i = threadIdx.x; i < 512; i += 128) {
        a[i / 32][i % 32] = __int2half_rn(i & 3);
        b[i / 32][i % 32] = __int2half_rn(i & 1);
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::col_major> fa[2];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb[2];
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc[2][2];
    for (int i = 0; i < 4; i++)
        wmma::fill_fragment(fc[i / 2][i % 2], 0);
    for (int t = 0; t < turns; t++) {
        for (int i = 0; i < 2; i++) {
            wmma::load_matrix_sync(fa[i], &a[0][16 * i], 32);
            wmma::load_matrix_sync(fb[i], &b[0][16 * i], 32);
        }
        for (int i = 0; i < 4; i++)
            wmma::mma_sync(fc[i / 2][i % 2], fa[i / 2], fb[i % 2], fc[i / 2][i % 2]);
    }
    for (int i = 0; i < 4; i++)
        wmma::store_matrix_sync(&out[((blockIdx.x * 4 + warp) * 32 + i / 2 * 16) * 32 + i % 2 * 16],
                                fc[i / 2][i % 2], 32, wmma::mem_row_major);
}

static double matrix(bool mended)
{
    const size_t count = (size_t)SMS * 2 * 4 * 1024;
    float *out = floats(count, 0);
    if (mended)
        product_wmma<<<SMS * 2, 128>>>(out, 16);
    else
        product_ffma<<<SMS * 2, 128>>>(out, 16);
    return sum_of(out, count);
}

const Pair unit_pairs[] = {{"doubles", "double_precision", doubles},
                           {"unfused", "unfused", unfused},
                           {"large_code", "instruction_cache", large_code},
                           {"constants", "constant_misses", constants},
                           {"matrix", "tensor_cores", matrix},
                           {nullptr, nullptr, nullptr}};
