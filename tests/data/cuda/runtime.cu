/* Memory, symbols, streams, events, launches and errors of the runtime API, checked by itself. */
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>

static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::printf("line %d: %s\n", __LINE__, #condition);                                    \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)
#define CUDA(call) CHECK((call) == cudaSuccess)

enum { N = 5000 };

__constant__ int factor;
__device__ int counter;
__managed__ int shared_by_both[4];

struct pair {
    char tag;
    double weight;
};

extern "C" __global__ void add(const int *a, const int *b, int *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] * factor + b[i];
}

extern "C" __global__ void count(pair p, short by, int *out)
{
    atomicAdd(&counter, by);
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        out[0] = p.tag;
        out[1] = (int)p.weight;
        shared_by_both[1] = shared_by_both[0] + 1;
    }
}

extern "C" __global__ void reverse(int *data)
{
    extern __shared__ int room[];
    room[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = room[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void two_steps(int *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = i;
    cooperative_groups::this_grid().sync();
    data[n + i] = data[n - 1 - i];
}

static void vectors(cudaStream_t stream)
{
    static int a[N], b[N], c[N];
    int *d[3], three = 3, read = 0;
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = 7 * i;
    }
    CUDA(cudaMemcpyToSymbol(factor, &three, sizeof three));
    CUDA(cudaMemcpyFromSymbol(&read, factor, sizeof read));
    CHECK(read == 3);
    for (int i = 0; i < 3; i++)
        CUDA(cudaMalloc(&d[i], sizeof a));
    CUDA(cudaMemcpyAsync(d[0], a, sizeof a, cudaMemcpyHostToDevice, stream));
    CUDA(cudaMemcpyAsync(d[1], b, sizeof b, cudaMemcpyHostToDevice, stream));
    add<<<(N + 255) / 256, 256, 0, stream>>>(d[0], d[1], d[2], N);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpyAsync(c, d[2], sizeof c, cudaMemcpyDeviceToHost, stream));
    CUDA(cudaStreamSynchronize(stream));
    for (int i = 0; i < N; i++)
        CHECK(c[i] == 10 * i);
    for (int i = 0; i < 3; i++)
        CUDA(cudaFree(d[i]));
}

static void variables()
{
    int *out, read = -1, *address;
    size_t size;
    CUDA(cudaMallocManaged(&out, 2 * sizeof *out));
    shared_by_both[0] = 41;
    count<<<4, 64>>>(pair{'x', 12.5}, 2, out);
    CUDA(cudaDeviceSynchronize());
    CHECK(out[0] == 'x' && out[1] == 12);
    CHECK(shared_by_both[1] == 42);
    CUDA(cudaMemcpyFromSymbol(&read, counter, sizeof read));
    CHECK(read == 512);
    CUDA(cudaGetSymbolAddress((void **)&address, counter));
    CUDA(cudaGetSymbolSize(&size, counter));
    CHECK(size == sizeof counter);
    CUDA(cudaMemset(address, 0, size));
    CUDA(cudaMemcpy(&read, address, size, cudaMemcpyDefault));
    CHECK(read == 0);
    CUDA(cudaFree(out));
}

static void host_memory()
{
    int *pinned, *device;
    CUDA(cudaHostAlloc(&pinned, 64 * sizeof *pinned, cudaHostAllocMapped));
    CUDA(cudaHostGetDevicePointer(&device, pinned, 0));
    for (int i = 0; i < 64; i++)
        pinned[i] = i;
    reverse<<<1, 64, 64 * sizeof(int)>>>(device);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++)
        CHECK(pinned[i] == 63 - i);
    CUDA(cudaFreeHost(pinned));
    static int own[64];
    CUDA(cudaHostRegister(own, sizeof own, cudaHostRegisterMapped));
    own[5] = 9;
    reverse<<<1, 64, 64 * sizeof(int)>>>(own);
    CUDA(cudaDeviceSynchronize());
    CHECK(own[58] == 9);
    CUDA(cudaHostUnregister(own));
}

static void cooperation()
{
    int blocks = 0, n, *data, last;
    cudaDeviceProp properties;
    CUDA(cudaGetDeviceProperties(&properties, 0));
    CHECK(properties.major * 10 + properties.minor == 75 && properties.warpSize == 32);
    CHECK(std::strcmp(properties.name, "Tesla T4") == 0);
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, two_steps, 64, 0));
    CHECK(blocks > 0);
    n = 2 * 64;
    CUDA(cudaMalloc(&data, 2 * n * sizeof *data));
    void *arguments[] = {&data, &n};
    CUDA(cudaLaunchCooperativeKernel((void *)two_steps, 2, 64, arguments, 0, 0));
    CUDA(cudaMemcpy(&last, data + n, sizeof last, cudaMemcpyDeviceToHost));
    CHECK(last == n - 1);
    int many = blocks * properties.multiProcessorCount + 1;
    CHECK(cudaLaunchCooperativeKernel((void *)two_steps, many, 64, arguments, 0, 0) ==
          cudaErrorCooperativeLaunchTooLarge);
    CHECK(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
    CUDA(cudaFree(data));
}

static void mistakes()
{
    int *data;
    CUDA(cudaMalloc(&data, 64 * sizeof *data));
    reverse<<<1, 64, 65536>>>(data); /* more than allowed without asking */
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CUDA(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    reverse<<<1, 64, 65536>>>(data);
    CUDA(cudaGetLastError());
    reverse<<<1, 2048>>>(data);
    CHECK(cudaGetLastError() ==
          (CUDART_VERSION < 13000 ? cudaErrorInvalidConfiguration : cudaErrorInvalidValue));
    CHECK(std::strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress") == 0);
    cudaExternalMemory_t memory;
    cudaExternalMemoryHandleDesc description = {};
    description.type = cudaExternalMemoryHandleTypeOpaqueFd;
    description.size = 4096;
    CHECK(cudaImportExternalMemory(&memory, &description) == cudaErrorNotSupported);
    CHECK(cudaGetLastError() == cudaErrorNotSupported);
    CUDA(cudaFree(data));
}

/* Operations that take their last operand from the constant bank of the launch. */
extern "C" __global__ void by_constants(unsigned *data, unsigned n, unsigned selector)
{
    const unsigned low = data[4], high = data[5];
    data[0] = low << n;
    data[1] = high >> n;
    data[2] = __funnelshift_l(low, high, n);
    data[3] = __byte_perm(low, high, selector);
}

/* A kernel that is launched several times finds the parameters of each launch. */
static void parameters()
{
    const unsigned low = 0x89abcdefu, high = 0x01234567u, shifts[] = {3, 17, 29, 8};
    const unsigned selectors[] = {0x3210, 0x7654, 0x0426, 0x1111};
    unsigned *data, host[6] = {0, 0, 0, 0, low, high};
    CUDA(cudaMalloc(&data, sizeof host));
    for (int i = 0; i < 4; i++) {
        const unsigned n = shifts[i];
        unsigned bytes = 0;
        CUDA(cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice));
        by_constants<<<1, 1>>>(data, n, selectors[i]);
        CUDA(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
        for (int k = 0; k < 4; k++) {
            const unsigned from = selectors[i] >> 4 * k & 7;
            bytes |= ((from < 4 ? low : high) >> 8 * (from & 3) & 0xff) << 8 * k;
        }
        CHECK(host[0] == low << n);
        CHECK(host[1] == high >> n);
        CHECK(host[2] == (high << n | low >> (32 - n)));
        CHECK(host[3] == bytes);
    }
    CUDA(cudaFree(data));
}

int main()
{
    cudaStream_t stream;
    cudaEvent_t begin, end;
    float ms = 0;
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA(cudaEventCreate(&begin));
    CUDA(cudaEventCreate(&end));
    CUDA(cudaEventRecord(begin, stream));
    vectors(stream);
    CUDA(cudaEventRecord(end, stream));
    CUDA(cudaEventSynchronize(end));
    CUDA(cudaEventElapsedTime(&ms, begin, end));
    CHECK(ms > 0);
    variables();
    parameters();
    host_memory();
    cooperation();
    mistakes();
    CUDA(cudaStreamDestroy(stream));
    if (failures == 0)
        std::printf("PASS runtime\n");
    return failures != 0;
}
