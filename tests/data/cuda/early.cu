// Kernels that never end, or read what they have not written; nothing without an argument.
#include <cstdio>
#include <cstring>

__global__ void add(int *p)
{
    p[threadIdx.x]++;
}

__global__ void endless(volatile int *p)
{
    while (true) {
        p[threadIdx.x]++;
        __threadfence();
    }
}

__global__ void unwritten(int *p)
{
    __shared__ int s[64];
    s[threadIdx.x] = 1;
    __syncthreads();
    p[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 32];
}

int main(int argc, char **argv)
{
    int *p;
    cudaMalloc(&p, 4096);
    add<<<1, 32>>>(p);
    add<<<1, 32>>>(p);
    if (argc > 1 && strcmp(argv[1], "endless") == 0) {
        printf("ready\n");
        fflush(stdout);
        endless<<<2, 64>>>(p);
    } else if (argc > 1) {
        unwritten<<<1, 32>>>(p);
    }
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
