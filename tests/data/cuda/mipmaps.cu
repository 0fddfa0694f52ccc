/*
 * Mipmapped arrays: their levels, and textures that are sampled at a level of detail, which an
 * instruction gives, or which follows from slopes. The expectations are those of an H200 with
 * driver 580 (tests/cli/run_program.sh).
 */
#include <cstdio>
#include <cstring>
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

/* A texel's value says where it is: 1000 * level + 32 * y + x. */
enum { SIZE = 16, LEVELS = 5, SAMPLES = 8 };
static const float X = 0.3f, Y = 0.7f; /* where all samples are */

__global__ void sample_level(cudaTextureObject_t texture, const float *lod, float *out)
{
    out[threadIdx.x] = tex2DLod<float>(texture, X, Y, lod[threadIdx.x]);
}

__global__ void sample_slope(cudaTextureObject_t texture, const float *slope, float *out)
{
    out[threadIdx.x] = tex2DGrad<float>(texture, X, Y, make_float2(slope[threadIdx.x], 0),
                                        make_float2(0, slope[threadIdx.x]));
}

/* The steeper slope counts: along y it is the one over the screen's y. */
__global__ void sample_one_slope(cudaTextureObject_t texture, const float *slope, float *out)
{
    out[threadIdx.x] =
        tex2DGrad<float>(texture, X, Y, make_float2(0, 0), make_float2(0, slope[threadIdx.x]));
}

__global__ void sample(cudaTextureObject_t texture, const float *, float *out)
{
    out[threadIdx.x] = tex2D<float>(texture, X, Y);
}

__global__ void sample_layer(cudaTextureObject_t texture, const float *lod, float *out)
{
    const float slope = exp2f(lod[threadIdx.x]) / SIZE;
    out[2 * threadIdx.x] = tex2DLayeredLod<float>(texture, X, Y, 1, lod[threadIdx.x]);
    out[2 * threadIdx.x + 1] =
        tex2DLayeredGrad<float>(texture, X, Y, 1, make_float2(slope, 0), make_float2(0, slope));
}

/* Two slopes: what lies behind them in registers counts for nothing. */
__global__ void sample_line(cudaTextureObject_t texture, const float *lod, float *out)
{
    const float slope = exp2f(lod[threadIdx.x]) / SIZE, at = 100.0f + lod[threadIdx.x];
    out[threadIdx.x] = tex1DLayeredGrad<float>(texture, at, 1, slope, 0);
}

static void fill(cudaArray_t array, int level, int size)
{
    static float texel[SIZE * SIZE];
    for (int i = 0; i < size * size; i++)
        texel[i] = 1000.0f * level + 32.0f * (i / size) + i % size;
    CUDA(cudaMemcpy2DToArray(array, 0, 0, texel, size * sizeof *texel, size * sizeof *texel, size,
                             cudaMemcpyHostToDevice));
}

static cudaMipmappedArray_t make_levels()
{
    const cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t mipmap = nullptr;
    CUDA(cudaMallocMipmappedArray(&mipmap, &channel, make_cudaExtent(SIZE, SIZE, 0), LEVELS));
    for (int level = 0; level < LEVELS; level++) {
        cudaArray_t array = nullptr;
        CUDA(cudaGetMipmappedArrayLevel(&array, mipmap, level));
        fill(array, level, SIZE >> level);
    }
    return mipmap;
}

static cudaTextureObject_t make_texture(cudaMipmappedArray_t mipmap, cudaTextureFilterMode between,
                                        float bias, float least, float most)
{
    cudaResourceDesc resource = {};
    cudaTextureDesc description = {};
    cudaTextureObject_t texture = 0;
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = mipmap;
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.normalizedCoords = 1;
    description.mipmapFilterMode = between;
    description.mipmapLevelBias = bias;
    description.minMipmapLevelClamp = least;
    description.maxMipmapLevelClamp = most;
    CUDA(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
}

typedef void sampler(cudaTextureObject_t, const float *, float *);

/* Runs the kernel for the levels of detail or slopes `at`, and compares. */
static void expect(int line, sampler *kernel, cudaTextureObject_t texture, const float *at,
                   const float *expected)
{
    float *in, *out, found[SAMPLES];
    CUDA(cudaMalloc(&in, sizeof found));
    CUDA(cudaMalloc(&out, sizeof found));
    CUDA(cudaMemcpy(in, at, sizeof found, cudaMemcpyHostToDevice));
    kernel<<<1, SAMPLES>>>(texture, in, out);
    CUDA(cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost));
    for (int i = 0; i < SAMPLES; i++)
        if (found[i] != expected[i]) {
            std::printf("line %d: %g: %.9g, expected %.9g\n", line, at[i], found[i], expected[i]);
            failures++;
        }
    CUDA(cudaFree(in));
    CUDA(cudaFree(out));
    CUDA(cudaDestroyTextureObject(texture));
}

#define EXPECT(kernel, texture, at, ...)                                                           \
    do {                                                                                           \
        const float wanted[SAMPLES] = {__VA_ARGS__};                                               \
        expect(__LINE__, kernel, texture, at, wanted);                                             \
    } while (0)

static void check_samples(cudaMipmappedArray_t mipmap)
{
    const float lod[SAMPLES] = {-3, 0.25f, 0.499f, 0.5f, 1.3f, 2.5f, 3.7f, 7};
    const float slope[SAMPLES] = {0, 0.01f, 0.08f, 0.0883f, 0.0885f, 0.1f, 0.176f, 2};
    const float ratio[SAMPLES] = {0, 1 / 16.0f, 1 / 8.0f, 1 / 4.0f, 1 / 2.0f, 1, 2, 4};
    const cudaTextureFilterMode point = cudaFilterModePoint, linear = cudaFilterModeLinear;
    EXPECT(sample_level, make_texture(mipmap, point, 0, 0, 99), lod, 356, 356, 356, 1162, 1162,
           3032, 4000, 4000);
    EXPECT(sample_level, make_texture(mipmap, linear, 0, 0, 99), lod, 356, 557.5f, 755.851562f, 759,
           1430.07812f, 2548.5f, 3708.84375f, 4000);
    EXPECT(sample_level, make_texture(mipmap, linear, 0.5f, 0, 99), lod, 356, 960.5f, 1158.85156f,
           1162, 1881.57812f, 3032, 4000, 4000);
    EXPECT(sample_level, make_texture(mipmap, linear, 0, 1.25f, 2.5f), lod, 1387.75f, 1387.75f,
           1387.75f, 1387.75f, 1430.07812f, 2548.5f, 2548.5f, 2548.5f);
    EXPECT(sample_level, make_texture(mipmap, point, 0, 1.25f, 2.5f), lod, 1162, 1162, 1162, 1162,
           1162, 3032, 3032, 3032);
    EXPECT(sample_level, make_texture(mipmap, linear, 0, 3, 1), lod, 3032, 3032, 3032, 3032, 3032,
           3032, 3032, 3032);
    EXPECT(sample_slope, make_texture(mipmap, linear, 0, 0, 99), slope, 356, 356, 642.507812f,
           755.851562f, 759, 900.679688f, 1606.44531f, 4000);
    EXPECT(sample_slope, make_texture(mipmap, linear, 1.3f, 0, 99), slope, 356, 356, 1751.06641f,
           1878.05078f, 1881.57812f, 2040.30859f, 2828.02344f, 4000);
    EXPECT(sample_one_slope, make_texture(mipmap, linear, 0, 0, 99), ratio, 356, 356, 1162, 2065,
           3032, 4000, 4000, 4000);
    EXPECT(sample, make_texture(mipmap, linear, 0, 0, 99), lod, 356, 356, 356, 356, 356, 356, 356,
           356);
    EXPECT(sample, make_texture(mipmap, linear, 0, 1.25f, 2.5f), lod, 1387.75f, 1387.75f, 1387.75f,
           1387.75f, 1387.75f, 1387.75f, 1387.75f, 1387.75f);
}

static void check_level_sizes(cudaExtent extent, unsigned flags, const int (*expected)[3])
{
    const cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t mipmap = nullptr;
    CUDA(cudaMallocMipmappedArray(&mipmap, &channel, extent, 3, flags));
    for (unsigned level = 0; level < 3; level++) {
        cudaArray_t array = nullptr;
        cudaChannelFormatDesc found;
        cudaExtent size = {};
        unsigned found_flags = 99;
        CUDA(cudaGetMipmappedArrayLevel(&array, mipmap, level));
        CUDA(cudaArrayGetInfo(&found, &size, &found_flags, array));
        CHECK((int)size.width == expected[level][0] && (int)size.height == expected[level][1]);
        CHECK((int)size.depth == expected[level][2] && found_flags == flags);
    }
    CUDA(cudaFreeMipmappedArray(mipmap));
}

static void check_levels(cudaMipmappedArray_t mipmap)
{
    static const int flat[][3] = {{20, 6, 0}, {10, 3, 0}, {5, 1, 0}};
    static const int layered[][3] = {{20, 6, 4}, {10, 3, 4}, {5, 1, 4}};
    static const int deep[][3] = {{20, 6, 4}, {10, 3, 2}, {5, 1, 1}};
    const cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t other = nullptr;
    cudaArray_t array, again;
    cudaExtent size;
    check_level_sizes(make_cudaExtent(20, 6, 0), 0, flat);
    check_level_sizes(make_cudaExtent(20, 6, 4), cudaArrayLayered, layered);
    check_level_sizes(make_cudaExtent(20, 6, 4), 0, deep);
    CUDA(cudaGetMipmappedArrayLevel(&array, mipmap, 1));
    CUDA(cudaGetMipmappedArrayLevel(&again, mipmap, 1));
    CHECK(array == again);
    CUDA(cudaFreeArray(array)); /* which does nothing */
    CUDA(cudaArrayGetInfo(nullptr, &size, nullptr, array));
    CHECK(cudaGetMipmappedArrayLevel(&array, mipmap, LEVELS) == cudaErrorInvalidValue);
    CUDA(cudaMallocMipmappedArray(&other, &channel, make_cudaExtent(SIZE, SIZE, 0), 0));
    CUDA(cudaGetMipmappedArrayLevel(&array, other, 0));
    CUDA(cudaFreeMipmappedArray(other));
    CUDA(cudaMallocMipmappedArray(&other, &channel, make_cudaExtent(SIZE, SIZE, 0), 9));
    CUDA(cudaGetMipmappedArrayLevel(&array, other, LEVELS - 1));
    CHECK(cudaGetMipmappedArrayLevel(&array, other, LEVELS) == cudaErrorInvalidValue);
    CUDA(cudaFreeMipmappedArray(other));
    CUDA(cudaFreeMipmappedArray(nullptr));
}

/* Each texel of a layered line is the number of its level. */
static void check_line()
{
    const float lod[SAMPLES] = {0, 1, 2, 3};
    const cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t mipmap = nullptr;
    float *in, *out, found[4], texel[2 * SIZE];
    CUDA(cudaMallocMipmappedArray(&mipmap, &channel, make_cudaExtent(SIZE, 0, 2), 4,
                                  cudaArrayLayered));
    for (int level = 0; level < 4; level++) {
        const int size = SIZE >> level;
        cudaMemcpy3DParms copy = {};
        for (int i = 0; i < 2 * size; i++)
            texel[i] = level;
        CUDA(cudaGetMipmappedArrayLevel(&copy.dstArray, mipmap, level));
        copy.srcPtr = make_cudaPitchedPtr(texel, size * sizeof *texel, size, 1);
        copy.extent = make_cudaExtent(size, 1, 2);
        copy.kind = cudaMemcpyHostToDevice;
        CUDA(cudaMemcpy3D(&copy));
    }
    CUDA(cudaMalloc(&in, sizeof lod));
    CUDA(cudaMalloc(&out, sizeof found));
    CUDA(cudaMemcpy(in, lod, sizeof lod, cudaMemcpyHostToDevice));
    const cudaTextureObject_t texture = make_texture(mipmap, cudaFilterModePoint, 0, 0, 99);
    sample_line<<<1, 4>>>(texture, in, out);
    CUDA(cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4; i++)
        CHECK(found[i] == i);
    CUDA(cudaDestroyTextureObject(texture));
    CUDA(cudaFree(in));
    CUDA(cudaFree(out));
    CUDA(cudaFreeMipmappedArray(mipmap));
}

static void check_layers()
{
    const float lod[SAMPLES / 2] = {0, 1, 2, 3};
    const cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t mipmap = nullptr;
    float *in, *out, found[SAMPLES], texel[2 * SIZE * SIZE];
    CUDA(cudaMallocMipmappedArray(&mipmap, &channel, make_cudaExtent(SIZE, SIZE, 2), 4,
                                  cudaArrayLayered));
    for (int level = 0; level < 4; level++) {
        const int size = SIZE >> level;
        cudaMemcpy3DParms copy = {};
        for (int i = 0; i < 2 * size * size; i++)
            texel[i] = 10.0f * level + i / (size * size);
        CUDA(cudaGetMipmappedArrayLevel(&copy.dstArray, mipmap, level));
        copy.srcPtr = make_cudaPitchedPtr(texel, size * sizeof *texel, size, size);
        copy.extent = make_cudaExtent(size, size, 2);
        copy.kind = cudaMemcpyHostToDevice;
        CUDA(cudaMemcpy3D(&copy));
    }
    CUDA(cudaMalloc(&in, sizeof found));
    CUDA(cudaMalloc(&out, sizeof found));
    CUDA(cudaMemcpy(in, lod, sizeof lod, cudaMemcpyHostToDevice));
    sample_layer<<<1, SAMPLES / 2>>>(make_texture(mipmap, cudaFilterModePoint, 0, 0, 9), in, out);
    CUDA(cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost));
    for (int i = 0; i < SAMPLES; i++)
        CHECK(found[i] == 10 * (i / 2) + 1);
    CUDA(cudaFreeMipmappedArray(mipmap));
}

static void check_descriptions(cudaMipmappedArray_t mipmap)
{
    cudaTextureDesc texture = {};
    cudaResourceDesc resource = {};
    cudaSurfaceObject_t surface;
    const cudaTextureObject_t object = make_texture(mipmap, cudaFilterModeLinear, 0.5f, 1, 3);
    CUDA(cudaGetTextureObjectTextureDesc(&texture, object));
    CHECK(texture.mipmapFilterMode == cudaFilterModeLinear && texture.mipmapLevelBias == 0.5f);
    CHECK(texture.minMipmapLevelClamp == 1 && texture.maxMipmapLevelClamp == 3);
    CUDA(cudaGetTextureObjectResourceDesc(&resource, object));
    CHECK(resource.resType == cudaResourceTypeMipmappedArray);
    CHECK(resource.res.mipmap.mipmap == mipmap);
    CHECK(cudaCreateSurfaceObject(&surface, &resource) == cudaErrorInvalidValue);
    CUDA(cudaDestroyTextureObject(object));
}

int main()
{
    const cudaMipmappedArray_t mipmap = make_levels();
    check_samples(mipmap);
    check_levels(mipmap);
    check_layers();
    check_line();
    check_descriptions(mipmap);
    CUDA(cudaFreeMipmappedArray(mipmap));
    std::printf("%s mipmaps\n", failures ? "FAIL" : "PASS");
    return failures != 0;
}
