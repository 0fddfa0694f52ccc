/*
 * Clusters of blocks: prints part,case,values. Special registers, shared memory of other blocks and
 * atomics there, remote barriers, st.async, copies and reductions between blocks, multicast, and
 * what the API answers. simsm must print the same (tests/cli/hopper.sh).
 *
 *     nvcc -std=c++17 -arch=sm_90a -o clusters cuda/probe/clusters.cu
 *     clusters answers     what the API says about clusters
 */
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

#include "async.cuh"

namespace cg = cooperative_groups;

enum { WORDS = 32, THREADS = 64 };

#define READ(n, name)                                                                              \
    {                                                                                              \
        uint32_t value;                                                                            \
        asm volatile("mov.u32 %0, %%" #name ";" : "=r"(value));                                    \
        out[n] = value;                                                                            \
    }

__device__ void read_registers(uint32_t *out)
{
    READ(0, cluster_ctarank)
    READ(1, cluster_nctarank)
    READ(2, cluster_ctaid.x)
    READ(3, cluster_ctaid.y)
    READ(4, cluster_ctaid.z)
    READ(5, cluster_nctaid.x)
    READ(6, cluster_nctaid.y)
    READ(7, cluster_nctaid.z)
    READ(8, clusterid.x)
    READ(9, clusterid.y)
    READ(10, clusterid.z)
    READ(11, nclusterid.x)
    READ(12, nclusterid.y)
    READ(13, nclusterid.z)
    uint32_t is;
    asm volatile("{.reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p;}"
                 : "=r"(is));
    out[14] = is;
}

__device__ uint64_t linear_block()
{
    return blockIdx.x + (uint64_t)gridDim.x * (blockIdx.y + (uint64_t)gridDim.y * blockIdx.z);
}

__global__ void registers(uint32_t *out)
{
    read_registers(out + linear_block() * WORDS);
}

__global__ void __cluster_dims__(2, 2, 1) compiled_in(uint32_t *out)
{
    read_registers(out + linear_block() * WORDS);
}

/* A ring: each block reads and changes the shared memory of the next one. */
__global__ void ring(uint32_t *out)
{
    __shared__ uint32_t box[THREADS], counter[4];
    const cg::cluster_group cluster = cg::this_cluster();
    const uint32_t rank = cluster.block_rank(), next = (rank + 1) % cluster.num_blocks();
    out += linear_block() * WORDS;
    box[threadIdx.x] = 100 * rank + threadIdx.x;
    if (threadIdx.x < 4)
        counter[threadIdx.x] = threadIdx.x == 2 ? 1000 : 0;
    cluster.sync();
    uint32_t *there = cluster.map_shared_rank(box, next);
    uint32_t *counters = cluster.map_shared_rank(counter, next);
    const uint32_t read = there[threadIdx.x];
    atomicAdd(&counters[0], 1);
    atomicMax(&counters[1], 7 * rank + threadIdx.x);
    atomicMin(&counters[2], 900 - 10 * rank + threadIdx.x);
    for (uint32_t i = 0; i < cluster.num_blocks(); i++)
        atomicAdd(&cluster.map_shared_rank(counter, i)[3], rank + 1);
    cluster.sync();
    there[threadIdx.x] = read + 10000;
    cluster.sync();
    if (threadIdx.x < 4)
        out[threadIdx.x] = counter[threadIdx.x];
    if (threadIdx.x == 5) {
        out[4] = read;
        out[5] = box[5];
        out[6] = cluster.query_shared_rank(there);
        uint32_t is;
        asm volatile("{.reg .pred p; isspacep.shared::cluster p, %1; selp.u32 %0, 1, 0, p;}"
                     : "=r"(is)
                     : "l"(there));
        out[7] = is;
        asm volatile("{.reg .pred p; isspacep.shared::cta p, %1; selp.u32 %0, 1, 0, p;}"
                     : "=r"(is)
                     : "l"(there));
        out[8] = is;
        asm volatile("{.reg .pred p; isspacep.shared::cluster p, %1; selp.u32 %0, 1, 0, p;}"
                     : "=r"(is)
                     : "l"(&box[3]));
        out[9] = is;
        asm volatile("{.reg .pred p; isspacep.shared::cta p, %1; selp.u32 %0, 1, 0, p;}"
                     : "=r"(is)
                     : "l"(&box[3]));
        out[10] = is;
    }
    cluster.sync();
}

__device__ void init(uint64_t *barrier, uint32_t count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(count));
    asm volatile("fence.mbarrier_init.release.cluster;");
}

__device__ void expect(uint64_t *barrier, uint32_t bytes)
{
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
        "r"(bytes)
        : "memory");
}

__device__ void wait(uint64_t *barrier)
{
    uint32_t over = 0;
    while (!over)
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, "
                     "[%1], 0; selp.u32 %0, 1, 0, p;}"
                     : "=r"(over)
                     : "r"(shared_address(barrier))
                     : "memory");
}

/* What the blocks of a cluster send to one another; each waits for what comes to it. */
__global__ void messages(uint32_t *out, const uint32_t *in)
{
    __shared__ __align__(128) uint32_t from[256], to[256], sum[64], all[64], stored[16];
    __shared__ __align__(8) uint64_t arrivals, stores, copies, sums, cast;
    const cg::cluster_group cluster = cg::this_cluster();
    const uint32_t rank = cluster.block_rank(), blocks = cluster.num_blocks();
    const uint32_t next = (rank + 1) % blocks;
    out += linear_block() * WORDS;
    for (int i = threadIdx.x; i < 256; i += THREADS) {
        from[i] = rank * 1000 + i;
        to[i] = 0;
        if (i < 64)
            sum[i] = 5, all[i] = 0;
    }
    if (threadIdx.x == 0) {
        init(&arrivals, THREADS * blocks);
        init(&stores, 1);
        init(&copies, 1);
        init(&sums, 1);
        init(&cast, 1);
        expect(&stores, 4 + 8 + 16);
        expect(&copies, 1024);
        expect(&sums, 256);
        expect(&cast, 64 * 4);
    }
    asm volatile("fence.proxy.async.shared::cta;");
    cluster.sync();
    for (uint32_t i = 0; i < blocks; i++)
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(
                         map_rank(shared_address(&arrivals), i))
                     : "memory");
    if (threadIdx.x == 32) {
        const uint32_t place = map_rank(shared_address(stored), next);
        const uint32_t barrier = map_rank(shared_address(&stores), next);
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, "
                     "[%2];" ::"r"(place),
                     "r"(rank + 50), "r"(barrier)
                     : "memory");
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u64 [%0], %1, "
                     "[%2];" ::"r"(place + 8),
                     "l"(((uint64_t)rank << 32) + 60), "r"(barrier)
                     : "memory");
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [%0], {%1, %1, "
                     "%1, %1}, [%2];" ::"r"(place + 16),
                     "r"(rank + 70), "r"(barrier)
                     : "memory");
    }
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], "
                     "[%1], 1024, [%2];" ::"r"(map_rank(shared_address(to), next)),
                     "r"(shared_address(from)), "r"(map_rank(shared_address(&copies), next))
                     : "memory");
        asm volatile(
            "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::"
            "bytes.add.u32 [%0], [%1], 256, [%2];" ::"r"(map_rank(shared_address(sum), next)),
            "r"(shared_address(from)), "r"(map_rank(shared_address(&sums), next))
            : "memory");
        /* Each block gives a part of `all` to every block. */
        const uint32_t part = 64 / blocks;
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::"
                     "cluster [%0], [%1], %2, [%3], %4;" ::"r"(shared_address(all + rank * part)),
                     "l"(in + rank * part), "r"(part * 4), "r"(shared_address(&cast)),
                     "h"((uint16_t)((1 << blocks) - 1))
                     : "memory");
    }
    wait(&arrivals);
    wait(&stores);
    wait(&copies);
    wait(&sums);
    wait(&cast);
    __syncthreads();
    if (threadIdx.x == 0) {
        uint32_t total = 0;
        for (int i = 0; i < 256; i++)
            total = total * 31 + to[i];
        out[0] = total;
        total = 0;
        for (int i = 0; i < 64; i++)
            total = total * 31 + sum[i];
        out[1] = total;
        total = 0;
        for (int i = 0; i < 64; i++)
            total = total * 31 + all[i];
        out[2] = total;
        out[3] = stored[0];
        for (int i = 2; i < 8; i++)
            out[i + 2] = stored[i];
    }
    cluster.sync();
}

/* Half of the threads end before the barrier of the cluster: it does not wait for them. */
__global__ void leavers(uint32_t *out)
{
    if (threadIdx.x >= THREADS / 2)
        return;
    asm volatile("barrier.cluster.arrive.release;");
    asm volatile("barrier.cluster.wait.acquire;");
    out[linear_block() * WORDS] = 1;
}

static uint32_t *device;

static cudaError_t launch(void (*kernel)(uint32_t *), dim3 grid, dim3 cluster, size_t shared = 0)
{
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = cluster.x;
    attribute.val.clusterDim.y = cluster.y;
    attribute.val.clusterDim.z = cluster.z;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = shared;
    config.attrs = &attribute;
    config.numAttrs = cluster.x ? 1 : 0;
    return cudaLaunchKernelEx(&config, kernel, device);
}

static void show(const char *part, dim3 grid, int words)
{
    std::vector<uint32_t> out(grid.x * grid.y * grid.z * WORDS);
    const cudaError_t error =
        cudaMemcpy(out.data(), device, out.size() * 4, cudaMemcpyDeviceToHost);
    if (error) {
        printf("%s,%s\n", part, cudaGetErrorName(error));
        exit(1);
    }
    for (unsigned i = 0; i < grid.x * grid.y * grid.z; i++) {
        printf("%s,%u,", part, i);
        for (int w = 0; w < words; w++)
            printf("%s%u", w ? " " : "", out[i * WORDS + w]);
        printf("\n");
    }
}

static void clear()
{
    cudaMemset(device, 0, 1 << 20);
}

static void occupancy(const char *what, dim3 cluster, size_t shared)
{
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = cluster.x;
    attribute.val.clusterDim.y = cluster.y;
    attribute.val.clusterDim.z = cluster.z;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1024);
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = shared;
    config.attrs = &attribute;
    config.numAttrs = 1;
    int clusters = -1, size = -1;
    const cudaError_t a = cudaOccupancyMaxActiveClusters(&clusters, ring, &config);
    config.numAttrs = 0;
    const cudaError_t b = cudaOccupancyMaxPotentialClusterSize(&size, ring, &config);
    printf("occupancy,%s %u %zu,%s %d %s %d\n", what, cluster.x * cluster.y * cluster.z, shared,
           cudaGetErrorName(a), clusters, cudaGetErrorName(b), size);
}

static void answers()
{
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, compiled_in);
    printf("attributes,compiled_in,%d %d %d %d %d %d\n", attributes.clusterDimMustBeSet,
           attributes.requiredClusterWidth, attributes.requiredClusterHeight,
           attributes.requiredClusterDepth, attributes.clusterSchedulingPolicyPreference,
           attributes.nonPortableClusterSizeAllowed);
    cudaFuncGetAttributes(&attributes, registers);
    printf("attributes,registers,%d %d %d %d %d %d\n", attributes.clusterDimMustBeSet,
           attributes.requiredClusterWidth, attributes.requiredClusterHeight,
           attributes.requiredClusterDepth, attributes.clusterSchedulingPolicyPreference,
           attributes.nonPortableClusterSizeAllowed);
    const dim3 grids[] = {3, 16, 16, 16, 17, 8, dim3(4, 4), dim3(4, 4), 32};
    const dim3 clusters[] = {2, 16, 3, 32, 16, 8, dim3(2, 2), dim3(4, 1), dim3(0, 1, 1)};
    for (int i = 0; i < 9; i++) {
        const cudaError_t error = launch(registers, grids[i], clusters[i]);
        printf("launch,grid %u %u cluster %u %u,%s\n", grids[i].x, grids[i].y, clusters[i].x,
               clusters[i].y, cudaGetErrorName(error));
        cudaGetLastError();
    }
    printf("launch,compiled_in as 4,%s\n", cudaGetErrorName(launch(compiled_in, 8, 4)));
    printf("launch,compiled_in 2 2,%s\n",
           cudaGetErrorName(launch(compiled_in, dim3(4, 4), dim3(2, 2))));
    printf("launch,compiled_in 3,%s\n", cudaGetErrorName(launch(compiled_in, 3, 0)));
    cudaGetLastError();
    cudaFuncSetAttribute(ring, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10);
    for (unsigned size = 1; size <= 16; size *= 2)
        occupancy("portable", size, 0);
    printf("set,non portable,%s\n", cudaGetErrorName(cudaFuncSetAttribute(
                                        ring, cudaFuncAttributeNonPortableClusterSizeAllowed, 1)));
    for (unsigned size = 1; size <= 16; size++)
        occupancy("any", size, 0);
    for (unsigned size = 1; size <= 16; size *= 2)
        occupancy("any", size, 200 << 10);
    printf("set,width of compiled_in,%s\n",
           cudaGetErrorName(
               cudaFuncSetAttribute(compiled_in, cudaFuncAttributeRequiredClusterWidth, 2)));
    printf("set,width of registers,%s\n",
           cudaGetErrorName(
               cudaFuncSetAttribute(registers, cudaFuncAttributeRequiredClusterWidth, 2)));
    cudaGetLastError();
}

int main(int argc, char **argv)
{
    if (cudaMalloc(&device, 1 << 20))
        return 1;
    if (argc > 1 && !strcmp(argv[1], "answers")) {
        answers();
        return 0;
    }
    uint32_t host[64], *in;
    for (int i = 0; i < 64; i++)
        host[i] = i * i + 3;
    cudaMalloc(&in, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    const dim3 grids[] = {4, 4, dim3(4, 6, 2), dim3(6, 4, 4), 14, dim3(3, 5, 7)};
    const dim3 clusters[] = {0, 2, dim3(2, 3, 1), dim3(3, 1, 2), 7, dim3(1, 5, 1)};
    for (int i = 0; i < 6; i++) {
        clear();
        launch(registers, grids[i], clusters[i]);
        show("registers", grids[i], 15);
    }
    clear();
    launch(compiled_in, dim3(4, 4), 0);
    show("compiled_in", dim3(4, 4), 15);
    for (unsigned size : {1, 2, 4, 8}) {
        clear();
        launch(ring, 2 * size, size);
        show("ring", 2 * size, 11);
    }
    clear();
    launch(ring, 3, 0);
    show("alone", 3, 11);
    for (unsigned size : {1, 2, 4, 8}) {
        clear();
        cudaLaunchAttribute attribute;
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim.x = size;
        attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
        cudaLaunchConfig_t config = {};
        config.gridDim = 2 * size;
        config.blockDim = dim3(THREADS);
        config.attrs = &attribute;
        config.numAttrs = 1;
        cudaLaunchKernelEx(&config, messages, device, (const uint32_t *)in);
        show("messages", 2 * size, 10);
        clear();
        launch(leavers, 2 * size, size);
        show("leavers", 2 * size, 1);
    }
    return 0;
}
