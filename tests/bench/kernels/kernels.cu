/*
 * Machine code whose speed ./dev bench measures:
 *     nvcc -cubin -O3 -arch=sm_75 -o kernels.sm_75.cubin kernels.cu
 */
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
