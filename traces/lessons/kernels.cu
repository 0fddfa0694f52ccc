// The CUDA C that lessons 1 to 7 of docs/lessons show, for those who want to see its machine code:
//     simsm disasm traces/lessons/kernels.sm_90.cubin --kernel banks
//
// kernels.sm_90.cubin was compiled from this file by nvcc of CUDA 13.0 (V13.0.88):
//     nvcc -cubin -O3 -std=c++17 -arch=sm_90 -o kernels.sm_90.cubin kernels.cu

// Lesson 1: row 0 of a block does one addition more.
extern "C" __global__ void block_shape(float *out)
{
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    float x = out[thread];
    if (threadIdx.y == 0)
        x += 1.0f;
    out[thread] = x;
}

// An addition that the compiler must not merge with others.
static __device__ float add(float x, float y)
{
    asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(y));
    return x;
}

// Lesson 2: one side of a branch has 100 additions, the other has one.
extern "C" __global__ void two_paths(float *out, int a, float y)
{
    int lane = threadIdx.x;
    float x = 0;
    if (lane < a)
#pragma unroll
        for (int i = 0; i < 100; i++)
            x = add(x, y);
    else
        x = add(x, y);
    out[lane] = x;
}

// Lesson 2: short sides.
extern "C" __global__ void choose(float *out, int rounds)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    float x = out[thread], a = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        if (thread % 2 == 0)
            a = 100.0f * x + 1.0f;
        else
            a = 200.0f * x + 2.0f;
        x += a;
    }
    out[thread] = x;
}

// Lesson 3: waits for memory, then works a little.
extern "C" __global__ void latency(const int *data, int *out, int rounds)
{
    int sum = 0, offset = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        int word = data[offset + threadIdx.x + blockDim.x * r];
        sum += word;
        offset = word >> 31; // the next address needs the word
    }
    out[threadIdx.x] = sum;
}

// Lesson 4: words that are `stride` apart.
extern "C" __global__ void coalescing(const float *data, float *out, int stride, int rounds)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float sum = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; r++)
        sum += data[stride * (thread + threads * r)];
    out[thread] = sum;
}

// Lesson 5: words of shared memory that are `stride` apart.
extern "C" __global__ void banks(float *out, int stride, int rounds)
{
    __shared__ float tile[2048];
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
        tile[i] = i;
    __syncthreads();
    int lane = threadIdx.x % 32;
    float sum = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; r++)
        sum += tile[stride * (lane + r) % 2048];
    out[threadIdx.x] = sum;
}

// Lesson 6: all threads together pass over the data several times.
extern "C" __global__ void caches(const float *data, float *out, int size, int passes)
{
    float sum = 0;
#pragma unroll 1
    for (int p = 0; p < passes; p++)
#pragma unroll 1
        for (int i = threadIdx.x; i < size / 4; i += blockDim.x)
            sum += data[i];
    out[threadIdx.x] = sum;
}

// Lesson 7: a histogram.
extern "C" __global__ void atomics(const unsigned *data, unsigned *counts, unsigned bins,
                                   int rounds)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
#pragma unroll 1
    for (int r = 0; r < rounds; r++)
        atomicAdd(&counts[data[thread + threads * r] & (bins - 1)], 1u);
}
