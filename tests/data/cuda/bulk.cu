/*
 * Bulk copies (cp.async.bulk) in a ring of two stages: a block loads tiles, changes them, stores
 * them. Prints PASS bulk. With an argument, a copy leaves its allocation by 16 bytes.
 */
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

enum { BLOCKS = 8, TILES = 7, TILE = 1024, COUNT = BLOCKS * TILES * TILE };

__device__ uint32_t shared_address(const void *pointer)
{
    return (uint32_t)__cvta_generic_to_shared(pointer);
}

__device__ void load(int *to, const int *from, uint64_t *barrier, int bytes)
{
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
        "r"(bytes)
        : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
        "[%3];" ::"r"(shared_address(to)),
        "l"(from), "r"(bytes), "r"(shared_address(barrier))
        : "memory");
}

__device__ void store(int *to, const int *from, int bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
                 "r"(shared_address(from)), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group.read 0;");
}

__device__ void wait(uint64_t *barrier, uint32_t parity)
{
    uint32_t over = 0;
    while (!over)
        asm volatile(
            "{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 "
            "%0, 1, 0, p;}"
            : "=r"(over)
            : "r"(shared_address(barrier)), "r"(parity)
            : "memory");
}

__global__ void ring(const int *in, int *out, int extra)
{
    extern __shared__ __align__(128) int stage[];
    __shared__ __align__(8) uint64_t full[2];
    const int *from = in + (size_t)blockIdx.x * TILES * TILE;
    if (threadIdx.x == 0)
        for (int i = 0; i < 2; i++) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full[i])));
            asm volatile("fence.mbarrier_init.release.cluster;");
        }
    __syncthreads();
    for (int t = 0; t < 2 && threadIdx.x == 0; t++)
        load(stage + t * TILE, from + t * TILE, &full[t], TILE * 4);
    for (int t = 0; t < TILES; t++) {
        int *tile = stage + t % 2 * TILE;
        wait(&full[t % 2], t / 2 % 2);
        for (int i = threadIdx.x; i < TILE; i += blockDim.x)
            tile[i] += i * t;
        asm volatile("fence.proxy.async.shared::cta;");
        __syncthreads();
        if (threadIdx.x == 0) {
            store(out + ((size_t)blockIdx.x * TILES + t) * TILE, tile,
                  TILE * 4 + (t + 1 == TILES ? extra : 0));
            if (t + 2 < TILES)
                load(tile, from + (t + 2) * TILE, &full[t % 2], TILE * 4);
        }
    }
}

int main(int argc, char **)
{
    static int host[COUNT];
    int *in, *out, wrong = 0;
    for (int i = 0; i < COUNT; i++)
        host[i] = i * 7;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    ring<<<BLOCKS, 256, 2 * TILE * 4>>>(in, out, argc > 1 ? 16 : 0);
    const cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT; i++)
        wrong += host[i] != i * 7 + i % TILE * (i / TILE % TILES);
    puts(error || wrong ? cudaGetErrorName(error) : "PASS bulk");
    return 0;
}
