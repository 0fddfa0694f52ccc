// Clock reads of a program: differences, time that goes on from launch to launch, printf in a kernel,
// and a kernel that counts what it has done.
#include <cstdio>

__global__ void chain(long long *out, float *x)
{
    float f = x[threadIdx.x];
    for (int pass = 0; pass < 2; pass++) {
        out[0] = clock64();
#pragma unroll
        for (int i = 0; i < 64; i++)
            asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(f));
        out[1] = clock64();
    }
    x[threadIdx.x] = f;
    out[2]++;
    if (threadIdx.x == 0)
        printf("%d\n", (int)(out[1] - out[0]));
}

__global__ void spin(unsigned *turns)
{
    for (long long begin = clock64(); clock64() - begin < 5000;)
        ++*turns;
}

int main()
{
    long long *out, first;
    float *x;
    unsigned *turns;
    cudaMallocManaged(&out, 32);
    cudaMalloc(&x, 128);
    cudaMallocManaged(&turns, 4);
    for (int i = 0; i < 2; i++) {
        first = out[1];
        chain<<<1, 1>>>(out, x);
        cudaDeviceSynchronize();
    }
    printf("times %lld, later %d\n", out[2], out[0] > first && first > 256);
    for (int i = 0; i < 3; i++)
        spin<<<1, 1>>>(turns);
    return cudaDeviceSynchronize();
}
