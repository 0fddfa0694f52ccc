/*
 * How long blocks of a cluster take to reach each other: prints part,case,cycles. One cluster,
 * unless said otherwise.
 *
 *     nvcc -std=c++17 -arch=sm_90a -o cluster_time cuda/probe/cluster_time.cu
 *     cluster_time places    the SMs of the blocks of clusters
 *
 * "barrier": arrive and wait, 64 rounds. "load", "atomic": a chain of 64 accesses to shared memory
 * of block r. "stream": 256 loads or stores of 16 bytes by each of the threads, of one block or of
 * all; "pairs": in all clusters that fit. "ping": two blocks arrive in turn at barriers of each
 * other; with st.async; with copies of n bytes; 32 round trips. "multicast": a load of n bytes to
 * all blocks.
 */
#include <algorithm>
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#include "async.cuh"

namespace cg = cooperative_groups;

enum { ROUNDS = 64, SHARED = 64 << 10 };

__device__ __forceinline__ uint32_t own_rank()
{
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

__device__ __forceinline__ void meet()
{
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}

__device__ __forceinline__ void meet_relaxed()
{
    asm volatile("barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;" ::
                     : "memory");
}

__global__ void barriers(uint64_t *out, int relaxed)
{
    meet();
    const uint64_t begin = clock_now();
    for (int i = 0; i < ROUNDS; i++)
        if (relaxed)
            meet_relaxed();
        else
            meet();
    if (threadIdx.x == 0)
        out[own_rank()] = clock_now() - begin;
}

__global__ void chain(uint64_t *out, int rank, int atomic)
{
    __shared__ uint32_t word[32];
    word[threadIdx.x] = 0;
    meet();
    const uint32_t at = map_rank(shared_address(word), rank);
    uint32_t next = 0;
    const uint64_t begin = clock_now();
    if (own_rank() == 0 && threadIdx.x == 0) {
        for (int i = 0; i < ROUNDS; i++)
            if (atomic)
                asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;"
                             : "=r"(next)
                             : "r"(at), "r"(next)
                             : "memory");
            else
                asm volatile("ld.shared::cluster.u32 %0, [%1];"
                             : "=r"(next)
                             : "r"(at + next)
                             : "memory");
        out[0] = clock_now() - begin + next;
    }
    meet();
}

/* Threads access the next block's memory, or their own block's through its address in the cluster.
 */
__global__ void stream(uint64_t *out, int all, int store, int own)
{
    extern __shared__ __align__(1024) char box[];
    for (int i = threadIdx.x; i < SHARED / 4; i += blockDim.x)
        ((uint32_t *)box)[i] = 0;
    meet();
    const uint32_t rank = own_rank(), size = cg::this_cluster().num_blocks();
    const uint32_t to = map_rank(shared_address(box), own ? rank : (rank + 1) % size);
    const uint64_t begin = clock_now();
    uint32_t sum = 0;
    if (all || rank == 0) {
#pragma unroll 8
        for (int i = 0; i < 256; i++) {
            const uint32_t at = to + (threadIdx.x + i * blockDim.x) % (SHARED / 16) * 16;
            uint32_t a, b, c, d;
            if (store) {
                asm volatile("st.shared::cluster.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(at), "r"(i)
                             : "memory");
            } else {
                asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];"
                             : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                             : "r"(at));
                sum += a ^ b ^ c ^ d;
            }
        }
    }
    if (sum == 12345)
        out[0] = sum;
    __syncthreads();
    if (store)
        meet();
    const uint64_t took = clock_now() - begin;
    if (threadIdx.x == 0)
        out[blockIdx.x] = all || rank == 0 ? took : 0;
    meet();
}

/* kind 0: remote arrival, 1: st.async of 4 bytes, else a copy of so many bytes */
__global__ void ping(uint64_t *out, int kind)
{
    extern __shared__ __align__(1024) char box[];
    __shared__ uint64_t word;
    const uint32_t barrier = shared_address(&word), rank = own_rank();
    const uint32_t there = map_rank(barrier, rank ^ 1), bytes = kind == 1 ? 4 : kind;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(barrier) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("fence.proxy.async;" ::: "memory");
    }
    meet();
    const uint64_t begin = clock_now();
    for (int i = 0; i < 32 && rank < 2 && threadIdx.x == 0; i++) {
        if (kind)
            expect(barrier, bytes);
        if (rank == 1)
            await(barrier, i & 1);
        if (kind == 0)
            asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there)
                         : "memory");
        else if (kind == 1)
            asm volatile(
                "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(
                    map_rank(shared_address(box), rank ^ 1)),
                "r"(i), "r"(there)
                : "memory");
        else
            asm volatile(
                "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], "
                "[%1], %2, [%3];" ::"r"(map_rank(shared_address(box) + 32768, rank ^ 1)),
                "r"(shared_address(box)), "r"(bytes), "r"(there)
                : "memory");
        if (rank == 0)
            await(barrier, i & 1);
    }
    if (rank == 0 && threadIdx.x == 0)
        out[0] = clock_now() - begin;
    meet();
}

__global__ void multicast(uint64_t *out, const char *from, int bytes, int each)
{
    extern __shared__ __align__(1024) char box[];
    __shared__ uint64_t word;
    const uint32_t barrier = shared_address(&word), rank = own_rank(),
                   size = cg::this_cluster().num_blocks();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(barrier) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("fence.proxy.async;" ::: "memory");
    }
    uint64_t took = 0;
    for (int round = 0; round < 4; round++) {
        meet();
        const uint64_t begin = clock_now();
        if (threadIdx.x == 0)
            expect(barrier, bytes);
        meet();
        const int part = each ? bytes / size : bytes;
        if (threadIdx.x == 0 && (each || rank == 0))
            asm volatile(
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::"
                "cluster [%0], [%1], %2, [%3], %4;" ::"r"(shared_address(box) + rank * part),
                "l"(from + rank * part), "r"(part), "r"(barrier), "h"((short)((1 << size) - 1))
                : "memory");
        await(barrier, round & 1);
        took = clock_now() - begin;
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = took;
    meet();
}

/* Where a block runs, and when it begins. */
__global__ void places(uint64_t *out)
{
    uint32_t sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    const uint64_t now = clock_now();
    if (threadIdx.x == 0 && blockIdx.x < 256)
        out[blockIdx.x] = sm | now << 16;
    while (clock_now() < now + 20000)
        ;
}

static uint64_t *out, host[256];

template <typename... Kinds, typename... Values>
static int time_of(void (*kernel)(Kinds...), int blocks, int size, int threads, Values... values)
{
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
    cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    cudaMemset(out, 0, sizeof host);
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {(unsigned)size, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.dynamicSmemBytes = SHARED;
    config.attrs = &cluster;
    config.numAttrs = 1;
    for (int i = 0; i < 2; i++)
        cudaLaunchKernelEx(&config, kernel, out, values...);
    const cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    if (error) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
    return (int)*std::max_element(host, host + 256);
}

static void show_places()
{
    printf("size,blocks,block,sm\n");
    for (int size : {1, 2, 4, 8})
        for (int blocks : {size, 16, 64, 128, 256}) {
            if (blocks < size)
                continue;
            time_of(places, blocks, size, 128);
            for (int i = 0; i < blocks; i++)
                printf("%d,%d,%d,%d\n", size, blocks, i, (int)(host[i] & 0xffff));
        }
}

int main(int argc, char **argv)
{
    char *memory;
    if (cudaMalloc(&out, sizeof host) || cudaMalloc(&memory, 1 << 20))
        return 1;
    cudaMemset(memory, 0, 1 << 20);
    if (argc > 1 && !strcmp(argv[1], "places")) {
        show_places();
        return 0;
    }
    printf("part,case,cycles\n");
    for (int size : {1, 2, 4, 8, 16})
        for (int threads : {32, 128, 1024})
            for (int relaxed = 0; relaxed < 2; relaxed++)
                printf("barrier,%d blocks %d threads%s,%d\n", size, threads,
                       relaxed ? " relaxed" : "", time_of(barriers, size, size, threads, relaxed));
    for (int atomic = 0; atomic < 2; atomic++)
        for (int size : {2, 16})
            for (int rank = 0; rank < size; rank += 1)
                printf("%s,block %d of %d,%d\n", atomic ? "atomic" : "load", rank, size,
                       time_of(chain, size, size, 32, rank, atomic));
    for (int store = 0; store < 2; store++)
        for (int size : {2, 4, 8, 16})
            for (int threads : {32, 256, 1024})
                for (int all = 0; all < 2; all++)
                    printf("stream,%s %d blocks %d threads %s,%d\n", store ? "store" : "load", size,
                           threads, all ? "all" : "one",
                           time_of(stream, size, size, threads, all, store, 0));
    for (int store = 0; store < 2; store++) {
        printf("stream,%s own 256 threads,%d\n", store ? "store" : "load",
               time_of(stream, 2, 2, 256, 0, store, 1));
        for (int size : {2, 4})
            printf("pairs,%s %d blocks,%d\n", store ? "store" : "load", size,
                   time_of(stream, 128 / size * size, size, 256, 1, store, 0));
    }
    for (int size : {2, 16})
        for (int kind : {0, 1, 16, 128, 1024, 4096, 16384})
            printf("ping,%d blocks %s %d,%d\n", size,
                   kind == 0   ? "arrive"
                   : kind == 1 ? "st.async"
                               : "copy",
                   kind, time_of(ping, size, size, 32, kind));
    for (int size : {1, 2, 4, 8})
        for (int bytes : {1024, 16384, 32768})
            for (int each = 0; each < 2; each++)
                printf("multicast,%d bytes to %d by %s,%d\n", bytes, size, each ? "all" : "one",
                       time_of(multicast, size, size, 32, memory, bytes, each));
    return 0;
}
