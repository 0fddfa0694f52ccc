/*
 * Products of single bits by one warp (mma.sync, BMMA), of random operands and sums that may leave
 * the range of 32 bits: prints case,hash.
 *
 *     nvcc -std=c++17 -arch=sm_90a -o bit_products cuda/probe/bit_products.cu
 */
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

enum { LANES = 32, DRAWS = 4096 };

__device__ uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

#define MMA(shape, op) "mma.sync.aligned." shape ".row.col.s32.b1.b1.s32." op ".popc "

/* D is C: two registers of an 8 x 8 matrix, or four of 16 x 8. */
#define MMA_8X8(name, op)                                                                          \
    struct name {                                                                                  \
        static __device__ void run(uint32_t *d, const uint32_t *a, const uint32_t *b)              \
        {                                                                                          \
            asm volatile(MMA("m8n8k128", op) "{%0, %1}, {%2}, {%3}, {%0, %1};"                     \
                         : "+r"(d[0]), "+r"(d[1])                                                  \
                         : "r"(a[0]), "r"(b[0]));                                                  \
        }                                                                                          \
    };
#define MMA_SHORT(name, op)                                                                        \
    struct name {                                                                                  \
        static __device__ void run(uint32_t *d, const uint32_t *a, const uint32_t *b)              \
        {                                                                                          \
            asm volatile(                                                                          \
                MMA("m16n8k128", op) "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"         \
                : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                                   \
                : "r"(a[0]), "r"(a[1]), "r"(b[0]));                                                \
        }                                                                                          \
    };
#define MMA_LONG(name, op)                                                                         \
    struct name {                                                                                  \
        static __device__ void run(uint32_t *d, const uint32_t *a, const uint32_t *b)              \
        {                                                                                          \
            asm volatile(MMA("m16n8k256", op) "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "     \
                                              "{%0, %1, %2, %3};"                                  \
                         : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                          \
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));      \
        }                                                                                          \
    };
MMA_8X8(and_8x8x128, "and")
MMA_8X8(xor_8x8x128, "xor")
MMA_SHORT(and_16x8x128, "and")
MMA_SHORT(xor_16x8x128, "xor")
MMA_LONG(and_16x8x256, "and")
MMA_LONG(xor_16x8x256, "xor")

template <typename Product> __global__ void products(uint32_t *hash)
{
    const uint32_t thread = blockIdx.x * LANES + threadIdx.x;
    uint32_t a[4], b[2], d[4], sum = 2166136261u;
    for (int i = 0; i < 4; i++) {
        a[i] = mix(thread * 16 + i);
        d[i] = mix(thread * 16 + 4 + i);
        if (blockIdx.x % 4 == 0)
            d[i] |= 0x7fffff00;
    }
    for (int i = 0; i < 2; i++)
        b[i] = mix(thread * 16 + 8 + i);
    Product::run(d, a, b);
    for (int i = 0; i < 4; i++)
        sum = (sum ^ d[i]) * 16777619u;
    hash[thread] = sum;
}

static uint32_t *hashes, host[DRAWS * LANES];

template <typename Product> static bool show(const char *name)
{
    uint64_t all = 14695981039346656037ull;
    products<Product><<<DRAWS, LANES>>>(hashes);
    if (cudaMemcpy(host, hashes, sizeof host, cudaMemcpyDeviceToHost))
        return false;
    for (uint32_t hash : host)
        all = (all ^ hash) * 1099511628211ull;
    printf("%s,%016llx\n", name, (unsigned long long)all);
    return true;
}

int main()
{
    if (cudaMalloc(&hashes, sizeof host))
        return 1;
    printf("case,hash\n");
#define SHOW(product) show<product>(#product)
    const bool good = SHOW(and_8x8x128) && SHOW(xor_8x8x128) && SHOW(and_16x8x128) &&
                      SHOW(xor_16x8x128) && SHOW(and_16x8x256) && SHOW(xor_16x8x256);
    if (!good)
        fprintf(stderr, "%s\n", cudaGetErrorString(cudaGetLastError()));
    return !good;
}
