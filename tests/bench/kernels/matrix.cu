/*
 * Matrix products whose speed ./dev bench measures, by warps (mma_*) and by warp groups (wgmma_*):
 *     nvcc -cubin -O3 -std=c++17 -arch=sm_90a -o matrix.sm_90a.cubin matrix.cu
 */
#include "../../../cuda/probe/wgmma.cuh"

enum { THREADS = 128, PRODUCTS = 4 /* in a turn */, TILE = (64 + 128) * 32 / 4 };

/* Returns four bytes that are ordinary numbers in every format. */
static __device__ uint32_t elements(uint32_t i)
{
    return 0x38383838u ^ (i * 2654435761u & 0x07070707u);
}

/* D is C: four registers. */
template <typename Product> static __device__ void by_warps(uint32_t *out, int n)
{
    uint32_t a[4], b[2], d[4] = {};
    for (int i = 0; i < 4; i++)
        a[i] = elements(threadIdx.x * 4 + i);
    for (int i = 0; i < 2; i++)
        b[i] = elements(threadIdx.x * 2 + i + 1000);
    for (int turn = 0; turn < n; turn++)
        for (int i = 0; i < PRODUCTS; i++)
            Product::run(d, a, b);
    for (int i = 0; i < 4; i++)
        out[(blockIdx.x * THREADS + threadIdx.x) * 4 + i] = d[i];
}

/* A and B in shared memory, without swizzle. */
template <typename Product> static __device__ void by_groups(uint32_t *out, int n)
{
    __shared__ __align__(1024) uint32_t tile[TILE];
    for (int i = threadIdx.x; i < TILE; i += THREADS)
        tile[i] = elements(i);
    asm volatile("fence.proxy.async.shared::cta;");
    __syncthreads();
    const uint64_t at = __cvta_generic_to_shared(tile) >> 4 | 8ull << 16 | 16ull << 32;
    const operands x = {at, at + 64 * 32 / 16, {}, 1};
    uint32_t d[Product::WORDS] = {}, sum = 0;
    for (int turn = 0; turn < n; turn++) {
        asm volatile("wgmma.fence.sync.aligned;");
        for (int i = 0; i < PRODUCTS; i++)
            Product::run(d, x);
        asm volatile("wgmma.commit_group.sync.aligned;");
        asm volatile("wgmma.wait_group.sync.aligned 0;");
    }
    for (int i = 0; i < Product::WORDS; i++)
        sum ^= d[i];
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

#define MMA(name, shape)                                                                           \
    struct product_##name {                                                                        \
        static __device__ void run(uint32_t *d, const uint32_t *a, const uint32_t *b)              \
        {                                                                                          \
            asm volatile("mma.sync.aligned." shape " {%0, %1, %2, %3}, {%4, %5, %6, %7}, "         \
                         "{%8, %9}, {%0, %1, %2, %3};"                                             \
                         : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                          \
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));      \
        }                                                                                          \
    };                                                                                             \
    extern "C" __global__ void __launch_bounds__(THREADS) name(uint32_t *out, int n)               \
    {                                                                                              \
        by_warps<product_##name>(out, n);                                                          \
    }
#define WGMMA(name, shape, flags)                                                                  \
    WGMMA_SS(product_##name, 64, 64, 65, 66, shape, flags)                                         \
    extern "C" __global__ void __launch_bounds__(THREADS) name(uint32_t *out, int n)               \
    {                                                                                              \
        by_groups<product_##name>(out, n);                                                         \
    }
MMA(mma_f16, "m16n8k16.row.col.f32.f16.f16.f32")
MMA(mma_bf16, "m16n8k16.row.col.f32.bf16.bf16.f32")
MMA(mma_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32")
MMA(mma_s8, "m16n8k32.row.col.s32.s8.s8.s32")
MMA(mma_b1, "m16n8k256.row.col.s32.b1.b1.s32.and.popc")
WGMMA(wgmma_f16, "m64n128k16.f32.f16.f16", ", 1, 1, 0, 0")
WGMMA(wgmma_bf16, "m64n128k16.f32.bf16.bf16", ", 1, 1, 0, 0")
WGMMA(wgmma_tf32, "m64n128k8.f32.tf32.tf32", ", 1, 1")
WGMMA(wgmma_e4m3, "m64n128k32.f32.e4m3.e4m3", ", 1, 1")
WGMMA(wgmma_s8, "m64n128k32.s32.s8.s8", "")
WGMMA(wgmma_b1, "m64n128k256.s32.b1.b1.and.popc", "")
