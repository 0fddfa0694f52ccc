/*
 * What queries (PTX: txq, suq) say of the size of textures and surfaces of every kind:
 *
 *     nvcc -std=c++17 -arch=sm_90a -o texture_queries cuda/probe/texture_queries.cu
 *     texture_queries        prints object,width,height,depth, and the same of levels 1 and 2
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

enum { ANSWERS = 9 };

#define QUERY(query, what, object, level)                                                          \
    asm volatile(query "." what ".b32 %0, [%1]" level ";" : "=r"(out[n++]) : "l"(object))
#define QUERY_LEVEL(object, level)                                                                 \
    QUERY("txq.level", "width", object, level);                                                    \
    QUERY("txq.level", "height", object, level);                                                   \
    QUERY("txq.level", "depth", object, level)

__global__ void query_texture(uint32_t *out, cudaTextureObject_t texture)
{
    int n = 0;
    QUERY("txq", "width", texture, "");
    QUERY("txq", "height", texture, "");
    QUERY("txq", "depth", texture, "");
    QUERY_LEVEL(texture, ", 1");
    QUERY_LEVEL(texture, ", 2");
}

__global__ void query_surface(uint32_t *out, cudaSurfaceObject_t surface)
{
    int n = 0;
    QUERY("suq", "width", surface, "");
    QUERY("suq", "height", surface, "");
    QUERY("suq", "depth", surface, "");
}

static uint32_t *answers;

static void check(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    exit(1);
}

static void print(const char *name, int count)
{
    check(cudaDeviceSynchronize());
    printf("%s", name);
    for (int i = 0; i < count; i++)
        printf(",%u", answers[i]);
    printf("\n");
}

static void texture_of(const char *name, const cudaResourceDesc &resource)
{
    cudaTextureDesc description = {};
    cudaTextureObject_t texture;
    check(cudaCreateTextureObject(&texture, &resource, &description, NULL));
    query_texture<<<1, 1>>>(answers, texture);
    print(name, ANSWERS);
    check(cudaDestroyTextureObject(texture));
}

static void surface_of(const char *name, const cudaResourceDesc &resource)
{
    cudaSurfaceObject_t surface;
    check(cudaCreateSurfaceObject(&surface, &resource));
    query_surface<<<1, 1>>>(answers, surface);
    print(name, 3);
    check(cudaDestroySurfaceObject(surface));
}

static void memory()
{
    void *data;
    check(cudaMalloc(&data, 1 << 20));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = data;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    for (int bytes : {4, 1000, 1 << 20}) {
        char name[32];
        snprintf(name, sizeof name, "texture of %d bytes", bytes);
        resource.res.linear.sizeInBytes = bytes;
        texture_of(name, resource);
    }
    resource.res.linear.desc = cudaCreateChannelDesc<uint4>();
    texture_of("texture of uint4", resource);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = data;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = 37;
    resource.res.pitch2D.height = 19;
    resource.res.pitch2D.pitchInBytes = 512;
    texture_of("texture of rows", resource);
    check(cudaFree(data));
}

static void array(const char *name, int width, int height, int depth, unsigned flags)
{
    const cudaChannelFormatDesc channel = cudaCreateChannelDesc<short2>();
    cudaResourceDesc resource = {};
    char text[64];
    resource.resType = cudaResourceTypeArray;
    check(cudaMalloc3DArray(&resource.res.array.array, &channel,
                            make_cudaExtent(width, height, depth),
                            flags | cudaArraySurfaceLoadStore));
    snprintf(text, sizeof text, "texture of %s", name);
    texture_of(text, resource);
    snprintf(text, sizeof text, "surface of %s", name);
    surface_of(text, resource);
    check(cudaFreeArray(resource.res.array.array));
}

int main()
{
    check(cudaMallocManaged(&answers, ANSWERS * sizeof *answers));
    printf("object,width,height,depth,width1,height1,depth1,width2,height2,depth2\n");
    memory();
    array("a 1D array", 45, 0, 0, 0);
    array("a 2D array", 45, 23, 0, 0);
    array("a 3D array", 45, 23, 11, 0);
    array("a layered 1D array", 45, 0, 7, cudaArrayLayered);
    array("a layered 2D array", 45, 23, 7, cudaArrayLayered);
    array("a cubemap", 32, 32, 6, cudaArrayCubemap);
    array("a layered cubemap", 32, 32, 18, cudaArrayCubemap | cudaArrayLayered);
    return 0;
}
