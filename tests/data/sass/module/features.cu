// One kernel for each thing that a module can hold.
#include <cstdio>

__constant__ float table[16] = {1, 2, 3, 4};
__constant__ int zeros[4];
__device__ int counter = 7;
__device__ float big[100];
__device__ int *pointer = &counter;
__device__ float *inside = &big[5];
__constant__ int *constant_pointer = &counter;
__device__ const float *constant_inside = &table[2];

struct mixed {
    char letter;
    double number;
    short small;
};

__device__ __noinline__ float helper(float x, int n)
{
    for (int i = 0; i < n; i++)
        x = x * table[i & 15] + 1;
    return x;
}

__global__ void plain(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * table[i & 15] + zeros[i & 3];
}

__global__ void __launch_bounds__(128, 4) bounded(int *out, mixed m, char c, long long x)
{
    __shared__ int fixed[64];
    extern __shared__ int dynamic[];
    fixed[threadIdx.x & 63] = m.small + c;
    dynamic[threadIdx.x] = (int)x;
    __syncthreads();
    out[threadIdx.x] = fixed[63 - (threadIdx.x & 63)] + dynamic[threadIdx.x ^ 1] + (int)m.number;
}

__global__ void locals(int *out, int k)
{
    int a[40];
    for (int i = 0; i < 40; i++)
        a[i] = i * k;
    out[threadIdx.x] = a[(k + threadIdx.x) % 40] + a[k % 40];
}

__global__ void calls(float *out, int n)
{
    out[threadIdx.x] = helper(out[threadIdx.x], n);
}

__global__ void globals(int *out)
{
    out[0] = *pointer + (int)*inside + *constant_pointer + (int)*constant_inside;
    big[threadIdx.x % 100] = counter;
}

__global__ void prints(int x)
{
    printf("%d\n", x);
}

__global__ void jumps(int *out, int k)
{
    switch (k) {
    case 0: out[0] = out[1]; break;
    case 1: out[0] = out[2] * 7; break;
    case 2: out[0] = out[5] / 3; break;
    case 3: out[0] = out[9] ^ 5; break;
    case 4: out[0] = out[11] % 9; break;
    case 5: out[0] = __popc(out[3]); break;
    case 6: out[0] = out[0] << out[7]; break;
    default: break;
    }
}

namespace outer {
template <typename T> __global__ void inner(T *p)
{
    p[threadIdx.x] = p[threadIdx.x] * 3;
}
template __global__ void inner<float>(float *);
} // namespace outer
