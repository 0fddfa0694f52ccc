/*
 * What other instructions of a sub-partition take while a product of a warp group (wgmma) runs:
 * prints product,instruction,who,alone,beside: clocks of 64 instructions of each of four warps,
 * first without a product, then while products run.
 *
 *     nvcc -std=c++17 -arch=sm_90a -o gmma_beside cuda/probe/gmma_beside.cu
 *
 * Who: "other": a second warp group executes the instructions; "own": the one that has the
 * products.
 */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#include "async.cuh"
#include "wgmma.cuh"

WGMMA_SS(ss_f32_64, 32, 32, 33, 34, "m64n64k16.f32.f16.f16", ", 1, 1, 0, 0")
WGMMA_SS(ss_f32_128, 64, 64, 65, 66, "m64n128k16.f32.f16.f16", ", 1, 1, 0, 0")
WGMMA_SS(ss_f32_256, 128, 128, 129, 130, "m64n256k16.f32.f16.f16", ", 1, 1, 0, 0")
WGMMA_SS(ss_f16_128, 32, 32, 33, 34, "m64n128k16.f16.f16.f16", ", 1, 1, 0, 0")
WGMMA_SS(ss_tf32_128, 64, 64, 65, 66, "m64n128k8.f32.tf32.tf32", ", 1, 1")
WGMMA_SS(ss_e4m3_128, 64, 64, 65, 66, "m64n128k32.f32.e4m3.e4m3", ", 1, 1")
WGMMA_RS(rs_f32_128, 64, 64, 65, 66, 67, 68, 69, "m64n128k16.f32.f16.f16", ", 1, 1, 0")

enum { SHARED = 64 << 10, REPEATS = 4, COUNT = 64 };
enum instruction {
    SHIFT,
    ADD,
    FMA,
    FMA2,
    HALF,
    EXP2,
    SHUFFLE,
    LDS,
    LDS128,
    STS,
    LDG,
    LDGSTS,
    KINDS
};
static const char *const names[KINDS] = {"shf",     "iadd", "ffma", "ffma_2_sources",
                                         "hfma2",   "ex2",  "shfl", "lds",
                                         "lds_128", "sts",  "ldg",  "ldgsts_128"};

/* Values that the compiler does not know. */
struct values {
    uint32_t a[8], b, c;
    uint32_t shared;
    const char *global;
};

template <int kind> __device__ __forceinline__ void execute(values &v, int i)
{
    uint32_t &a = v.a[i % 8], four[4];
    if (kind == SHIFT)
        asm volatile("shf.l.wrap.b32 %0, %0, %0, 5;" : "+r"(a));
    if (kind == ADD)
        asm volatile("add.u32 %0, %0, %1;" : "+r"(a) : "r"(v.b));
    if (kind == FMA)
        asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+r"(a) : "r"(v.b), "r"(v.c));
    if (kind == FMA2)
        asm volatile("fma.rn.f32 %0, %1, %1, %0;" : "+r"(a) : "r"(v.b));
    if (kind == HALF)
        asm volatile("fma.rn.f16x2 %0, %1, %2, %0;" : "+r"(a) : "r"(v.b), "r"(v.c));
    if (kind == EXP2)
        asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+r"(a));
    if (kind == SHUFFLE)
        asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, -1;" : "+r"(a));
    if (kind == LDS)
        asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(a) : "r"(v.shared));
    if (kind == LDS128) {
        asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(four[0]), "=r"(four[1]), "=r"(four[2]), "=r"(four[3])
                     : "r"(v.shared & ~15u));
        a = four[0];
    }
    if (kind == STS)
        asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(v.shared), "r"(v.b) : "memory");
    if (kind == LDG)
        asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(a) : "l"(v.global) : "memory");
    if (kind == LDGSTS)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(v.shared & ~15u),
                     "l"(v.global)
                     : "memory");
}

/* Returns the clocks of the instructions, if they are fewer than `least`. */
template <int kind> __device__ __forceinline__ uint64_t clocks_of(values &v, uint64_t least)
{
    const uint64_t begin = clock_now();
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        execute<kind>(v, i);
    if (kind != LDGSTS)
        for (int i = 0; i < 8; i++)
            asm volatile("" : "+r"(v.a[i])::"memory");
    const uint64_t took = clock_now() - begin;
    return took < least ? took : least;
}

template <typename Product, int kind, bool own, int PRODUCTS>
__global__ void __launch_bounds__(256)
    beside(uint64_t *out, operands x, values v, const char *global)
{
    extern __shared__ __align__(1024) uint8_t shared[];
    uint32_t d[Product::WORDS];
    for (int i = 0; i < Product::WORDS; i++)
        d[i] = 0;
    for (int i = 0; i < 4; i++)
        x.regs[i] &= 0x00010001u;
    v.shared = shared_address(shared) + (SHARED - 8192) + threadIdx.x * 16;
    v.global = global + threadIdx.x % 128 * 16;
    const int group = threadIdx.x / 128;
    uint64_t least = ~0ull;
    for (int r = 0; r < REPEATS; r++) {
        __syncthreads();
        if (group == 0) {
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
            for (int i = 0; i < PRODUCTS; i++)
                Product::run(d, x);
            asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
            if (own)
                least = clocks_of<kind>(v, least);
            asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        } else if (!own) {
            __nanosleep(400);
            least = clocks_of<kind>(v, least);
        }
        asm volatile("cp.async.wait_all;" ::: "memory");
    }
    uint32_t sum = shared[0];
    for (int i = 0; i < 8; i++)
        sum ^= v.a[i];
    for (int i = 0; i < Product::WORDS; i++)
        sum ^= d[i];
    if (sum == 12345)
        out[100] = sum;
    if (group == (own ? 0 : 1) && threadIdx.x % 32 == 0)
        out[threadIdx.x / 32 % 4] = least;
}

template <typename Product, int kind, bool own> static void measure(const char *product)
{
    static uint64_t *out;
    static char *global;
    if (!out) {
        cudaMalloc((void **)&out, 1024);
        cudaMalloc((void **)&global, 8192);
        cudaMemset(global, 0, 8192);
    }
    operands x = {};
    const uint64_t start = 1024 >> 4;
    x.a = x.b = start | (uint64_t)1 << 16 | (uint64_t)64 << 32 | (uint64_t)1 << 62;
    x.adds = 1;
    values v = {};
    v.b = 1;
    uint64_t took[2];
    for (int with = 0; with < 2; with++) {
        auto *kernel = with ? beside<Product, kind, own, 32> : beside<Product, kind, own, 0>;
        uint64_t host[4];
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
        kernel<<<1, 256, SHARED>>>(out, x, v, global);
        cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
        took[with] = host[0];
        for (int i = 1; i < 4; i++)
            took[with] = host[i] > took[with] ? host[i] : took[with];
    }
    printf("%s,%s,%s,%llu,%llu\n", product, names[kind], own ? "own" : "other",
           (unsigned long long)took[0], (unsigned long long)took[1]);
}

template <typename Product, bool own> static void each(const char *product)
{
    measure<Product, SHIFT, own>(product);
    measure<Product, ADD, own>(product);
    measure<Product, FMA, own>(product);
    measure<Product, FMA2, own>(product);
    measure<Product, HALF, own>(product);
    measure<Product, EXP2, own>(product);
    measure<Product, SHUFFLE, own>(product);
    measure<Product, LDS, own>(product);
    measure<Product, LDS128, own>(product);
    measure<Product, STS, own>(product);
    measure<Product, LDG, own>(product);
    measure<Product, LDGSTS, own>(product);
}

int main()
{
    printf("product,instruction,who,alone,beside\n");
    each<ss_f32_64, false>("ss_f32_64");
    each<ss_f32_128, false>("ss_f32_128");
    each<ss_f32_256, false>("ss_f32_256");
    each<ss_f16_128, false>("ss_f16_128");
    each<ss_tf32_128, false>("ss_tf32_128");
    each<ss_e4m3_128, false>("ss_e4m3_128");
    each<rs_f32_128, false>("rs_f32_128");
    each<ss_f32_128, true>("ss_f32_128");
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
