/* Textures and surfaces of every shape. MANIFEST says how this is compiled. */
#define KERNEL extern "C" __global__ void

/* Each thread reads the place of its own number: out[i] is texel i if the texture lies there. */
KERNEL texture_line(float *out, cudaTextureObject_t texture)
{
    out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}

KERNEL texture_curve(float *out, cudaTextureObject_t texture, float step)
{
    out[threadIdx.x] = tex1D<float>(texture, threadIdx.x * step);
}

KERNEL texture_plane(float *out, cudaTextureObject_t texture, float step, float begin)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] =
        tex2D<float>(texture, begin + threadIdx.x * step, begin + blockIdx.x * step);
}

KERNEL texture_four(float4 *out, cudaTextureObject_t texture)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] =
        tex2D<float4>(texture, threadIdx.x + 0.5f, blockIdx.x + 0.5f);
}

KERNEL texture_bytes(uchar4 *out, cudaTextureObject_t texture)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] =
        tex2D<uchar4>(texture, threadIdx.x + 0.5f, blockIdx.x + 0.5f);
}

KERNEL texture_signed(short2 *out, cudaTextureObject_t texture)
{
    out[threadIdx.x] = tex2D<short2>(texture, threadIdx.x + 0.5f, 0.5f);
}

KERNEL texture_volume(float *out, cudaTextureObject_t texture)
{
    unsigned row = blockIdx.y * gridDim.x + blockIdx.x;
    out[row * blockDim.x + threadIdx.x] =
        tex3D<float>(texture, threadIdx.x + 0.5f, blockIdx.x + 0.5f, blockIdx.y + 0.5f);
}

KERNEL texture_layers(float *out, cudaTextureObject_t texture)
{
    unsigned row = blockIdx.y * gridDim.x + blockIdx.x;
    out[row * blockDim.x + threadIdx.x] =
        tex2DLayered<float>(texture, threadIdx.x + 0.5f, blockIdx.x + 0.5f, blockIdx.y);
}

/* Thread 2 a + s looks along axis a, backwards if s is 1. */
KERNEL texture_faces(float *out, cudaTextureObject_t texture)
{
    unsigned axis = threadIdx.x / 2;
    float along = threadIdx.x % 2 ? -1 : 1;
    out[threadIdx.x] = texCubemap<float>(texture, axis == 0 ? along : 0.1f, axis == 1 ? along : 0.2f,
                                         axis == 2 ? along : 0.3f);
}

KERNEL texture_corners(float4 *out, cudaTextureObject_t texture)
{
    out[threadIdx.x] = tex2Dgather<float4>(texture, threadIdx.x + 1, 1, 0);
}

/* The third component of the four texels. */
KERNEL texture_third(float4 *out, cudaTextureObject_t texture)
{
    out[threadIdx.x] = tex2Dgather<float4>(texture, threadIdx.x + 1, 1, 2);
}

/* Block l looks along z in layer l of a cubemap, thread 1 backwards. */
KERNEL texture_worlds(float *out, cudaTextureObject_t texture)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] =
        texCubemapLayered<float>(texture, 0.1f, 0.2f, threadIdx.x ? -1 : 1, blockIdx.x);
}

KERNEL surface_doubled(cudaSurfaceObject_t surface)
{
    float value;
    surf2Dread(&value, surface, threadIdx.x * 4, blockIdx.x);
    surf2Dwrite(2 * value, surface, threadIdx.x * 4, blockIdx.x);
}

/* Each thread counts its element up four times: a read finds what the thread has written. Without
 * asm, nvcc reads once. */
KERNEL surface_counted(cudaSurfaceObject_t surface)
{
    for (int i = 0; i < 4; i++) {
        float value;
        asm volatile("suld.b.2d.b32.trap {%0}, [%1, {%2, %3}];"
                     : "=f"(value)
                     : "l"(surface), "r"(threadIdx.x * 4), "r"(blockIdx.x)
                     : "memory");
        asm volatile("sust.b.2d.b32.trap [%0, {%1, %2}], {%3};" ::"l"(surface),
                     "r"(threadIdx.x * 4), "r"(blockIdx.x), "f"(value + 1)
                     : "memory");
    }
}

/* Reads beyond both ends: 0 outside, or the last element there is. */
KERNEL surface_beyond(float *out, cudaSurfaceObject_t surface)
{
    int x = (int)threadIdx.x - 2;
    out[threadIdx.x] = surf2Dread<float>(surface, x * 4, 0, cudaBoundaryModeZero);
    out[blockDim.x + threadIdx.x] = surf2Dread<float>(surface, x * 4, 0, cudaBoundaryModeClamp);
}

KERNEL surface_trap(float *out, cudaSurfaceObject_t surface)
{
    out[threadIdx.x] = surf2Dread<float>(surface, threadIdx.x * 4, 0);
}

/* Block (y, z) reads a row above itself and a slice further: the last ones there are at the ends. */
KERNEL surface_volume(float *out, cudaSurfaceObject_t surface)
{
    unsigned row = blockIdx.y * gridDim.x + blockIdx.x;
    out[row * blockDim.x + threadIdx.x] = surf3Dread<float>(
        surface, threadIdx.x * 4, (int)blockIdx.x - 1, blockIdx.y + 1, cudaBoundaryModeClamp);
}

KERNEL surface_rows(float *out, cudaSurfaceObject_t surface)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] =
        surf1DLayeredread<float>(surface, threadIdx.x * 4, blockIdx.x);
}

/* Writes its number to the place two before its own; what is outside is left out. */
KERNEL surface_edges(cudaSurfaceObject_t surface)
{
    surf2Dwrite((unsigned short)threadIdx.x, surface, ((int)threadIdx.x - 2) * 2, 0,
                cudaBoundaryModeZero);
}
