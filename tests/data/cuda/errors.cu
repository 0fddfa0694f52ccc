// Mistakes and the errors that the runtime gives for them, a line for each: what was done, the
// error. Without an argument, those of calls; with the name of a kernel, that of a kernel that
// fails and of a call after it.
#include <cstdint>
#include <cstdio>
#include <cstring>

#define SAY(what, call) printf("%s,%s\n", what, cudaGetErrorName(call))

__device__ void call_nothing(void (*f)(int *), int *p)
{
    f(p);
}

__global__ void outside_global(char *p, int)
{
    *(volatile int *)(p + (1ull << 40)) = 1;
}
__global__ void null_read(char *p, int)
{
    *(volatile int *)p = *(volatile int *)(uintptr_t)(threadIdx.x * 4);
}
__global__ void misaligned_global(char *p, int)
{
    *(volatile int *)(p + 1) = 1;
}
__global__ void misaligned_atomic(char *p, int)
{
    atomicAdd((int *)(p + 2), 1);
}
__global__ void outside_shared(char *p, int n)
{
    __shared__ volatile int s[32];
    s[threadIdx.x] = 1;
    *(int *)p = s[n << 16];
}
__global__ void misaligned_shared(char *p, int n)
{
    __shared__ volatile char s[64];
    *(int *)p = *(volatile int *)(s + n);
}
__global__ void outside_local(char *p, int n)
{
    volatile int a[16];
    for (int i = 0; i < 16; i++)
        a[i] = i;
    *(int *)p = a[n << 22];
}
__global__ void misaligned_local(char *p, int n)
{
    volatile char a[64];
    for (int i = 0; i < 64; i++)
        a[i] = (char)i;
    *(int *)p = *(volatile int *)(a + n);
}
__global__ void trap(char *, int)
{
    __trap();
}
__global__ void assertion(char *, int n);
__global__ void jump(char *p, int n)
{
    call_nothing((void (*)(int *))((uintptr_t)n << 40), (int *)p);
}
__device__ __noinline__ int endless(int n, volatile int *p)
{
    int room[64];
    for (int i = 0; i < 64; i++)
        room[i] = p[0] + i;
    int sum = endless(n + 1, p);
    for (int i = 0; i < 64; i++)
        sum += room[(i * n) & 63];
    return sum;
}
__global__ void stack(char *p, int n)
{
    *(int *)p = endless(n, (int *)p);
}
__global__ void good(char *p, int)
{
    *p = 1;
}
__global__ void __launch_bounds__(128) small(char *p)
{
    *p = 1;
}

#undef NDEBUG
#include <cassert>
__global__ void assertion(char *, int n)
{
    assert(n == 0);
}

static int fail(const char *name)
{
    static const struct {
        const char *name;
        void (*kernel)(char *, int);
    } table[] = {
#define ROW(k) {#k, k}
        ROW(outside_global),
        ROW(null_read),
        ROW(misaligned_global),
        ROW(misaligned_atomic),
        ROW(outside_shared),
        ROW(misaligned_shared),
        ROW(outside_local),
        ROW(misaligned_local),
        ROW(trap),
        ROW(assertion),
        ROW(jump),
        ROW(stack)};
    char *p;
    cudaMalloc(&p, 4096);
    for (const auto &row : table) {
        if (strcmp(row.name, name) != 0)
            continue;
        row.kernel<<<1, 32>>>(p, 1);
        printf("%s: launch,%s\n", name, cudaGetErrorName(cudaGetLastError()));
        printf("%s: after,%s\n", name, cudaGetErrorName(cudaDeviceSynchronize()));
        printf("%s: malloc,%s\n", name, cudaGetErrorName(cudaMalloc(&p, 4)));
        return 0;
    }
    printf("there is no kernel %s\n", name);
    return 2;
}

static void launches(char *p)
{
    int n = 0;
    void *arguments[] = {&p, &n};
    const void *k = (const void *)good;
    good<<<0, 1>>>(p, n);
    SAY("<<<>>>: no blocks", cudaGetLastError());
    good<<<1, 2048>>>(p, n);
    SAY("<<<>>>: 2048 threads", cudaGetLastError());
    good<<<1, 1, 1 << 20>>>(p, n);
    SAY("<<<>>>: 1 MB shared", cudaGetLastError());
    SAY("launch: no blocks", cudaLaunchKernel(k, dim3(0), dim3(1), arguments, 0, 0));
    SAY("launch: no threads", cudaLaunchKernel(k, dim3(1), dim3(0), arguments, 0, 0));
    SAY("launch: 1025 threads", cudaLaunchKernel(k, dim3(1), dim3(1025), arguments, 0, 0));
    SAY("launch: 32 * 64 threads", cudaLaunchKernel(k, dim3(1), dim3(32, 64), arguments, 0, 0));
    SAY("launch: 65 threads in z", cudaLaunchKernel(k, dim3(1), dim3(1, 1, 65), arguments, 0, 0));
    SAY("launch: 65536 blocks in y", cudaLaunchKernel(k, dim3(1, 65536), dim3(1), arguments, 0, 0));
    SAY("launch: 60000 B shared", cudaLaunchKernel(k, dim3(1), dim3(1), arguments, 60000, 0));
    SAY("launch: over bounds",
        cudaLaunchKernel((const void *)small, dim3(1), dim3(256), arguments, 0, 0));
    SAY("launch: no kernel", cudaLaunchKernel((const void *)&n, dim3(1), dim3(1), arguments, 0, 0));
    SAY("launch: null", cudaLaunchKernel(nullptr, dim3(1), dim3(1), arguments, 0, 0));
    SAY("launch: cooperative and too many",
        cudaLaunchCooperativeKernel(k, dim3(100000), dim3(1024), arguments, 0, 0));
    SAY("attribute: 1 MB shared",
        cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
    SAY("attribute: of no kernel",
        cudaFuncSetAttribute(&n, cudaFuncAttributeMaxDynamicSharedMemorySize, 4));
    SAY("last", cudaGetLastError());
    SAY("last again", cudaGetLastError());
}

static void memory(char *p)
{
    char host[64], *q = nullptr;
    void *v = nullptr;
    SAY("malloc: 0 bytes", cudaMalloc(&v, 0));
    printf("malloc: 0 bytes gives null,%d\n", v == nullptr);
    SAY("malloc: null", cudaMalloc((void **)nullptr, 4));
    SAY("malloc: 1 PB", cudaMalloc(&q, 1ull << 50));
    SAY("free: null", cudaFree(nullptr));
    SAY("free: host", cudaFree(host));
    SAY("free: inside", cudaFree(p + 64));
    SAY("free host: of device memory", cudaFreeHost(p));
    SAY("memcpy: too much", cudaMemcpy(p, host, 1ull << 30, cudaMemcpyHostToDevice));
    SAY("memcpy: null", cudaMemcpy(p, nullptr, 4, cudaMemcpyHostToDevice));
    SAY("memcpy: nothing to null", cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
    SAY("memcpy: kind 7", cudaMemcpy(p, host, 4, (cudaMemcpyKind)7));
    SAY("memcpy: default", cudaMemcpy(p, host, 4, cudaMemcpyDefault));
    SAY("memcpy: wrong way", cudaMemcpy(p, host, 4, cudaMemcpyDeviceToHost));
    SAY("memset: null", cudaMemset(nullptr, 0, 4));
    SAY("memset: host", cudaMemset(host, 0, 4));
    SAY("memcpy2D: pitch", cudaMemcpy2D(p, 4, host, 8, 8, 2, cudaMemcpyHostToDevice));
    SAY("symbol: none", cudaMemcpyToSymbol((const void *)host, host, 4));
    SAY("unregister: unknown", cudaHostUnregister(host));
    SAY("register: null", cudaHostRegister(nullptr, 64, 0));
    SAY("host pointer: of pageable", cudaHostGetDevicePointer(&v, host, 0));
    cudaPointerAttributes attributes;
    SAY("pointer: of pageable", cudaPointerGetAttributes(&attributes, host));
    printf("pointer: of pageable is of type,%d\n", (int)attributes.type);
#if CUDART_VERSION >= 13000
    const cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
    SAY("prefetch: device memory", cudaMemPrefetchAsync(p, 64, device, 0, 0));
#else
    SAY("prefetch: device memory", cudaMemPrefetchAsync(p, 64, 0));
#endif
    SAY("free twice: 1", cudaFree(p));
    SAY("free twice: 2", cudaFree(p));
    SAY("last", cudaGetLastError());
}

static void others()
{
    cudaEvent_t a, b;
    cudaStream_t s;
    float ms;
    int value;
    size_t bytes;
    cudaEventCreate(&a);
    cudaEventCreateWithFlags(&b, cudaEventDisableTiming);
    SAY("event: not recorded", cudaEventElapsedTime(&ms, a, a));
    SAY("event: query when not recorded", cudaEventQuery(a));
    cudaEventRecord(a);
    cudaEventRecord(b);
    SAY("event: without timing", cudaEventElapsedTime(&ms, a, b));
    SAY("event: null", cudaEventRecord(nullptr));
    SAY("event: flags", cudaEventCreateWithFlags(&b, 0x100));
    SAY("stream: flags", cudaStreamCreateWithFlags(&s, 0x100));
    SAY("stream: end without begin", cudaStreamEndCapture(0, nullptr));
    SAY("stream: capture of default", cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
    SAY("stream: null to", cudaStreamCreate(nullptr));
    SAY("device: 7", cudaSetDevice(7));
    SAY("device: -1", cudaSetDevice(-1));
    SAY("device: attribute 9999", cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0));
    SAY("device: attribute of 7", cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 7));
    SAY("device: limit 99", cudaDeviceGetLimit(&bytes, (cudaLimit)99));
    SAY("device: flags", cudaSetDeviceFlags(0x1000));
    SAY("peer: itself", cudaDeviceEnablePeerAccess(0, 0));
    SAY("peer: can itself", cudaDeviceCanAccessPeer(&value, 0, 0));
    SAY("occupancy: no threads", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, good, 0, 0));
    SAY("occupancy: 2000 threads",
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, good, 2000, 0));
    SAY("graph: null", cudaGraphLaunch(nullptr, 0));
    SAY("graph: destroy null", cudaGraphDestroy(nullptr));
    SAY("peek", cudaPeekAtLastError());
    SAY("last", cudaGetLastError());
    SAY("sync", cudaDeviceSynchronize());
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return fail(argv[1]);
    char *p;
    cudaMalloc(&p, 4096);
    launches(p);
    memory(p);
    others();
    return 0;
}
