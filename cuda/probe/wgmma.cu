/*
 * Products of warp groups (wgmma) of random operands:
 *
 *     nvcc -gencode arch=compute_90a,code=sm_90a -o wgmma cuda/probe/wgmma.cu
 *     wgmma [DRAWS]     prints case,hash: the bits of all results
 *
 * Part 1, "values": every type; all bits, finite numbers, and numbers close to each other, so that
 * alignment and cutting off show. Part 2, "layouts": descriptors with every swizzle, both majors,
 * and random starts and distances, over random contents of shared memory; A from registers, signs,
 * widths. simsm must print the same (tests/cli/hopper.sh).
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

#include "wgmma.cuh"

/* name, registers of D and the numbers of the operands behind them, shape, signs and majors */
WGMMA_SS(f32_f16, 4, 4, 5, 6, "m64n8k16.f32.f16.f16", ", 1, 1, 0, 0")
WGMMA_SS(f16_f16, 2, 2, 3, 4, "m64n8k16.f16.f16.f16", ", 1, 1, 0, 0")
WGMMA_SS(f32_bf16, 4, 4, 5, 6, "m64n8k16.f32.bf16.bf16", ", 1, 1, 0, 0")
WGMMA_SS(f32_tf32, 4, 4, 5, 6, "m64n8k8.f32.tf32.tf32", ", 1, 1")
WGMMA_SS(f32_e4m3, 4, 4, 5, 6, "m64n8k32.f32.e4m3.e4m3", ", 1, 1")
WGMMA_SS(f32_e5m2, 4, 4, 5, 6, "m64n8k32.f32.e5m2.e5m2", ", 1, 1")
WGMMA_SS(f32_e4m3_e5m2, 4, 4, 5, 6, "m64n8k32.f32.e4m3.e5m2", ", 1, 1")
WGMMA_SS(f32_e5m2_e4m3, 4, 4, 5, 6, "m64n8k32.f32.e5m2.e4m3", ", 1, 1")
WGMMA_SS(f16_e4m3, 2, 2, 3, 4, "m64n8k32.f16.e4m3.e4m3", ", 1, 1")
WGMMA_SS(f16_e5m2, 2, 2, 3, 4, "m64n8k32.f16.e5m2.e5m2", ", 1, 1")
WGMMA_SS(s32_s8, 4, 4, 5, 6, "m64n8k32.s32.s8.s8", "")
WGMMA_SS(s32_u8_s8, 4, 4, 5, 6, "m64n8k32.s32.u8.s8", "")
WGMMA_SS(s32_s8_u8, 4, 4, 5, 6, "m64n8k32.s32.s8.u8", "")
WGMMA_SS(s32_sat, 4, 4, 5, 6, "m64n8k32.s32.u8.u8.satfinite", "")
WGMMA_SS(columns_a, 4, 4, 5, 6, "m64n8k16.f32.f16.f16", ", 1, 1, 1, 0")
WGMMA_SS(rows_b, 4, 4, 5, 6, "m64n8k16.f32.f16.f16", ", 1, 1, 0, 1")
WGMMA_SS(minus_a, 4, 4, 5, 6, "m64n8k16.f32.bf16.bf16", ", -1, 1, 0, 0")
WGMMA_SS(minus_b, 4, 4, 5, 6, "m64n8k16.f32.f16.f16", ", 1, -1, 0, 0")
WGMMA_SS(minus_tf32, 4, 4, 5, 6, "m64n8k8.f32.tf32.tf32", ", -1, -1")
WGMMA_SS(minus_e4m3, 4, 4, 5, 6, "m64n8k32.f32.e4m3.e4m3", ", -1, 1")
WGMMA_SS(wide_24, 12, 12, 13, 14, "m64n24k16.f32.f16.f16", ", 1, 1, 0, 1")
WGMMA_SS(wide_64, 32, 32, 33, 34, "m64n64k16.f32.f16.f16", ", 1, 1, 0, 0")
WGMMA_SS(wide_64_ab, 32, 32, 33, 34, "m64n64k16.f32.bf16.bf16", ", 1, 1, 1, 1")
WGMMA_SS(wide_64_e4m3, 32, 32, 33, 34, "m64n64k32.f32.e4m3.e5m2", ", 1, 1")
WGMMA_SS(wide_64_s8, 32, 32, 33, 34, "m64n64k32.s32.s8.s8", "")
WGMMA_SS(wide_128, 64, 64, 65, 66, "m64n128k16.f32.f16.f16", ", 1, 1, 0, 1")
WGMMA_SS(wide_256, 128, 128, 129, 130, "m64n256k16.f32.f16.f16", ", 1, 1, 0, 0")
WGMMA_SS(wide_256_f16, 64, 64, 65, 66, "m64n256k16.f16.f16.f16", ", 1, 1, 0, 1")
WGMMA_RS(regs_f16, 4, 4, 5, 6, 7, 8, 9, "m64n8k16.f32.f16.f16", ", 1, 1, 0")
WGMMA_RS(regs_bf16, 32, 32, 33, 34, 35, 36, 37, "m64n64k16.f32.bf16.bf16", ", 1, 1, 1")
WGMMA_RS(regs_tf32, 4, 4, 5, 6, 7, 8, 9, "m64n8k8.f32.tf32.tf32", ", 1, 1")
WGMMA_RS(regs_e5m2, 16, 16, 17, 18, 19, 20, 21, "m64n64k32.f16.e5m2.e4m3", ", 1, 1")
WGMMA_RS(regs_u8, 4, 4, 5, 6, 7, 8, 9, "m64n8k32.s32.u8.s8", "")
WGMMA_SS(s32_b1, 4, 4, 5, 6, "m64n8k256.s32.b1.b1.and.popc", "")
WGMMA_SS(wide_24_b1, 12, 12, 13, 14, "m64n24k256.s32.b1.b1.and.popc", "")
WGMMA_SS(wide_64_b1, 32, 32, 33, 34, "m64n64k256.s32.b1.b1.and.popc", "")
WGMMA_SS(wide_256_b1, 128, 128, 129, 130, "m64n256k256.s32.b1.b1.and.popc", "")
WGMMA_RS(regs_b1, 4, 4, 5, 6, 7, 8, 9, "m64n8k256.s32.b1.b1.and.popc", "")
WGMMA_RS(wide_128_regs_b1, 64, 64, 65, 66, 67, 68, 69, "m64n128k256.s32.b1.b1.and.popc", "")

enum { THREADS = 128, ROW_BYTES = 32, A_ROWS = 64, B_COLUMNS = 8, CASES = 48, BYTES = 200 << 10 };

__host__ __device__ uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

template <typename Product> __device__ void multiply(uint32_t *d, const operands &x)
{
    asm volatile("fence.proxy.async.shared::cta;");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;");
    Product::run(d, x);
    asm volatile("wgmma.commit_group.sync.aligned;");
    asm volatile("wgmma.wait_group.sync.aligned 0;");
}

__device__ uint32_t hash_of(const uint32_t *d, int words)
{
    uint32_t hash = 2166136261u;
    for (int i = 0; i < words; i++)
        hash = (hash ^ d[i]) * 16777619u;
    return hash;
}

/* ---- Part 1: values ---- */

struct draw {
    uint8_t a[A_ROWS * ROW_BYTES], b[B_COLUMNS * ROW_BYTES];
    uint32_t c[THREADS][4];
};

template <typename Product> __global__ void values(const draw *draws, uint32_t *hash)
{
    __shared__ __align__(128) uint8_t a[A_ROWS * ROW_BYTES], b[B_COLUMNS * ROW_BYTES];
    const draw &x = draws[blockIdx.x];
    /* without swizzle: 8 rows of 16 bytes lie together, then the other half of their columns */
    for (int i = threadIdx.x; i < A_ROWS * ROW_BYTES; i += THREADS)
        a[(i / 256 * 2 + i % 32 / 16) * 128 + i / 32 % 8 * 16 + i % 16] = x.a[i];
    for (int i = threadIdx.x; i < B_COLUMNS * ROW_BYTES; i += THREADS)
        b[i % 32 / 16 * 128 + i / 32 * 16 + i % 16] = x.b[i];
    const uint64_t distances = (uint64_t)(128 >> 4) << 16 | (uint64_t)(256 >> 4) << 32;
    operands with = {distances | (__cvta_generic_to_shared(a) >> 4 & 0x3fff),
                     distances | (__cvta_generic_to_shared(b) >> 4 & 0x3fff),
                     {},
                     1};
    uint32_t d[Product::WORDS];
    for (int i = 0; i < Product::WORDS; i++)
        d[i] = x.c[threadIdx.x][i];
    multiply<Product>(d, with);
    hash[blockIdx.x * THREADS + threadIdx.x] = hash_of(d, Product::WORDS);
}

/* How elements are drawn: bytes; bits of exponent (0: integers) and fraction; bits that integers
 * have set. */
struct format {
    int bytes, exponent, fraction;
    uint32_t ones;
};

static uint64_t state = 88172645463325252u;

static uint32_t random_bits()
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

static uint32_t drawn(const format &f, int mode)
{
    const uint32_t top = (1u << f.exponent) - 1;
    for (;;) {
        uint32_t bits = random_bits();
        if (!f.exponent)
            return bits | f.ones;
        if (mode == 2) { /* close to one another, some zeros */
            const uint32_t field = (1u << (f.exponent - 1)) - 2 + random_bits() % 4;
            bits = (bits & ~(top << f.fraction)) | field << f.fraction;
            if (random_bits() % 16 == 0)
                return 0;
        }
        const bool special =
            (bits >> f.fraction & top) == top && (f.exponent != 4 || (bits & 7) == 7);
        if (mode == 0 || !special)
            return bits;
    }
}

static void fill(uint8_t *to, int bytes, const format &f, int mode)
{
    for (int i = 0; i < bytes; i += f.bytes) {
        const uint32_t bits = drawn(f, mode);
        memcpy(to + i, &bits, f.bytes);
    }
}

static void print_hash(const char *part, const char *name, const std::vector<uint32_t> &hash)
{
    uint64_t all = 14695981039346656037u;
    for (uint32_t h : hash)
        all = (all ^ h) * 1099511628211u;
    printf("%s,%s,%016llx\n", part, name, (unsigned long long)all);
}

static void check(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    exit(1);
}

template <typename Product>
static void values_of(const char *name, int draws, format a, format b, format c)
{
    std::vector<draw> all(draws);
    std::vector<uint32_t> hash(draws * THREADS);
    draw *device;
    uint32_t *result;
    for (int i = 0; i < draws; i++) {
        fill(all[i].a, sizeof all[i].a, a, i % 3);
        fill(all[i].b, sizeof all[i].b, b, i % 3);
        fill((uint8_t *)all[i].c, sizeof all[i].c, c, i % 3);
    }
    check(cudaMalloc(&device, draws * sizeof(draw)));
    check(cudaMalloc(&result, hash.size() * 4));
    check(cudaMemcpy(device, all.data(), draws * sizeof(draw), cudaMemcpyHostToDevice));
    values<Product><<<draws, THREADS>>>(device, result);
    check(cudaMemcpy(hash.data(), result, hash.size() * 4, cudaMemcpyDeviceToHost));
    check(cudaFree(device));
    check(cudaFree(result));
    print_hash("values", name, hash);
}

/* ---- Part 2: layouts ---- */

template <typename Product> __global__ void layouts(const uint64_t *descriptors, uint32_t *hash)
{
    extern __shared__ __align__(1024) uint8_t shared[];
    for (int i = threadIdx.x; i < BYTES / 4; i += THREADS)
        ((uint32_t *)shared)[i] = mix(i * 2654435761u + blockIdx.x) & 0x7bff7bff;
    operands with = {
        descriptors[2 * blockIdx.x], descriptors[2 * blockIdx.x + 1], {}, blockIdx.x % 5 != 4};
    uint32_t d[Product::WORDS];
    for (int i = 0; i < Product::WORDS; i++)
        d[i] = mix(threadIdx.x * 977 + i * 31 + blockIdx.x * 7919) & 0x3fff3fff;
    for (int i = 0; i < 4; i++)
        with.regs[i] = mix(threadIdx.x * 131 + i * 17 + blockIdx.x * 104729) & 0x7bff7bff;
    multiply<Product>(d, with);
    hash[blockIdx.x * THREADS + threadIdx.x] = hash_of(d, Product::WORDS);
}

/* Half of the descriptors begin where programs let them begin, the others anywhere. */
static uint64_t descriptor(int swizzle, bool anywhere)
{
    static const uint64_t rows[] = {16, 1024, 512, 256}; /* bytes of 8 rows, by swizzle */
    const uint64_t unit = anywhere ? 16 : rows[swizzle];
    uint64_t start = 1024 + random_bits() % (32768 / unit) * unit;
    uint64_t leading = (1 + random_bits() % 250) * 16, stride = (1 + random_bits() % 250) * 16;
    if (!anywhere) {
        leading = (1 + random_bits() % 4) * 1024;
        stride = (1 + random_bits() % 4) * 1024;
        start += swizzle ? random_bits() % 2 * 32 : 0; /* the next step along K */
    }
    return start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | (uint64_t)swizzle << 62;
}

static uint64_t *descriptors;

template <typename Product> static void layouts_of(const char *name)
{
    std::vector<uint32_t> hash(CASES * THREADS);
    uint32_t *result;
    check(cudaMalloc(&result, hash.size() * 4));
    check(
        cudaFuncSetAttribute(layouts<Product>, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
    layouts<Product><<<CASES, THREADS, BYTES>>>(descriptors, result);
    check(cudaMemcpy(hash.data(), result, hash.size() * 4, cudaMemcpyDeviceToHost));
    check(cudaFree(result));
    print_hash("layouts", name, hash);
}

static void make_descriptors()
{
    std::vector<uint64_t> all(2 * CASES);
    for (int i = 0; i < CASES; i++) {
        all[2 * i] = descriptor(i % 4, i >= CASES / 2);
        all[2 * i + 1] = descriptor(i / 4 % 4, i >= CASES / 2);
    }
    check(cudaMalloc(&descriptors, all.size() * 8));
    check(cudaMemcpy(descriptors, all.data(), all.size() * 8, cudaMemcpyHostToDevice));
}

int main(int argc, char **argv)
{
    const int draws = argc > 1 ? atoi(argv[1]) : 120;
    const format half = {2, 5, 10}, bf16 = {2, 8, 7}, single = {4, 8, 23}, e4m3 = {1, 4, 3},
                 e5m2 = {1, 5, 2}, integer = {1, 0, 0}, top = {4, 0, 0, 0x7fffff00};
    printf("part,case,hash\n");
#define VALUES(product, a, b, c) values_of<product>(#product, draws, a, b, c);
    VALUES(f32_f16, half, half, single)
    VALUES(f16_f16, half, half, half)
    VALUES(f32_bf16, bf16, bf16, single)
    VALUES(f32_tf32, single, single, single)
    VALUES(f32_e4m3, e4m3, e4m3, single)
    VALUES(f32_e5m2, e5m2, e5m2, single)
    VALUES(f32_e4m3_e5m2, e4m3, e5m2, single)
    VALUES(f32_e5m2_e4m3, e5m2, e4m3, single)
    VALUES(f16_e4m3, e4m3, e4m3, half)
    VALUES(f16_e5m2, e5m2, e5m2, half)
    VALUES(s32_s8, integer, integer, integer)
    VALUES(s32_u8_s8, integer, integer, integer)
    VALUES(s32_s8_u8, integer, integer, integer)
    VALUES(s32_sat, integer, integer, integer)
    make_descriptors();
#define LAYOUTS(product) layouts_of<product>(#product);
    LAYOUTS(f32_f16)
    LAYOUTS(f32_tf32)
    LAYOUTS(f32_e4m3)
    LAYOUTS(s32_s8)
    LAYOUTS(columns_a)
    LAYOUTS(rows_b)
    LAYOUTS(minus_a)
    LAYOUTS(minus_b)
    LAYOUTS(minus_tf32)
    LAYOUTS(minus_e4m3)
    LAYOUTS(wide_24)
    LAYOUTS(wide_64)
    LAYOUTS(wide_64_ab)
    LAYOUTS(wide_64_e4m3)
    LAYOUTS(wide_64_s8)
    LAYOUTS(wide_128)
    LAYOUTS(wide_256)
    LAYOUTS(wide_256_f16)
    LAYOUTS(regs_f16)
    LAYOUTS(regs_bf16)
    LAYOUTS(regs_tf32)
    LAYOUTS(regs_e5m2)
    LAYOUTS(regs_u8)
    values_of<s32_s8>("s32_s8_top", draws, integer, integer, top);
    VALUES(s32_b1, integer, integer, top)
    LAYOUTS(s32_b1)
    LAYOUTS(wide_24_b1)
    LAYOUTS(wide_64_b1)
    LAYOUTS(wide_256_b1)
    LAYOUTS(regs_b1)
    LAYOUTS(wide_128_regs_b1)
    return 0;
}
