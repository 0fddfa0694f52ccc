/* printf, malloc, free and assert in kernels, checked by itself. */
#include <cassert>
#include <cstdio>

__global__ void print(int n, double scale)
{
    if (threadIdx.x < n)
        printf("thread %u of %-3d|%5.2f %s %c %lld %p 100%% %*d\n", threadIdx.x, n,
               scale * threadIdx.x, "text", 'c', 1ll << 40, (void *)16, 4, -7);
}

/* A string that the thread has just written. */
__global__ void print_own(char *text)
{
    for (int i = 0; i < 3; i++)
        text[i] = "own"[i];
    text[3] = 0;
    printf("text of its %s\n", text);
}

/* Each thread reads what its neighbour has put into memory of its own. */
__global__ void allocate(int **room, int *sum)
{
    int *own = (int *)malloc(8);
    own[0] = threadIdx.x;
    own[1] = 100;
    room[threadIdx.x] = own;
    __syncthreads();
    int *other = room[(threadIdx.x + 1) % blockDim.x];
    atomicAdd(sum, other[0] + other[1]);
    __syncthreads();
    free(own);
}

__global__ void check(int n)
{
    assert(threadIdx.x < n);
}

int main()
{
    int **room, *sum, host = 0;
    cudaMalloc(&room, 64 * sizeof *room);
    cudaMalloc(&sum, sizeof *sum);
    print<<<1, 32>>>(2, 1.5);
    print_own<<<1, 1>>>((char *)sum);
    cudaMemset(sum, 0, sizeof *sum);
    allocate<<<1, 64>>>(room, sum);
    if (cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess ||
        host != 64 * 63 / 2 + 6400)
        return 1;
    check<<<1, 32>>>(32);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 2;
    check<<<1, 32>>>(31);
    if (cudaDeviceSynchronize() != cudaErrorAssert || cudaFree(sum) != cudaErrorAssert)
        return 3;
    std::printf("PASS printing\n");
    return 0;
}
