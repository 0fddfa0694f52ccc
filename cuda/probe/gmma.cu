/*
 * How long products of warp groups (wgmma) take: prints part,case,cycles. One block.
 *
 *     nvcc -std=c++17 -arch=sm_90a -o gmma cuda/probe/gmma.cu
 *
 * "row": 1, 2, 4, 8, 16 products and the wait for them, A in shared memory (ss) or in registers
 * (rs). "groups": 16 products of each of several warp groups. "pace": clocks behind each of eight
 * products. "late": a warp comes late to WARPGROUP.ARRIVE; clocks of its products, and of another
 * warp's. "loop": a product and its wait, by rounds.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#include "async.cuh"
#include "wgmma.cuh"

WGMMA_SS(ss_f16_8, 4, 4, 5, 6, "m64n8k16.f32.f16.f16", ", 1, 1, 0, 0")
WGMMA_SS(ss_f16_16, 8, 8, 9, 10, "m64n16k16.f32.f16.f16", ", 1, 1, 0, 0")
WGMMA_SS(ss_f16_32, 16, 16, 17, 18, "m64n32k16.f32.f16.f16", ", 1, 1, 0, 0")
WGMMA_SS(ss_f16_64, 32, 32, 33, 34, "m64n64k16.f32.f16.f16", ", 1, 1, 0, 0")
WGMMA_SS(ss_f16_128, 64, 64, 65, 66, "m64n128k16.f32.f16.f16", ", 1, 1, 0, 0")
WGMMA_SS(ss_f16_256, 128, 128, 129, 130, "m64n256k16.f32.f16.f16", ", 1, 1, 0, 0")
WGMMA_SS(ss_half_128, 32, 32, 33, 34, "m64n128k16.f16.f16.f16", ", 1, 1, 0, 0")
WGMMA_SS(ss_tf32_64, 32, 32, 33, 34, "m64n64k8.f32.tf32.tf32", ", 1, 1")
WGMMA_SS(ss_e4m3_64, 32, 32, 33, 34, "m64n64k32.f32.e4m3.e4m3", ", 1, 1")
WGMMA_SS(ss_s8_64, 32, 32, 33, 34, "m64n64k32.s32.s8.s8", "")
WGMMA_SS(ss_b1_8, 4, 4, 5, 6, "m64n8k256.s32.b1.b1.and.popc", "")
WGMMA_SS(ss_b1_64, 32, 32, 33, 34, "m64n64k256.s32.b1.b1.and.popc", "")
WGMMA_SS(ss_b1_128, 64, 64, 65, 66, "m64n128k256.s32.b1.b1.and.popc", "")
WGMMA_SS(ss_b1_256, 128, 128, 129, 130, "m64n256k256.s32.b1.b1.and.popc", "")
WGMMA_RS(rs_f16_8, 4, 4, 5, 6, 7, 8, 9, "m64n8k16.f32.f16.f16", ", 1, 1, 0")
WGMMA_RS(rs_f16_32, 16, 16, 17, 18, 19, 20, 21, "m64n32k16.f32.f16.f16", ", 1, 1, 0")
WGMMA_RS(rs_f16_64, 32, 32, 33, 34, 35, 36, 37, "m64n64k16.f32.f16.f16", ", 1, 1, 0")
WGMMA_RS(rs_f16_256, 128, 128, 129, 130, 131, 132, 133, "m64n256k16.f32.f16.f16", ", 1, 1, 0")
WGMMA_RS(rs_e4m3_64, 32, 32, 33, 34, 35, 36, 37, "m64n64k32.f32.e4m3.e4m3", ", 1, 1")
WGMMA_RS(rs_b1_8, 4, 4, 5, 6, 7, 8, 9, "m64n8k256.s32.b1.b1.and.popc", "")
WGMMA_RS(rs_b1_64, 32, 32, 33, 34, 35, 36, 37, "m64n64k256.s32.b1.b1.and.popc", "")
WGMMA_RS(rs_b1_128, 64, 64, 65, 66, 67, 68, 69, "m64n128k256.s32.b1.b1.and.popc", "")
WGMMA_RS(rs_b1_256, 128, 128, 129, 130, 131, 132, 133, "m64n256k256.s32.b1.b1.and.popc", "")

enum { SHARED = 64 << 10, REPEATS = 6, STEPS = 12 };

__device__ __forceinline__ void arrive()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ __forceinline__ void commit()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

__device__ __forceinline__ void wait()
{
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

/* The results must be needed, and the operands must not be known. */
#define BEGIN                                                                                      \
    extern __shared__ __align__(1024) uint8_t shared[];                                            \
    uint32_t d[Product::WORDS];                                                                    \
    for (int i = 0; i < Product::WORDS; i++)                                                       \
        d[i] = 0;                                                                                  \
    for (int i = 0; i < 4; i++)                                                                    \
    x.regs[i] &= 0x00010001u
#define END                                                                                        \
    uint32_t sum = shared[0];                                                                      \
    for (int i = 0; i < Product::WORDS; i++)                                                       \
        sum ^= d[i];                                                                               \
    if (sum == 12345)                                                                              \
    out[100] = sum

template <typename Product, int COUNT>
__global__ void __launch_bounds__(Product::WORDS > 64 ? 128 : 512) row(uint64_t *out, operands x)
{
    BEGIN;
    uint64_t least = ~0ull;
    for (int r = 0; r < REPEATS; r++) {
        __syncthreads();
        const uint64_t begin = clock_now();
        arrive();
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            Product::run(d, x);
        commit();
        wait();
        const uint64_t took = clock_now() - begin;
        least = took < least ? took : least;
    }
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = least;
    END;
}

template <typename Product> __global__ void __launch_bounds__(128) pace(uint64_t *out, operands x)
{
    BEGIN;
    uint64_t at[STEPS];
    for (int r = 0; r < 3; r++) {
        __syncthreads();
        at[0] = clock_now();
        arrive();
        at[1] = clock_now();
#pragma unroll
        for (int i = 0; i < 8; i++) {
            Product::run(d, x);
            at[2 + i] = clock_now();
        }
        commit();
        at[10] = clock_now();
        wait();
        at[11] = clock_now();
    }
    for (int i = 0; i < STEPS && threadIdx.x == 0; i++)
        out[i] = at[i] - at[0];
    END;
}

template <typename Product>
__global__ void __launch_bounds__(128) late(uint64_t *out, operands x, int cycles)
{
    BEGIN;
    uint64_t at[4];
    for (int r = 0; r < 3; r++) {
        __syncthreads();
        const uint64_t begin = clock_now();
        if (threadIdx.x < 32)
            while (clock_now() < begin + cycles)
                ;
        at[0] = clock_now() - begin;
        arrive();
        at[1] = clock_now() - begin;
        Product::run(d, x);
        at[2] = clock_now() - begin;
        commit();
        wait();
        at[3] = clock_now() - begin;
    }
    for (int i = 0; i < 4 && threadIdx.x % 32 == 0; i++)
        out[threadIdx.x / 32 * 4 + i] = at[i];
    END;
}

template <typename Product>
__global__ void __launch_bounds__(128) loop(uint64_t *out, operands x, int rounds)
{
    BEGIN;
    __syncthreads();
    const uint64_t begin = clock_now();
    for (int i = 0; i < rounds; i++) {
        arrive();
        Product::run(d, x);
        commit();
        wait();
    }
    if (threadIdx.x == 0)
        out[0] = clock_now() - begin;
    END;
}

static uint64_t *out, host[16];

static void check()
{
    const cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    if (!error)
        return;
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    exit(1);
}

template <typename Kernel> static void prepare(Kernel *kernel)
{
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
}

/* A and B with a swizzle of 128 bytes. */
static operands swizzled()
{
    const uint64_t both = 1ull << 16 | 64ull << 32 | 1ull << 62;
    return {both | 1024 >> 4, both | 17408 >> 4, {0x10001, 1, 0x10000, 1}, 1};
}

template <typename Product, int COUNT> static uint64_t time_of(int groups)
{
    prepare(row<Product, COUNT>);
    row<Product, COUNT><<<1, 128 * groups, SHARED>>>(out, swizzled());
    check();
    return *std::max_element(host, host + 4 * groups);
}

template <typename Product> static void show_row(const char *name)
{
    printf("row,%s 1,%d\n", name, (int)time_of<Product, 1>(1));
    printf("row,%s 4,%d\n", name, (int)time_of<Product, 4>(1));
    printf("row,%s 16,%d\n", name, (int)time_of<Product, 16>(1));
}

template <typename Product> static void show_groups(const char *name)
{
    for (int groups = 2; groups <= 4; groups++)
        printf("groups,%s %d,%d\n", name, groups, (int)time_of<Product, 16>(groups));
}

template <typename Product> static void show_pace(const char *name)
{
    prepare(pace<Product>);
    pace<Product><<<1, 128, SHARED>>>(out, swizzled());
    check();
    for (int i = 2; i < STEPS; i++)
        printf("pace,%s %d,%d\n", name, i - 1, (int)host[i]);
}

int main()
{
    if (cudaMalloc(&out, 4096))
        return 1;
    printf("part,case,cycles\n");
#define ROW(product) show_row<product>(#product)
    ROW(ss_f16_8);
    ROW(ss_f16_16);
    ROW(ss_f16_32);
    ROW(ss_f16_64);
    ROW(ss_f16_128);
    ROW(ss_f16_256);
    ROW(ss_half_128);
    ROW(ss_tf32_64);
    ROW(ss_e4m3_64);
    ROW(ss_s8_64);
    ROW(ss_b1_8);
    ROW(ss_b1_64);
    ROW(ss_b1_128);
    ROW(ss_b1_256);
    ROW(rs_f16_8);
    ROW(rs_f16_32);
    ROW(rs_f16_64);
    ROW(rs_f16_256);
    ROW(rs_e4m3_64);
    ROW(rs_b1_8);
    ROW(rs_b1_64);
    ROW(rs_b1_128);
    ROW(rs_b1_256);
    show_groups<ss_f16_8>("ss_f16_8");
    show_groups<ss_f16_64>("ss_f16_64");
    show_groups<rs_f16_64>("rs_f16_64");
    show_pace<ss_f16_8>("ss_f16_8");
    show_pace<ss_f16_64>("ss_f16_64");
    show_pace<ss_f16_256>("ss_f16_256");
    show_pace<rs_f16_64>("rs_f16_64");
    prepare(late<ss_f16_64>);
    for (int cycles : {40, 1000}) {
        late<ss_f16_64><<<1, 128, SHARED>>>(out, swizzled(), cycles);
        check();
        printf("late,%d itself,%d\nlate,%d other,%d\n", cycles, (int)host[2], cycles, (int)host[6]);
    }
    prepare(loop<ss_f16_64>);
    for (int rounds : {100, 1000}) {
        loop<ss_f16_64><<<1, 128, SHARED>>>(out, swizzled(), rounds);
        check();
        printf("loop,%d,%d\n", rounds, (int)host[0]);
    }
    return 0;
}
