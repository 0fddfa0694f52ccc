/* Instructions that are decoded, but not carried out. MANIFEST says how this is compiled. */
#include <cstdint>

#define KERNEL extern "C" __global__ void

__device__ uint32_t shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

KERNEL texture_fetch(float *out, cudaTextureObject_t texture)
{
    out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}

KERNEL surface_read(float *out, cudaSurfaceObject_t surface)
{
    out[threadIdx.x] = surf1Dread<float>(surface, threadIdx.x * 4);
}

KERNEL bulk_copy(float *out)
{
    __shared__ alignas(128) float s[64];
    __shared__ uint64_t barrier;
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], 256, [%2];" ::"r"(shared_address(s)),
                 "l"(out), "r"(shared_address(&barrier))
                 : "memory");
    out[threadIdx.x] = s[threadIdx.x];
}

KERNEL tensor_copy(float *out)
{
    __shared__ alignas(128) float s[64];
    __shared__ uint64_t barrier;
    asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2}], [%3];" ::"r"(shared_address(s)),
                 "l"(out), "r"(0), "r"(shared_address(&barrier))
                 : "memory");
    out[threadIdx.x] = s[threadIdx.x];
}

KERNEL warp_group_product(float *out)
{
    float d[4] = {0, 0, 0, 0};
    asm volatile("wgmma.fence.sync.aligned;");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, "
                 "1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(0ull), "l"(0ull));
    asm volatile("wgmma.commit_group.sync.aligned;");
    asm volatile("wgmma.wait_group.sync.aligned 0;");
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}

extern "C" __global__ void __cluster_dims__(2) cluster_barrier(float *out)
{
    asm volatile("barrier.cluster.arrive;");
    asm volatile("barrier.cluster.wait;");
    out[threadIdx.x] = 1;
}
