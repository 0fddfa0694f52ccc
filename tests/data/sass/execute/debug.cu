/* Kernels as they are compiled for a debugger, -G: every call is one, every variable lies in local
 * memory. test_sass_exec_debug.c; MANIFEST says how this is compiled. */
#define KERNEL extern "C" __global__ void

__device__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

KERNEL recursion(int *out)
{
    out[threadIdx.x] = fibonacci(threadIdx.x % 12);
}

__device__ int twice(int x)
{
    return 2 * x;
}

__device__ int square(int x)
{
    return x * x;
}

typedef int function(int);

KERNEL pointers(int *out, int turns)
{
    int t = threadIdx.x, value[8];
    function *f = t % 3 ? twice : square;
    for (int i = 0; i < 8; i++)
        value[i] = f(t + i);
    for (int i = 0; i < turns; i++)
        value[i % 8] += value[(i + t) % 8] / (t + 1);
    out[t] = value[turns % 8];
}

/* Sums of a warp, of a block, of all; exchanges between lanes. */
KERNEL sums(const int *in, int *out, unsigned long long *total, double *reals)
{
    __shared__ int part[64];
    int t = threadIdx.x, value = in[t];
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(~0u, value, step);
    part[t] = value + (t % 32 < 3 ? __popc(__ballot_sync(7, value > t)) : 0);
    __syncwarp();
    if (t % 32 == 0)
        part[t] += 1000;
    __syncthreads();
    out[t] = part[63 - t];
    atomicAdd(total, (unsigned long long)part[t]);
    atomicMax(out + 64, t);
    atomicAdd(reals, sqrt((double)(t * t)) / 4);
}

__device__ int depth(int n)
{
    volatile int here[16];
    here[n % 16] = n;
    return n == 0 ? 0 : depth(n - 1) + here[n % 16];
}

KERNEL deep(int *out, int n)
{
    out[threadIdx.x] = depth(n);
}

KERNEL traps(int *out)
{
    if (threadIdx.x == 5)
        __trap();
    out[threadIdx.x] = 1;
}

__constant__ float table[8] = {1, 2, 4, 8, 16, 32, 64, 128};
__constant__ float offset = 3;

__device__ float element(const float *values, int i)
{
    return values[i];
}

KERNEL constants(float *out, int turns)
{
    const float *p = turns ? table : out;
    out[threadIdx.x] = element(p, threadIdx.x % 8) + element(&offset, 0);
}
