/*
 * Machine code whose speed ./dev bench measures:
 *     nvcc -cubin -O3 -arch=sm_75 -o kernels.sm_75.cubin kernels.cu
 *     nvcc -cubin -O3 -arch=sm_90 -o kernels.sm_90.cubin kernels.cu
 */
#include <cuda_pipeline.h>

#define KERNEL extern "C" __global__ void

/* Four chains of multiply-add in registers. */
KERNEL float_loop(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = i, b = a + 1, c = a + 2, d = a + 3;
    for (int turn = 0; turn < n; turn++) {
        a = a * 0.5f + b;
        b = b * 0.5f + c;
        c = c * 0.5f + d;
        d = d * 0.5f + a;
    }
    out[i] = a + b + c + d;
}

/* Shifts, logic and multiplication: a generator of random numbers. */
KERNEL integer_loop(unsigned *out, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = i + 1;
    for (int turn = 0; turn < n; turn++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        x = x * 1664525u + turn;
    }
    out[i] = x;
}

/* A grid-stride loop that moves n words. */
KERNEL copy(const int *in, int *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i];
}

static __device__ unsigned mixed(unsigned x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* A product of matrices, n tiles of 16 x 16 for each block, through shared memory. */
KERNEL product(const float *a, const float *b, float *c, int n)
{
    __shared__ float left[16][16], right[16][17];
    unsigned x = threadIdx.x % 16, y = threadIdx.x / 16;
    float sum = 0;
    for (int tile = 0; tile < n; tile++) {
        unsigned at = ((blockIdx.x + tile) * 256 + threadIdx.x) & 0xffff;
        left[y][x] = a[at];
        right[y][x] = b[at];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    c[blockIdx.x * 256 + threadIdx.x] = sum;
}

/* Loads and stores of words that lie nowhere near each other. */
KERNEL scatter(const unsigned *in, unsigned *out, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int turn = 0; turn < n; turn++) {
        i = mixed(i + turn);
        out[i & 0xfffff] = in[i >> 12];
    }
}

/* Additions to words of global and of shared memory. */
KERNEL atomics(unsigned *out, int n)
{
    __shared__ unsigned bin[64];
    if (threadIdx.x < 64)
        bin[threadIdx.x] = 0;
    __syncthreads();
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int turn = 0; turn < n; turn++) {
        i = mixed(i + turn);
        atomicAdd(&bin[i & 63], 1);
        atomicAdd(&out[i >> 20], 1);
    }
    __syncthreads();
    if (threadIdx.x < 64)
        atomicAdd(&out[4096 + threadIdx.x], bin[threadIdx.x]);
}

/* Blocks take n items of unequal work from a counter. */
KERNEL queue(unsigned *counter, float *out, int n)
{
    __shared__ unsigned item;
    float x = threadIdx.x;
    for (;;) {
        if (threadIdx.x == 0)
            item = atomicAdd(counter, 1);
        __syncthreads();
        unsigned mine = item;
        __syncthreads();
        if (mine >= (unsigned)n)
            break;
        for (unsigned i = 0; i < 20 + mixed(mine) % 200; i++)
            x = x * 0.999f + 1.0f;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

/* Copies the next of n tiles into shared memory while it adds up the one before. */
KERNEL pipeline(const float *in, float *out, int n)
{
    __shared__ __align__(16) float tile[2][1024];
    float sum = 0;
    for (int i = 0; i <= n; i++) {
        if (i < n)
            __pipeline_memcpy_async(&tile[i % 2][4 * threadIdx.x],
                                    &in[((blockIdx.x + i) * 1024 + 4 * threadIdx.x) & 0xfffff], 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        if (i > 0)
            for (int k = 0; k < 4; k++)
                sum += tile[(i - 1) % 2][(threadIdx.x + 256 * k) % 1024];
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
