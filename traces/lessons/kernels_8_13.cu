// The CUDA C that lessons 8 to 13 of docs/lessons show, for those who want to see its machine code:
//     simsm disasm traces/lessons/kernels_8_13.sm_90.cubin --kernel waves
//
// kernels_8_13.sm_90.cubin was compiled from this file by nvcc of CUDA 13.0 (V13.0.88):
//     nvcc -cubin -O3 -std=c++17 -arch=sm_90 -o kernels_8_13.sm_90.cubin kernels_8_13.cu

// Lesson 9: a word from memory again and again, one for the whole warp.
extern "C" __global__ void waves(const float *data, float *out, int rounds)
{
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    float sum = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; r++)
        sum += 2.0f * data[8 * ((warp * 7919 + r * 104729) % 1048576)];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Lesson 10: a loop that is right for any number of blocks.
extern "C" __global__ void grid_stride(const float *x, float *y, float a, int elements)
{
    int threads = gridDim.x * blockDim.x;
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += threads)
        y[i] = a * x[i] + y[i];
}

// Lesson 11: each thread reads a row of A and a column of B.
extern "C" __global__ void matmul_naive(const float *A, const float *B, float *C, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += A[row * n + k] * B[k * n + column];
    C[row * n + column] = sum;
}

// Lessons 8 and 11: a block copies tiles of 16 x 16 into shared memory first.
extern "C" __global__ void __launch_bounds__(256)
    matmul_tiled16(const float *A, const float *B, float *C, int n)
{
    __shared__ float a[16][16], b[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
    float sum = 0;
    for (int t = 0; t < n / 16; t++) {
        a[ty][tx] = A[row * n + 16 * t + tx];
        b[ty][tx] = B[(16 * t + ty) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += a[ty][k] * b[k][tx];
        __syncthreads();
    }
    C[row * n + column] = sum;
}

// Lesson 13: warps of one block that do different things.
extern "C" __global__ void walkthrough(const float *data, float *out, float y, float z, int n)
{
    int warp = threadIdx.x / 32;
    float x = y;
    int sum = n;
    if (warp < 2) {
        __nanosleep(399);
        for (int i = 0; i < 3; i++)
            x = fmaf(x, y, z);
    } else if (warp == 3) {
        __nanosleep(396);
        for (int i = 0; i < 3; i++)
            sum += n << i;
    } else {
        x += data[threadIdx.x];
    }
    out[threadIdx.x] = x + (float)sum;
}
