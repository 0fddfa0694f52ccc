/*
 * How long lanes take that reach different words and blocks of a cluster: prints
 * case,lanes,blocks,threads,who,cycles, for 64 accesses of each thread, four bytes each.
 *
 *     nvcc -std=c++17 -arch=sm_90a -o cluster_scatter cuda/probe/cluster_scatter.cu
 *
 * Lanes: "row": words side by side in the next block; "same": one word there; "bank": words of one
 * bank there; "half": as row, but only 16 lanes; "ranks": words side by side, each lane in another
 * block; "random": words and blocks at random; "random_next": words at random in the next block;
 * "to_first": words at random in block 0, which then sends nothing.
 * Who: block 0, or all blocks.
 */
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

#include "async.cuh"

namespace cg = cooperative_groups;

enum { ROUNDS = 64, WORDS = 4096 };
enum lanes { ROW, SAME, BANK, HALF, RANKS, RANDOM, RANDOM_NEXT, TO_FIRST, LANES };
enum op { LOAD, STORE, RED, ATOM, GENERIC, OPS };

static const char *const lanes_name[] = {"row",   "same",   "bank",        "half",
                                         "ranks", "random", "random_next", "to_first"};
static const char *const op_name[] = {"load", "store", "red", "atom", "generic"};

__device__ __forceinline__ uint32_t meet()
{
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    return 0;
}

__device__ __forceinline__ uint32_t access(int op, uint32_t at, uint32_t *generic)
{
    uint32_t value = 0;
    switch (op) {
    case LOAD:
        asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(at) : "memory");
        break;
    case STORE:
        asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(at), "r"(at) : "memory");
        break;
    case RED:
        asm volatile("red.shared::cluster.add.u32 [%0], 1;" ::"r"(at) : "memory");
        break;
    case ATOM:
        asm volatile("atom.shared::cluster.add.u32 %0, [%1], 1;"
                     : "=r"(value)
                     : "r"(at)
                     : "memory");
        break;
    default:
        atomicAdd(generic, 1u);
        break;
    }
    return value;
}

template <int op> __global__ void scatter(uint64_t *out, int lanes, int all)
{
    __shared__ uint32_t word[WORDS];
    auto cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < WORDS; i += blockDim.x)
        word[i] = 0;
    const uint32_t size = cluster.num_blocks(), rank = cluster.block_rank();
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    meet();
    meet();
    const uint64_t begin = clock_now();
    uint32_t sum = 0;
    if ((all || rank == 0) && (lanes != HALF || lane < 16) && (lanes != TO_FIRST || rank != 0)) {
#pragma unroll 4
        for (uint32_t i = 0; i < ROUNDS; i++) {
            const uint32_t hash = ((i * 8 + warp) * 32 + lane + rank * 77777) * 2654435761u >> 8;
            uint32_t to = (rank + 1) % size, at = (i * 8 + warp) * 32 % WORDS + lane;
            if (lanes == SAME)
                at = i * 8 + warp;
            else if (lanes == BANK)
                at = lane * 32 + i % 32;
            else if (lanes == RANKS)
                to = lane % size;
            else if (lanes == RANDOM)
                to = hash % size, at = hash / 16 % WORDS;
            else if (lanes == RANDOM_NEXT)
                at = hash / 16 % WORDS;
            else if (lanes == TO_FIRST)
                to = 0, at = hash / 16 % WORDS;
            sum += access(op, map_rank(shared_address(&word[at]), to),
                          cluster.map_shared_rank(&word[at], to));
        }
    }
    if (sum == 12345)
        out[0] = sum;
    __syncthreads();
    meet();
    const uint64_t took = clock_now() - begin;
    if (threadIdx.x == 0)
        out[blockIdx.x] = took;
    meet();
}

static int time_of(void (*kernel)(uint64_t *, int, int), int size, int threads, int lanes, int all)
{
    static uint64_t *out;
    uint64_t host[16];
    if (!out)
        cudaMalloc((void **)&out, sizeof host);
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = size;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t launch = {};
    launch.gridDim = dim3(size);
    launch.blockDim = dim3(threads);
    launch.attrs = &cluster;
    launch.numAttrs = 1;
    for (int run = 0; run < 3; run++) /* the caches of instructions get warm */
        cudaLaunchKernelEx(&launch, kernel, out, lanes, all);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    return (int)host[0];
}

int main()
{
    static void (*const kernel[OPS])(uint64_t *, int, int) = {
        scatter<LOAD>, scatter<STORE>, scatter<RED>, scatter<ATOM>, scatter<GENERIC>};
    printf("case,lanes,blocks,threads,who,cycles\n");
    for (int op = LOAD; op < OPS; op++)
        for (int lanes = ROW; lanes < LANES; lanes++)
            for (int size : {2, 4, 8})
                for (int threads : {32, 256})
                    for (int all : {0, 1})
                        printf("%s,%s,%d,%d,%s,%d\n", op_name[op], lanes_name[lanes], size, threads,
                               all ? "all" : "one", time_of(kernel[op], size, threads, lanes, all));
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
