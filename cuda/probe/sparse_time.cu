/*
 * How long sparse products of warp groups (wgmma.sp) take: prints part,case,cycles. One block.
 *
 *     nvcc -std=c++17 -arch=sm_90a -o sparse_time cuda/probe/sparse_time.cu
 *
 * "row": 1, 4, 16 products and the wait for them, A in shared memory (ss) or in registers (rs).
 * "groups": 16 products of each of several warp groups. "pace": clocks behind each of eight
 * products, and behind the wait. gmma.cu has the same of products that are not sparse.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#include "async.cuh"
#include "wgmma_sparse.cuh"

SPARSE_SS(ss_f16_8, 4, 4, 5, 6, 7, 0, "m64n8k32.f32.f16.f16", ", 1, 1, 0, 0")
SPARSE_SS(ss_f16_16, 8, 8, 9, 10, 11, 0, "m64n16k32.f32.f16.f16", ", 1, 1, 0, 0")
SPARSE_SS(ss_f16_32, 16, 16, 17, 18, 19, 0, "m64n32k32.f32.f16.f16", ", 1, 1, 0, 0")
SPARSE_SS(ss_f16_64, 32, 32, 33, 34, 35, 0, "m64n64k32.f32.f16.f16", ", 1, 1, 0, 0")
SPARSE_SS(ss_f16_128, 64, 64, 65, 66, 67, 0, "m64n128k32.f32.f16.f16", ", 1, 1, 0, 0")
SPARSE_SS(ss_f16_256, 128, 128, 129, 130, 131, 0, "m64n256k32.f32.f16.f16", ", 1, 1, 0, 0")
SPARSE_SS(ss_f16_rows_64, 32, 32, 33, 34, 35, 0, "m64n64k32.f32.f16.f16", ", 1, 1, 1, 1")
SPARSE_SS(ss_half_128, 32, 32, 33, 34, 35, 1, "m64n128k32.f16.f16.f16", ", 1, 1, 0, 0")
SPARSE_SS(ss_tf32_64, 32, 32, 33, 34, 35, 0, "m64n64k16.f32.tf32.tf32", ", 1, 1")
SPARSE_SS(ss_e4m3_64, 32, 32, 33, 34, 35, 0, "m64n64k64.f32.e4m3.e4m3", ", 1, 1")
SPARSE_SS(ss_s8_64, 32, 32, 33, 34, 35, 0, "m64n64k64.s32.s8.s8", "")
SPARSE_RS(rs_f16_8, 4, 4, 5, 6, 7, 8, 9, 10, 0, "m64n8k32.f32.f16.f16", ", 1, 1, 0")
SPARSE_RS(rs_f16_16, 8, 8, 9, 10, 11, 12, 13, 14, 0, "m64n16k32.f32.f16.f16", ", 1, 1, 0")
SPARSE_RS(rs_f16_32, 16, 16, 17, 18, 19, 20, 21, 22, 0, "m64n32k32.f32.f16.f16", ", 1, 1, 0")
SPARSE_RS(rs_f16_64, 32, 32, 33, 34, 35, 36, 37, 38, 0, "m64n64k32.f32.f16.f16", ", 1, 1, 0")
SPARSE_RS(rs_f16_128, 64, 64, 65, 66, 67, 68, 69, 70, 0, "m64n128k32.f32.f16.f16", ", 1, 1, 0")
SPARSE_RS(rs_f16_256, 128, 128, 129, 130, 131, 132, 133, 134, 0, "m64n256k32.f32.f16.f16",
          ", 1, 1, 0")
SPARSE_RS(rs_tf32_64, 32, 32, 33, 34, 35, 36, 37, 38, 0, "m64n64k16.f32.tf32.tf32", ", 1, 1")
SPARSE_RS(rs_e4m3_64, 32, 32, 33, 34, 35, 36, 37, 38, 0, "m64n64k64.f32.e4m3.e4m3", ", 1, 1")
SPARSE_RS(rs_s8_64, 32, 32, 33, 34, 35, 36, 37, 38, 0, "m64n64k64.s32.s8.s8", "")

enum { SHARED = 64 << 10, REPEATS = 6, CLOCKS = 10, WARPS = 16 };

/* Products between WARPGROUP.ARRIVE and the wait for them: how long each warp takes; or the clock
 * behind each product. Repeated, as the first ones come while caches are cold. */
template <typename Product, int COUNT, bool PACE>
__global__ void __launch_bounds__(Product::WORDS > 64 ? 128 : 512)
    chain(uint64_t *out, sparse_operands x)
{
    extern __shared__ __align__(1024) uint8_t shared[];
    uint32_t d[Product::WORDS];
    for (int i = 0; i < Product::WORDS; i++)
        d[i] = 0;
    for (int i = 0; i < 4; i++)
        x.regs[i] &= 0x00010001u;
    uint64_t at[CLOCKS];
#pragma unroll 1 /* or the compiler copies the metadata between products */
    for (int r = 0; r < REPEATS; r++) {
        __syncthreads();
        const uint64_t begin = clock_now();
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        if (PACE)
            at[0] = clock_now();
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            Product::run(d, x);
            if (PACE)
                at[1 + i] = clock_now();
        }
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        const uint64_t end = clock_now();
        if (PACE)
            at[1 + COUNT] = end;
        for (int i = 0; PACE && i < CLOCKS && threadIdx.x == 0; i++)
            out[i] = at[i] - begin;
        if (!PACE && threadIdx.x % 32 == 0)
            out[r * WARPS + threadIdx.x / 32] = end - begin;
    }
    uint32_t sum = shared[0]; /* the results are needed */
    for (int i = 0; i < Product::WORDS; i++)
        sum ^= d[i];
    if (sum == 12345)
        out[0] = sum;
}

static uint64_t *out, host[REPEATS * WARPS];

template <typename Product, int COUNT, bool PACE> static void launch(int groups)
{
    /* A and B with a swizzle of 128 bytes */
    const uint64_t both = 1ull << 16 | 64ull << 32 | 1ull << 62;
    const sparse_operands x = {{both | 1024 >> 4, both | 17408 >> 4, {0x10001, 1, 0x10000, 1}, 1},
                               0xe4e4e4e4};
    cudaFuncSetAttribute(chain<Product, COUNT, PACE>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         SHARED);
    chain<Product, COUNT, PACE><<<1, 128 * groups, SHARED>>>(out, x);
    const cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    if (!error)
        return;
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    exit(1);
}

/* Returns how long the last of the warps takes, at best. */
template <typename Product, int COUNT> static int time_of(int groups)
{
    launch<Product, COUNT, false>(groups);
    uint64_t least = ~0ull;
    for (int r = 0; r < REPEATS; r++)
        least = std::min(least, *std::max_element(host + r * WARPS, host + r * WARPS + 4 * groups));
    return (int)least;
}

template <typename Product> static void show_row(const char *name)
{
    printf("row,%s 1,%d\n", name, time_of<Product, 1>(1));
    printf("row,%s 4,%d\n", name, time_of<Product, 4>(1));
    printf("row,%s 16,%d\n", name, time_of<Product, 16>(1));
}

template <typename Product> static void show_groups(const char *name)
{
    for (int groups = 2; groups <= 4; groups++)
        printf("groups,%s %d,%d\n", name, groups, time_of<Product, 16>(groups));
}

template <typename Product> static void show_pace(const char *name)
{
    launch<Product, CLOCKS - 2, true>(1);
    for (int i = 0; i < CLOCKS; i++)
        printf("pace,%s %d,%d\n", name, i, (int)host[i]);
}

int main()
{
    if (cudaMalloc(&out, 4096))
        return 1;
    printf("part,case,cycles\n");
#define SHOW(part, product) show_##part<product>(#product)
    SHOW(row, ss_f16_8);
    SHOW(row, ss_f16_16);
    SHOW(row, ss_f16_32);
    SHOW(row, ss_f16_64);
    SHOW(row, ss_f16_128);
    SHOW(row, ss_f16_256);
    SHOW(row, ss_f16_rows_64);
    SHOW(row, ss_half_128);
    SHOW(row, ss_tf32_64);
    SHOW(row, ss_e4m3_64);
    SHOW(row, ss_s8_64);
    SHOW(row, rs_f16_8);
    SHOW(row, rs_f16_16);
    SHOW(row, rs_f16_32);
    SHOW(row, rs_f16_64);
    SHOW(row, rs_f16_128);
    SHOW(row, rs_f16_256);
    SHOW(row, rs_tf32_64);
    SHOW(row, rs_e4m3_64);
    SHOW(row, rs_s8_64);
    SHOW(groups, ss_f16_8);
    SHOW(groups, ss_f16_64);
    SHOW(groups, rs_f16_64);
    SHOW(pace, ss_f16_8);
    SHOW(pace, ss_f16_64);
    SHOW(pace, ss_f16_256);
    SHOW(pace, rs_f16_64);
    SHOW(pace, rs_f16_256);
    return 0;
}
