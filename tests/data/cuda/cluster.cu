/*
 * Mistakes with clusters, by the first argument: "ended" reads shared memory of a block that has
 * ended, "rank" of a block that is not there, "twice" arrives at the barrier of the cluster without
 * waiting, "missing" waits for a block that does not arrive, "alone" copies to shared memory of a
 * kernel that is not launched in clusters. Prints the error.
 */
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__device__ uint32_t read_rank(const void *pointer, uint32_t rank)
{
    uint32_t mapped, value;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(mapped)
                 : "r"((uint32_t)__cvta_generic_to_shared(pointer)), "r"(rank));
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(mapped) : "memory");
    return value;
}

__global__ void __cluster_dims__(2) ended(uint32_t *out, volatile uint32_t *flag)
{
    __shared__ uint32_t box;
    box = 7;
    cg::this_cluster().sync();
    if (blockIdx.x) {
        *flag = 1;
        return;
    }
    while (!*flag)
        ;
    for (int i = 0; i < 100000; i++)
        out[0] = i;
    out[1] = read_rank(&box, 1);
}

__global__ void __cluster_dims__(2) rank(uint32_t *out)
{
    __shared__ uint32_t box;
    box = 7;
    cg::this_cluster().sync();
    out[0] = read_rank(&box, 5);
}

__global__ void __cluster_dims__(2) twice(uint32_t *out)
{
    out[0] = 1;
    asm volatile("barrier.cluster.arrive;");
    asm volatile("barrier.cluster.arrive;");
    asm volatile("barrier.cluster.wait;");
}

__global__ void __cluster_dims__(2) missing(uint32_t *out)
{
    __shared__ __align__(8) uint64_t barrier;
    const uint32_t at = (uint32_t)__cvta_generic_to_shared(&barrier);
    uint32_t over = 0;
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at));
    out[0] = 1;
    while (blockIdx.x && !over)
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 "
                     "%0, 1, 0, p;}"
                     : "=r"(over)
                     : "r"(at)
                     : "memory");
    cg::this_cluster().sync();
}

__global__ void alone(uint32_t *out)
{
    __shared__ __align__(16) uint32_t from[4], to[4];
    __shared__ __align__(8) uint64_t barrier;
    from[threadIdx.x % 4] = to[threadIdx.x % 4] = 1;
    if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], "
                     "[%1], 16, [%2];" ::"r"((uint32_t)__cvta_generic_to_shared(to)),
                     "r"((uint32_t)__cvta_generic_to_shared(from)),
                     "r"((uint32_t)__cvta_generic_to_shared(&barrier))
                     : "memory");
    out[threadIdx.x] = to[threadIdx.x % 4];
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    uint32_t *out;
    cudaMalloc(&out, 4096);
    cudaMemset(out, 0, 4096);
    if (!strcmp(what, "ended"))
        ended<<<2, 1>>>(out, out + 100);
    if (!strcmp(what, "rank"))
        rank<<<2, 1>>>(out);
    if (!strcmp(what, "twice"))
        twice<<<2, 32>>>(out);
    if (!strcmp(what, "missing"))
        missing<<<2, 32>>>(out);
    if (!strcmp(what, "alone"))
        alone<<<1, 32>>>(out);
    puts(cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
