// Calls of the API that fail, and whose errors the program ignores. check_case.h says how a case is
// written.
#include "check_case.h"

#include <cassert>

__global__ void fill(int *p)
{
    p[threadIdx.x] = threadIdx.x;
}

CASE(too_many_threads, FAULTY, "api", "A launch asks for 2048 threads in a block")
{
    device_array<int> p(2048);
    fill<<<1, 2048>>>(p); // FAULT
}

CASE(empty_grid, FAULTY, "api", "A launch asks for no blocks")
{
    device_array<int> p(32);
    const int blocks = (int)p.count / 64;
    fill<<<blocks, 64>>>(p); // FAULT
}

CASE(too_much_shared_memory, FAULTY, "api",
     "A launch asks for 64 KB, without cudaFuncSetAttribute()")
{
    device_array<int> p(32);
    fill<<<1, 32, 65536>>>(p); // FAULT
}

CASE(shared_memory_attribute, FAULTY, "api",
     "cudaFuncSetAttribute() asks for 1 MB of shared memory")
{
    cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20); // FAULT
}

CASE(copy_wrong_direction, FAULTY, "api", "A copy to the host is called a copy to the device")
{
    device_array<int> p(32, 1);
    std::vector<int> values(32);
    cudaMemcpy(values.data(), p, 128, cudaMemcpyHostToDevice); // FAULT
}

CASE(no_such_device, FAULTY, "api", "cudaSetDevice() names a device that is not there")
{
    cudaSetDevice(99); // FAULT
}

CASE(no_memory, FAULTY, "api", "cudaMalloc() of 16 TB fails, and nobody asks")
{
    int *p = nullptr;
    cudaMalloc(&p, (size_t)1 << 44); // FAULT
}

CASE(elapsed_of_unrecorded, FAULTY, "api", "The time between events that were never recorded")
{
    cudaEvent_t one, other;
    float milliseconds;
    cudaEventCreate(&one);
    cudaEventCreate(&other);
    cudaEventElapsedTime(&milliseconds, one, other); // FAULT
    cudaEventDestroy(one);
    cudaEventDestroy(other);
}

static int not_a_symbol;

CASE(no_such_symbol, FAULTY, "api", "cudaMemcpyToSymbol() gets a variable of the host")
{
    const int value = 1;
    cudaMemcpyToSymbol((const void *)&not_a_symbol, &value, sizeof value); // FAULT
}

CASE(pitch_too_small, FAULTY, "api", "cudaMemcpy2D() with a pitch below the width")
{
    device_array<char> p(1024, 0);
    const std::vector<char> rows(800, 1);
    cudaMemcpy2D(p, 64, rows.data(), 100, 100, 8, cudaMemcpyHostToDevice); // FAULT
}

CASE(synchronise_in_capture, FAULTY, "api",
     "cudaStreamSynchronize() of a stream that is being captured")
{
    cudaStream_t stream;
    cudaGraph_t graph = nullptr;
    device_array<int> p(32);
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    fill<<<1, 32, 0, stream>>>(p);
    cudaStreamSynchronize(stream); // FAULT
    cudaStreamEndCapture(stream, &graph);
    if (graph)
        cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
}

CASE(prefetch_of_plain_memory, FAULTY, "api",
     "cudaMemPrefetchAsync() gets memory that is not managed")
{
    device_array<int> p(1024, 0);
    cudaMemLocation where = {};
    where.type = cudaMemLocationTypeDevice;
    cudaMemPrefetchAsync(p, 4096, where, 0, 0); // FAULT
}

CASE(pointer_of_unregistered, FAULTY, "api", "cudaHostGetDevicePointer() of memory of malloc()")
{
    int *host = (int *)malloc(4096), *device = nullptr;
    cudaHostGetDevicePointer((void **)&device, host, 0); // FAULT
    free(host);
}

CASE(registered_twice, FAULTY, "api", "cudaHostRegister() of memory that is registered")
{
    void *host = aligned_alloc(4096, 8192);
    cudaHostRegister(host, 8192, cudaHostRegisterDefault);
    cudaHostRegister(host, 8192, cudaHostRegisterDefault); // FAULT
    cudaHostUnregister(host);
    free(host);
}

__global__ void cooperative(int *p)
{
    p[0] = 1;
}

CASE(cooperative_too_large, FAULTY, "api",
     "A cooperative launch has more blocks than fit on the GPU")
{
    device_array<int> p(1);
    void *arguments[] = {&p.data};
    cudaLaunchCooperativeKernel((void *)cooperative, 100000, 64, arguments, 0, 0); // FAULT
}

CASE(cluster_does_not_divide, FAULTY, "api", "A grid of five blocks has clusters of two")
{
    device_array<int> p(32);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 2;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = 5;
    config.blockDim = 32;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, fill, p.data); // FAULT
}

__global__ void assert_positive(const int *p)
{
    assert(p[threadIdx.x] > 0); // FAULT
}

CASE(assertion, FAULTY, "api", "An assertion of a kernel fails")
{
    device_array<int> p(numbers(32));
    assert_positive<<<1, 32>>>(p);
}

__global__ void trap_if(const int *p)
{
    if (p[threadIdx.x] == 7)
        __trap(); // FAULT
}

CASE(trap, FAULTY, "api", "A kernel ends itself by __trap()")
{
    device_array<int> p(numbers(32));
    trap_if<<<1, 32>>>(p);
}

// ---- Correct ----

CASE(limits_reached, CORRECT, "api", "1024 threads and 48 KB of shared memory, which is the limit")
{
    device_array<int> p(1024);
    fill<<<1, 1024, 49152>>>(p);
    expect(all(p.host(), [](int i) { return i; }), "words");
}

CASE(not_ready_is_no_error, CORRECT, "api", "Queries of a stream and an event that are not ready")
{
    device_array<int> p(32);
    cudaStream_t stream;
    cudaEvent_t event;
    MUST(cudaStreamCreate(&stream));
    MUST(cudaEventCreate(&event));
    fill<<<1, 32, 0, stream>>>(p);
    MUST(cudaEventRecord(event, stream));
    cudaStreamQuery(stream);
    while (cudaEventQuery(event) == cudaErrorNotReady)
        ;
    MUST(cudaStreamSynchronize(stream));
    MUST(cudaEventDestroy(event));
    MUST(cudaStreamDestroy(stream));
}

CASE(attributes_of_host_pointer, CORRECT, "api", "cudaPointerGetAttributes() of memory of malloc()")
{
    void *host = calloc(1, 64);
    cudaPointerAttributes attributes;
    MUST(cudaPointerGetAttributes(&attributes, host));
    expect(attributes.type == cudaMemoryTypeUnregistered, "the type");
    free(host);
}

CASE(direction_by_pointers, CORRECT, "api", "Copies with cudaMemcpyDefault find out the direction")
{
    device_array<int> p(64);
    const std::vector<int> in = numbers(64);
    std::vector<int> out(64);
    MUST(cudaMemcpy(p, in.data(), 256, cudaMemcpyDefault));
    MUST(cudaMemcpy(out.data(), p, 256, cudaMemcpyDefault));
    expect(in == out, "the copy");
}

CASE(registered_memory, CORRECT, "api",
     "Registered host memory is used by a kernel and unregistered")
{
    int *host = (int *)aligned_alloc(4096, 4096), *device;
    MUST(cudaHostRegister(host, 4096, cudaHostRegisterMapped));
    MUST(cudaHostGetDevicePointer((void **)&device, host, 0));
    fill<<<1, 64>>>(device);
    MUST(cudaDeviceSynchronize());
    expect(host[63] == 63, "words");
    MUST(cudaHostUnregister(host));
    free(host);
}
