/* Mistakes whose places in the program `simsm check` names: tests/cli/check_calls.sh. Each line that
 * it must name ends in a mark. */
#include <cuda_runtime.h>

__device__ void put(int *p, int i, int value)
{
    p[i] = value; // HELPER
}

template <typename T> __global__ void shift(T *p)
{
    put(p, threadIdx.x, 1);
    put(p, threadIdx.x + 1, 2); // INLINED
}

struct buffer {
    int *p = nullptr;
    buffer(int n) { cudaMalloc(&p, n * sizeof *p); } // ALLOCATED
};

static __attribute__((noinline)) int *make(int n)
{
    buffer made(n); // MADE
    return made.p;
}

int main()
{
    int *lost = make(256); // LOST
    int *freed = make(8);
    shift<<<1, 64>>>(lost); // LAUNCHED
    cudaFree(freed); // FREED
    cudaFree(freed); // AGAIN
    int host[4] = {0};
    cudaMemcpy(lost, host, sizeof host, cudaMemcpyDeviceToHost); // DIRECTION
    cudaDeviceSynchronize();
}
