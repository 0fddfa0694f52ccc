/*
 * Arrays in three dimensions, textures, surfaces and managed variables, by functions whose
 * parameters differ between the runtime API and the driver API (tests/cli/run_program.sh).
 */
#include <cstdio>
#include <cuda_runtime.h>

static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::printf("line %d: %s\n", __LINE__, #condition);                                    \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)
#define CUDA(call) CHECK((call) == cudaSuccess)

enum { WIDE = 12, HIGH = 5, DEEP = 3, ALL = WIDE * HIGH * DEEP };

__managed__ int shared_sum;
__device__ int plain = 7;

__global__ void add_plain(int times)
{
    shared_sum += plain * times;
}

__global__ void read_texels(cudaTextureObject_t texture, float *out)
{
    const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    out[(z * HIGH + y) * WIDE + x] = tex3D<float>(texture, x + 0.5f, y + 0.5f, z + 0.5f);
}

__global__ void read_bytes(cudaTextureObject_t row, cudaTextureObject_t rows, float *out)
{
    const uchar2 pair = tex1Dfetch<uchar2>(row, threadIdx.x);
    out[threadIdx.x] = pair.x + 256 * pair.y;
    out[WIDE + threadIdx.x] = tex2D<float>(rows, (threadIdx.x + 0.5f) / WIDE, 0.5f / HIGH);
}

__global__ void write_surface(cudaSurfaceObject_t surface)
{
    surf3Dwrite(1000.0f + threadIdx.x, surface, threadIdx.x * sizeof(float), 1, 2);
}

static cudaPitchedPtr pitched(float *data)
{
    return make_cudaPitchedPtr(data, WIDE * sizeof *data, WIDE, HIGH);
}

/* A part of a block in host memory goes to another place of an array, and from there to a second.
 */
static void copy_parts(cudaArray_t array, cudaArray_t other, float *host)
{
    static float back[ALL];
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = pitched(host);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(WIDE, HIGH, DEEP);
    copy.kind = cudaMemcpyHostToDevice;
    CUDA(cudaMemcpy3D(&copy));
    copy.srcPos = make_cudaPos(2, 1, 0);
    copy.dstPos = make_cudaPos(5, 2, 1);
    copy.extent = make_cudaExtent(4, 2, 2);
    CUDA(cudaMemcpy3DAsync(&copy, nullptr));
    cudaMemcpy3DParms between = {};
    between.srcArray = array;
    between.dstArray = other;
    between.srcPos = make_cudaPos(5, 2, 1);
    between.extent = make_cudaExtent(4, 2, 2);
    between.kind = cudaMemcpyDeviceToDevice;
    CUDA(cudaMemcpy3D(&between));
    cudaMemcpy3DParms from = {};
    from.srcArray = other;
    from.dstPtr = pitched(back);
    from.extent = make_cudaExtent(4, 2, 2);
    from.kind = cudaMemcpyDeviceToHost;
    CUDA(cudaMemcpy3D(&from));
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 2; y++)
            for (int x = 0; x < 4; x++)
                CHECK(back[(z * HIGH + y) * WIDE + x] == host[(z * HIGH + y + 1) * WIDE + x + 2]);
    copy.extent.width = WIDE;
    CHECK(cudaMemcpy3D(&copy) == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

static void use_blocks(float *host, float *out)
{
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    const cudaExtent extent = make_cudaExtent(WIDE, HIGH, DEEP);
    cudaArray_t array, other;
    cudaChannelFormatDesc found = {};
    cudaExtent size = {};
    unsigned flags = 0;
    CUDA(cudaMalloc3DArray(&array, &format, extent, cudaArraySurfaceLoadStore));
    CUDA(cudaMalloc3DArray(&other, &format, extent));
    CUDA(cudaArrayGetInfo(&found, &size, &flags, array));
    CHECK(found.x == 32 && found.y == 0 && found.f == cudaChannelFormatKindFloat);
    CHECK(size.width == WIDE && size.depth == DEEP && flags == cudaArraySurfaceLoadStore);
    copy_parts(array, other, host);

    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    cudaTextureObject_t texture;
    cudaSurfaceObject_t surface;
    CUDA(cudaCreateSurfaceObject(&surface, &resource));
    write_surface<<<1, WIDE>>>(surface);
    CUDA(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    read_texels<<<dim3(HIGH, DEEP), WIDE>>>(texture, out);
    CUDA(cudaDeviceSynchronize());
    CHECK(out[0] == host[0] && out[(2 * HIGH + 1) * WIDE + 3] == 1003);
    CHECK(out[(HIGH + 2) * WIDE + 5] == host[WIDE + 2]);
    CUDA(cudaDestroyTextureObject(texture));
    CUDA(cudaDestroySurfaceObject(surface));
    CUDA(cudaFreeArray(array));
    CUDA(cudaFreeArray(other));
}

/* Textures of plain memory: pairs of bytes as they are, and bytes as fractions at places of 0 to 1.
 */
static void use_memory(float *out)
{
    unsigned char *bytes;
    size_t pitch;
    cudaTextureObject_t row, rows;
    CUDA(cudaMallocPitch(&bytes, &pitch, WIDE, HIGH));
    CUDA(cudaMemset2D(bytes, pitch, 51, WIDE, HIGH));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = bytes;
    resource.res.linear.desc = cudaCreateChannelDesc<uchar2>();
    resource.res.linear.sizeInBytes = WIDE;
    cudaTextureDesc description = {};
    CUDA(cudaCreateTextureObject(&row, &resource, &description, nullptr));
    resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = bytes;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<unsigned char>();
    resource.res.pitch2D.width = WIDE;
    resource.res.pitch2D.height = HIGH;
    resource.res.pitch2D.pitchInBytes = pitch;
    description.readMode = cudaReadModeNormalizedFloat;
    description.normalizedCoords = 1;
    CUDA(cudaCreateTextureObject(&rows, &resource, &description, nullptr));
    read_bytes<<<1, WIDE / 2>>>(row, rows, out);
    CUDA(cudaDeviceSynchronize());
    CHECK(out[0] == 51 + 256 * 51 && out[WIDE / 2 - 1] == 51 + 256 * 51);
    CHECK(out[WIDE] == 0.2f);
    CUDA(cudaFree(bytes));
}

static void use_managed(void)
{
    shared_sum = 1;
    add_plain<<<1, 1>>>(3);
    CUDA(cudaDeviceSynchronize());
    CHECK(shared_sum == 22);
    void *address;
    int value = 0;
    CUDA(cudaGetSymbolAddress(&address, shared_sum));
    CHECK(address == &shared_sum);
    CUDA(cudaMemcpyFromSymbol(&value, shared_sum, sizeof value));
    CHECK(value == 22);
#if CUDART_VERSION >= 13000
    cudaMemLocation host = {};
    host.type = cudaMemLocationTypeHost;
    CUDA(cudaMemAdvise(&shared_sum, sizeof shared_sum, cudaMemAdviseSetPreferredLocation, host));
    CUDA(cudaMemPrefetchAsync(&shared_sum, sizeof shared_sum, host, 0));
#endif
}

#if CUDART_VERSION >= 12020
/* Kernel and copy as nodes of any kind. */
static void use_nodes(float *host, float *out)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t copy, kernel;
    int times = 2;
    void *arguments[] = {&times};
    cudaGraphNodeParams params = {};
    CUDA(cudaGraphCreate(&graph, 0));
    params.type = cudaGraphNodeTypeMemcpy;
    params.memcpy.copyParams.srcPtr = pitched(host);
    params.memcpy.copyParams.dstPtr = pitched(out);
    params.memcpy.copyParams.extent = make_cudaExtent(WIDE * sizeof *host, HIGH, DEEP);
    params.memcpy.copyParams.kind = cudaMemcpyDefault;
#if CUDART_VERSION >= 13000
    CUDA(cudaGraphAddNode(&copy, graph, nullptr, nullptr, 0, &params));
#else
    CUDA(cudaGraphAddNode(&copy, graph, nullptr, 0, &params));
#endif
    params = {};
    params.type = cudaGraphNodeTypeKernel;
    params.kernel.func = (void *)add_plain;
    params.kernel.gridDim = params.kernel.blockDim = dim3(1);
    params.kernel.kernelParams = arguments;
#if CUDART_VERSION >= 13000
    CUDA(cudaGraphAddNode(&kernel, graph, &copy, nullptr, 1, &params));
#else
    CUDA(cudaGraphAddNode(&kernel, graph, &copy, 1, &params));
#endif
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    CUDA(cudaGraphLaunch(exec, nullptr));
    CUDA(cudaDeviceSynchronize());
    CHECK(out[ALL - 1] == host[ALL - 1] && shared_sum == 36);
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(graph));
}
#endif

int main()
{
    static float host[ALL];
    float *out;
    for (int i = 0; i < ALL; i++)
        host[i] = static_cast<float>(i);
    CUDA(cudaMallocManaged(&out, sizeof host));
    use_blocks(host, out);
    use_memory(out);
    use_managed();
#if CUDART_VERSION >= 12020
    use_nodes(host, out);
#endif
    CUDA(cudaFree(out));
    std::puts(failures ? "FAIL arrays" : "PASS arrays");
    return failures != 0;
}
