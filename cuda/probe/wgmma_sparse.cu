/*
 * Sparse products of warp groups (wgmma.sp) of random operands:
 *
 *     nvcc -gencode arch=compute_90a,code=sm_90a -o wgmma_sparse cuda/probe/wgmma_sparse.cu
 *     wgmma_sparse [DRAWS]     prints part,case,hash: the bits of all results
 *
 * Part 1, "values": every type and selector; all bits, finite numbers, and numbers close to each
 * other. Part 2, "twice": 16-bit and 8-bit numbers with metadata of any bits, also an index twice,
 * which has no meaning by the PTX ISA. Part 3, "layouts": descriptors with every swizzle, both
 * majors, and random starts and distances, over random contents of shared memory; A from registers,
 * signs, widths. simsm must print the same (tests/cli/hopper.sh).
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

#include "wgmma_sparse.cuh"

/* name, registers of D and the numbers of the operands behind them, selector, shape, signs and
 * majors */
SPARSE_SS(f32_f16, 4, 4, 5, 6, 7, 0, "m64n8k32.f32.f16.f16", ", 1, 1, 0, 0")
SPARSE_SS(f32_f16_1, 4, 4, 5, 6, 7, 1, "m64n8k32.f32.f16.f16", ", 1, 1, 0, 0")
SPARSE_SS(f16_f16, 2, 2, 3, 4, 5, 0, "m64n8k32.f16.f16.f16", ", 1, 1, 0, 0")
SPARSE_SS(f32_bf16, 4, 4, 5, 6, 7, 0, "m64n8k32.f32.bf16.bf16", ", 1, 1, 0, 0")
SPARSE_SS(f32_bf16_1, 4, 4, 5, 6, 7, 1, "m64n8k32.f32.bf16.bf16", ", 1, 1, 0, 0")
SPARSE_SS(f32_tf32, 4, 4, 5, 6, 7, 0, "m64n8k16.f32.tf32.tf32", ", 1, 1")
SPARSE_SS(f32_tf32_1, 4, 4, 5, 6, 7, 1, "m64n8k16.f32.tf32.tf32", ", 1, 1")
SPARSE_SS(f32_e4m3, 4, 4, 5, 6, 7, 0, "m64n8k64.f32.e4m3.e4m3", ", 1, 1")
SPARSE_SS(f32_e5m2, 4, 4, 5, 6, 7, 0, "m64n8k64.f32.e5m2.e5m2", ", 1, 1")
SPARSE_SS(f32_e4m3_e5m2, 4, 4, 5, 6, 7, 0, "m64n8k64.f32.e4m3.e5m2", ", 1, 1")
SPARSE_SS(f32_e5m2_e4m3, 4, 4, 5, 6, 7, 0, "m64n8k64.f32.e5m2.e4m3", ", 1, 1")
SPARSE_SS(f16_e4m3, 2, 2, 3, 4, 5, 0, "m64n8k64.f16.e4m3.e4m3", ", 1, 1")
SPARSE_SS(f16_e5m2, 2, 2, 3, 4, 5, 0, "m64n8k64.f16.e5m2.e5m2", ", 1, 1")
SPARSE_SS(f16_e4m3_e5m2, 2, 2, 3, 4, 5, 0, "m64n8k64.f16.e4m3.e5m2", ", 1, 1")
SPARSE_SS(s32_s8, 4, 4, 5, 6, 7, 0, "m64n8k64.s32.s8.s8", "")
SPARSE_SS(s32_u8_s8, 4, 4, 5, 6, 7, 0, "m64n8k64.s32.u8.s8", "")
SPARSE_SS(s32_s8_u8, 4, 4, 5, 6, 7, 0, "m64n8k64.s32.s8.u8", "")
SPARSE_SS(s32_u8, 4, 4, 5, 6, 7, 0, "m64n8k64.s32.u8.u8", "")
SPARSE_SS(s32_sat, 4, 4, 5, 6, 7, 0, "m64n8k64.s32.u8.u8.satfinite", "")
SPARSE_SS(s32_sat_s8, 4, 4, 5, 6, 7, 0, "m64n8k64.s32.s8.s8.satfinite", "")
SPARSE_SS(columns_a, 4, 4, 5, 6, 7, 0, "m64n8k32.f32.f16.f16", ", 1, 1, 1, 0")
SPARSE_SS(rows_b, 4, 4, 5, 6, 7, 1, "m64n8k32.f32.f16.f16", ", 1, 1, 0, 1")
SPARSE_SS(minus_a, 4, 4, 5, 6, 7, 1, "m64n8k32.f32.bf16.bf16", ", -1, 1, 0, 0")
SPARSE_SS(minus_b, 4, 4, 5, 6, 7, 0, "m64n8k32.f32.f16.f16", ", 1, -1, 0, 0")
SPARSE_SS(minus_tf32, 4, 4, 5, 6, 7, 1, "m64n8k16.f32.tf32.tf32", ", -1, -1")
SPARSE_SS(minus_e4m3, 4, 4, 5, 6, 7, 0, "m64n8k64.f32.e4m3.e4m3", ", -1, 1")
SPARSE_SS(wide_16_tf32, 8, 8, 9, 10, 11, 1, "m64n16k16.f32.tf32.tf32", ", 1, -1")
SPARSE_SS(wide_24, 12, 12, 13, 14, 15, 0, "m64n24k32.f32.f16.f16", ", 1, 1, 0, 1")
SPARSE_SS(wide_24_s8, 12, 12, 13, 14, 15, 0, "m64n24k64.s32.s8.u8", "")
SPARSE_SS(wide_32_e4m3, 16, 16, 17, 18, 19, 0, "m64n32k64.f32.e4m3.e4m3", ", -1, -1")
SPARSE_SS(wide_64, 32, 32, 33, 34, 35, 0, "m64n64k32.f32.f16.f16", ", 1, 1, 0, 0")
SPARSE_SS(wide_64_ab, 32, 32, 33, 34, 35, 1, "m64n64k32.f32.bf16.bf16", ", 1, 1, 1, 1")
SPARSE_SS(wide_64_tf32, 32, 32, 33, 34, 35, 0, "m64n64k16.f32.tf32.tf32", ", 1, 1")
SPARSE_SS(wide_64_e4m3, 32, 32, 33, 34, 35, 0, "m64n64k64.f32.e4m3.e5m2", ", 1, 1")
SPARSE_SS(wide_64_s8, 32, 32, 33, 34, 35, 0, "m64n64k64.s32.s8.s8", "")
SPARSE_SS(wide_128, 64, 64, 65, 66, 67, 0, "m64n128k32.f32.f16.f16", ", 1, 1, 0, 1")
SPARSE_SS(wide_128_u8, 64, 64, 65, 66, 67, 0, "m64n128k64.s32.u8.u8.satfinite", "")
SPARSE_SS(wide_256, 128, 128, 129, 130, 131, 0, "m64n256k32.f32.f16.f16", ", 1, 1, 0, 0")
SPARSE_SS(wide_256_f16, 64, 64, 65, 66, 67, 1, "m64n256k32.f16.f16.f16", ", 1, 1, 0, 1")
SPARSE_SS(wide_256_e5m2, 128, 128, 129, 130, 131, 0, "m64n256k64.f32.e5m2.e5m2", ", 1, 1")
SPARSE_RS(regs_f16, 4, 4, 5, 6, 7, 8, 9, 10, 0, "m64n8k32.f32.f16.f16", ", 1, 1, 0")
SPARSE_RS(regs_f16_1, 4, 4, 5, 6, 7, 8, 9, 10, 1, "m64n8k32.f32.f16.f16", ", 1, -1, 1")
SPARSE_RS(regs_bf16, 32, 32, 33, 34, 35, 36, 37, 38, 1, "m64n64k32.f32.bf16.bf16", ", -1, 1, 1")
SPARSE_RS(regs_tf32, 4, 4, 5, 6, 7, 8, 9, 10, 0, "m64n8k16.f32.tf32.tf32", ", 1, 1")
SPARSE_RS(regs_tf32_1, 4, 4, 5, 6, 7, 8, 9, 10, 1, "m64n8k16.f32.tf32.tf32", ", 1, 1")
SPARSE_RS(regs_e5m2, 16, 16, 17, 18, 19, 20, 21, 22, 0, "m64n64k64.f16.e5m2.e4m3", ", 1, 1")
SPARSE_RS(regs_u8, 4, 4, 5, 6, 7, 8, 9, 10, 0, "m64n8k64.s32.u8.s8", "")
SPARSE_RS(regs_s8, 32, 32, 33, 34, 35, 36, 37, 38, 0, "m64n64k64.s32.s8.s8.satfinite", "")
/* what wgmma.cu lacks: not sparse, -A from registers */
WGMMA_RS(dense_minus_regs, 4, 4, 5, 6, 7, 8, 9, "m64n8k16.f32.f16.f16", ", -1, 1, 0")

enum {
    THREADS = 128,
    A_BYTES = 32, /* of a row */
    B_BYTES = 64, /* of a column */
    A_ROWS = 64,
    B_COLUMNS = 8,
    CASES = 48,
    SHARED = 200 << 10
};

__host__ __device__ uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

template <typename Product> __device__ void multiply(uint32_t *d, const sparse_operands &x)
{
    asm volatile("fence.proxy.async.shared::cta;");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;");
    Product::run(d, x);
    asm volatile("wgmma.commit_group.sync.aligned;");
    asm volatile("wgmma.wait_group.sync.aligned 0;");
}

/* ---- Parts 1 and 2: values ---- */

struct draw {
    uint8_t a[A_ROWS * A_BYTES], b[B_COLUMNS * B_BYTES];
    uint32_t c[THREADS][4], metadata[THREADS];
};

template <typename Product> __global__ void values(const draw *draws, uint32_t *result)
{
    __shared__ __align__(128) uint8_t a[A_ROWS * A_BYTES], b[B_COLUMNS * B_BYTES];
    const draw &x = draws[blockIdx.x];
    /* without swizzle: 8 rows of 16 bytes lie together, then the next 16 bytes of these rows */
    for (int i = threadIdx.x; i < A_ROWS * A_BYTES; i += THREADS)
        a[(i / 256 * 2 + i % 32 / 16) * 128 + i / 32 % 8 * 16 + i % 16] = x.a[i];
    for (int i = threadIdx.x; i < B_COLUMNS * B_BYTES; i += THREADS)
        b[i % 64 / 16 * 128 + i / 64 * 16 + i % 16] = x.b[i];
    const uint64_t distances = (uint64_t)(128 >> 4) << 16 | (uint64_t)(256 >> 4) << 32;
    sparse_operands with = {{distances | (__cvta_generic_to_shared(a) >> 4 & 0x3fff),
                             distances | (__cvta_generic_to_shared(b) >> 4 & 0x3fff),
                             {},
                             1},
                            x.metadata[threadIdx.x]};
    uint32_t d[Product::WORDS];
    for (int i = 0; i < Product::WORDS; i++)
        d[i] = x.c[threadIdx.x][i];
    multiply<Product>(d, with);
    for (int i = 0; i < Product::WORDS; i++)
        result[(blockIdx.x * THREADS + threadIdx.x) * Product::WORDS + i] = d[i];
}

/* How elements are drawn: bytes; bits of exponent (0: integers) and fraction. */
struct format {
    int bytes, exponent, fraction;
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
            return bits;
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

/* Metadata with a meaning: two different indices of four, in any order; of tf32, one of two. */
static uint32_t valid_metadata(bool of_two)
{
    static const uint32_t pairs[] = {0x4, 0xe, 0x8, 0xc, 0x9, 0xd, 0x1, 0x2, 0x3, 0x6, 0x7, 0xb};
    uint32_t metadata = 0;
    for (int i = 0; i < 8; i++)
        metadata = metadata << 4 | pairs[random_bits() % (of_two ? 2 : 12)];
    return metadata;
}

static void check(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    exit(1);
}

/* Prints the hash of `words` words of the device, and frees them. */
static void print_hash(const char *part, const char *name, uint32_t *device, size_t words)
{
    std::vector<uint32_t> all(words);
    uint64_t hash = 14695981039346656037u;
    check(cudaMemcpy(all.data(), device, words * 4, cudaMemcpyDeviceToHost));
    check(cudaFree(device));
    for (uint32_t word : all)
        hash = (hash ^ word) * 1099511628211u;
    printf("%s,%s,%016llx\n", part, name, (unsigned long long)hash);
}

template <typename Product>
static void values_of(const char *part, const char *name, int draws, bool valid, format a, format b,
                      format c)
{
    std::vector<draw> all(draws);
    const size_t words = (size_t)draws * THREADS * Product::WORDS;
    draw *device;
    uint32_t *result;
    for (int i = 0; i < draws; i++) {
        fill(all[i].a, sizeof all[i].a, a, i % 3);
        fill(all[i].b, sizeof all[i].b, b, i % 3);
        fill((uint8_t *)all[i].c, sizeof all[i].c, c, i % 3);
        for (uint32_t &metadata : all[i].metadata)
            metadata = valid ? valid_metadata(a.bytes == 4) : random_bits();
    }
    check(cudaMalloc(&device, draws * sizeof(draw)));
    check(cudaMalloc(&result, words * 4));
    check(cudaMemcpy(device, all.data(), draws * sizeof(draw), cudaMemcpyHostToDevice));
    values<Product><<<draws, THREADS>>>(device, result);
    print_hash(part, name, result, words);
    check(cudaFree(device));
}

static const format half = {2, 5, 10}, bf16 = {2, 8, 7}, single = {4, 8, 23}, e4m3 = {1, 4, 3},
                    e5m2 = {1, 5, 2}, integer = {1, 0, 0};
#define VALUES(product, a, b, c) values_of<product>(part, #product, draws, valid, a, b, c);

static void show_floats(const char *part, int draws, bool valid)
{
    VALUES(f32_f16, half, half, single)
    VALUES(f32_f16_1, half, half, single)
    VALUES(f16_f16, half, half, half)
    VALUES(f32_bf16, bf16, bf16, single)
    VALUES(f32_bf16_1, bf16, bf16, single)
    VALUES(f32_e4m3, e4m3, e4m3, single)
    VALUES(f32_e5m2, e5m2, e5m2, single)
    VALUES(f32_e4m3_e5m2, e4m3, e5m2, single)
    VALUES(f32_e5m2_e4m3, e5m2, e4m3, single)
    VALUES(f16_e4m3, e4m3, e4m3, half)
    VALUES(f16_e5m2, e5m2, e5m2, half)
    VALUES(f16_e4m3_e5m2, e4m3, e5m2, half)
}

static void show_values(const char *part, int draws, bool valid)
{
    show_floats(part, draws, valid);
    VALUES(f32_tf32, single, single, single)
    VALUES(f32_tf32_1, single, single, single)
    VALUES(s32_s8, integer, integer, integer)
    VALUES(s32_u8_s8, integer, integer, integer)
    VALUES(s32_s8_u8, integer, integer, integer)
    VALUES(s32_u8, integer, integer, integer)
    VALUES(s32_sat, integer, integer, integer)
    VALUES(s32_sat_s8, integer, integer, integer)
}

/* ---- Part 3: layouts ---- */

/* Metadata with a meaning. */
__device__ uint32_t mixed_metadata(uint32_t bits, bool of_two)
{
    const uint32_t pairs = of_two ? 0xe4e4e4u : 0xed9c84u;
    uint32_t metadata = 0;
    for (int i = 0; i < 8; i++, bits = mix(bits))
        metadata = metadata << 4 | (pairs >> bits % 6 * 4 & 15);
    return metadata;
}

template <typename Product, bool OF_TWO>
__global__ void layouts(const uint64_t *descriptors, uint32_t *result)
{
    extern __shared__ __align__(1024) uint8_t shared[];
    for (int i = threadIdx.x; i < SHARED / 4; i += THREADS)
        ((uint32_t *)shared)[i] = mix(i * 2654435761u + blockIdx.x) & 0x7bff7bff;
    sparse_operands with = {
        {descriptors[2 * blockIdx.x], descriptors[2 * blockIdx.x + 1], {}, blockIdx.x % 5 != 4},
        mixed_metadata(threadIdx.x * 613 + blockIdx.x * 15485863, OF_TWO)};
    uint32_t d[Product::WORDS];
    for (int i = 0; i < Product::WORDS; i++)
        d[i] = mix(threadIdx.x * 977 + i * 31 + blockIdx.x * 7919) & 0x3fff3fff;
    for (int i = 0; i < 4; i++)
        with.regs[i] = mix(threadIdx.x * 131 + i * 17 + blockIdx.x * 104729) & 0x7bff7bff;
    multiply<Product>(d, with);
    for (int i = 0; i < Product::WORDS; i++)
        result[(blockIdx.x * THREADS + threadIdx.x) * Product::WORDS + i] = d[i];
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

template <typename Product, bool OF_TWO> static void layouts_of(const char *name)
{
    const size_t words = (size_t)CASES * THREADS * Product::WORDS;
    uint32_t *result;
    check(cudaMalloc(&result, words * 4));
    check(cudaFuncSetAttribute(layouts<Product, OF_TWO>,
                               cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
    layouts<Product, OF_TWO><<<CASES, THREADS, SHARED>>>(descriptors, result);
    print_hash("layouts", name, result, words);
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

static void show_layouts()
{
#define LAYOUTS(product)      layouts_of<product, false>(#product);
#define LAYOUTS_TF32(product) layouts_of<product, true>(#product);
    LAYOUTS(f32_f16)
    LAYOUTS_TF32(f32_tf32)
    LAYOUTS(f32_e4m3)
    LAYOUTS(s32_s8)
    LAYOUTS(columns_a)
    LAYOUTS(rows_b)
    LAYOUTS(minus_a)
    LAYOUTS(minus_b)
    LAYOUTS_TF32(minus_tf32)
    LAYOUTS(minus_e4m3)
    LAYOUTS_TF32(wide_16_tf32)
    LAYOUTS(wide_24)
    LAYOUTS(wide_24_s8)
    LAYOUTS(wide_32_e4m3)
    LAYOUTS(wide_64)
    LAYOUTS(wide_64_ab)
    LAYOUTS_TF32(wide_64_tf32)
    LAYOUTS(wide_64_e4m3)
    LAYOUTS(wide_64_s8)
    LAYOUTS(wide_128)
    LAYOUTS(wide_128_u8)
    LAYOUTS(wide_256)
    LAYOUTS(wide_256_f16)
    LAYOUTS(wide_256_e5m2)
    LAYOUTS(regs_f16)
    LAYOUTS(regs_f16_1)
    LAYOUTS(regs_bf16)
    LAYOUTS_TF32(regs_tf32)
    LAYOUTS_TF32(regs_tf32_1)
    LAYOUTS(regs_e5m2)
    LAYOUTS(regs_u8)
    LAYOUTS(regs_s8)
    LAYOUTS(dense_minus_regs)
}

int main(int argc, char **argv)
{
    const int draws = argc > 1 ? atoi(argv[1]) : 120;
    printf("part,case,hash\n");
    show_values("values", draws, true);
    show_floats("twice", draws, false);
    make_descriptors();
    show_layouts();
    return 0;
}
