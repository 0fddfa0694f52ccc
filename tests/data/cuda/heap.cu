/* The heap of malloc in kernels, checked against what an H200 does (driver 580.159). */
#include <cstdio>

/* Allocates until there is no room, or *count is reached, and frees all. */
__global__ void fill(size_t size, int most, int *count, void **block)
{
    int n = 0;
    while (n < most && (block[n] = malloc(size)))
        n++;
    *count = n;
    for (int i = 0; i < n; i++)
        free(block[i]);
}

static int fits(size_t size)
{
    enum { MOST = 1024 };
    static int *count;
    void **block;
    cudaMallocManaged(&count, sizeof *count);
    cudaMalloc(&block, MOST * sizeof *block);
    fill<<<1, 1>>>(size, MOST, count, block);
    int n = cudaDeviceSynchronize() == cudaSuccess ? *count : -1;
    cudaFree(block);
    cudaFree(count);
    return n;
}

static size_t heap()
{
    size_t bytes = 0;
    cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize);
    return bytes;
}

#define EXPECT(is, expected)                                                                       \
    do {                                                                                           \
        long long found = (long long)(is);                                                         \
        if (found != (long long)(expected)) {                                                      \
            std::printf("line %d: %s is %lld\n", __LINE__, #is, found);                            \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

int main()
{
    EXPECT(heap(), 8 << 20);
    EXPECT(fits(1 << 20), 6);
    EXPECT(fits(1 << 20), 6); /* after all were freed */
    EXPECT(fits(65536), 78);
    EXPECT(fits(8192), 944);
    EXPECT(fits(16 << 20), 0);
    EXPECT(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 8 << 20), cudaErrorInvalidValue);
    EXPECT(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20), cudaErrorInvalidValue);
    EXPECT(heap(), 8 << 20);
    cudaDeviceReset();
    EXPECT(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 12345), cudaSuccess);
    EXPECT(heap(), 4 << 20);
    EXPECT(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20), cudaSuccess);
    EXPECT(fits(1 << 20), 13);
    EXPECT(heap(), 16 << 20);
    cudaDeviceReset();
    EXPECT(heap(), 8 << 20);
    std::printf("PASS heap\n");
    return 0;
}
