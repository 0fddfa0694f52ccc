/*
 * Tensor copies (TMA) of random boxes, loaded, stored, and reduced; in tile and in im2col mode:
 *
 *     nvcc -std=c++17 -arch=sm_90a -o tensor_copies cuda/probe/tensor_copies.cu
 *     tensor_copies [CASES [KIND]]       prints kind,rank,hash: of what loads bring to shared
 *                                        memory, or of the tensor after stores or reductions; of
 *                                        tensors without interleave, with one of 16, of 32 bytes
 *     tensor_copies KIND RANK FROM TO [INTERLEAVE]
 *                                        cases in words, with all that they changed
 *
 * Types, ranks, sizes, strides, boxes, steps, swizzles, fills and coordinates are random; many
 * boxes leave the tensor. simsm must print the same (tests/cli/hopper.sh). Drawn are only cases
 * that the hardware takes: an illegal instruction ends the process.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <string>
#include <vector>

#include "async.cuh"

enum { THREADS = 128, BOX_BYTES = 64 << 10, TENSOR_BYTES = 512 << 10 };
enum { LOAD, STORE, REDUCE, LOAD_COLUMNS, STORE_COLUMNS, KINDS };
static const char *const names[KINDS] = {"load", "store", "reduce", "load_im2col", "store_im2col"};

struct place {
    int at[5];
    int offset[3]; /* of pixels, im2col */
    uint32_t bytes, op;
};

#define OPERANDS                                                                                   \
    ::"r"(box), "l"(map), "r"(barrier), "r"(p.at[0]), "r"(p.at[1]), "r"(p.at[2]), "r"(p.at[3]),    \
        "r"(p.at[4]), "h"((short)p.offset[0]), "h"((short)p.offset[1]),                            \
        "h"((short)p.offset[2]) : "memory"
#define BRING(rank, at, mode, offsets)                                                             \
    asm volatile("cp.async.bulk.tensor." #rank "d.shared::cluster.global" mode                     \
                 ".mbarrier::complete_tx::bytes [%0], [%1, {" at "}], [%2]" offsets ";" OPERANDS)
#define TAKE(rank, at, mode)                                                                       \
    asm volatile("cp.async.bulk.tensor." #rank "d.global.shared::cta" mode ".bulk_group [%1, {" at \
                 "}], [%0];" OPERANDS)
#define REDUCED(rank, at, op)                                                                      \
    asm volatile("cp.reduce.async.bulk.tensor." #rank "d.global.shared::cta." #op                  \
                 ".tile.bulk_group [%1, {" at "}], [%0];" OPERANDS)
#define EVERY_RANK(DO, ...)                                                                        \
    if (RANK == 1)                                                                                 \
        DO(1, "%3", __VA_ARGS__);                                                                  \
    if (RANK == 2)                                                                                 \
        DO(2, "%3, %4", __VA_ARGS__);                                                              \
    if (RANK == 3)                                                                                 \
        DO(3, "%3, %4, %5", __VA_ARGS__);                                                          \
    if (RANK == 4)                                                                                 \
        DO(4, "%3, %4, %5, %6", __VA_ARGS__);                                                      \
    if (RANK == 5)                                                                                 \
    DO(5, "%3, %4, %5, %6, %7", __VA_ARGS__)

template <int RANK, int KIND>
__device__ void issue(const CUtensorMap *map, const place &p, uint32_t box, uint32_t barrier)
{
    if (KIND == LOAD) {
        EVERY_RANK(BRING, ".tile", "");
    } else if (KIND == STORE) {
        EVERY_RANK(TAKE, ".tile");
    } else if (KIND == LOAD_COLUMNS) {
        if (RANK == 3)
            BRING(3, "%3, %4, %5", ".im2col", ", {%8}");
        if (RANK == 4)
            BRING(4, "%3, %4, %5, %6", ".im2col", ", {%8, %9}");
        if (RANK == 5)
            BRING(5, "%3, %4, %5, %6, %7", ".im2col", ", {%8, %9, %10}");
    } else if (KIND == STORE_COLUMNS) {
        if (RANK == 3)
            TAKE(3, "%3, %4, %5", ".im2col_no_offs");
        if (RANK == 4)
            TAKE(4, "%3, %4, %5, %6", ".im2col_no_offs");
        if (RANK == 5)
            TAKE(5, "%3, %4, %5, %6, %7", ".im2col_no_offs");
    } else {
        if (p.op == 0) {
            EVERY_RANK(REDUCED, add);
        }
        if (p.op == 1) {
            EVERY_RANK(REDUCED, min);
        }
        if (p.op == 2) {
            EVERY_RANK(REDUCED, max);
        }
        if (p.op == 3) {
            EVERY_RANK(REDUCED, inc);
        }
        if (p.op == 4) {
            EVERY_RANK(REDUCED, dec);
        }
        if (p.op == 5) {
            EVERY_RANK(REDUCED, and);
        }
        if (p.op == 6) {
            EVERY_RANK(REDUCED, or);
        }
        if (p.op == 7) {
            EVERY_RANK(REDUCED, xor);
        }
    }
}

template <int RANK, int KIND>
__global__ void copy(const __grid_constant__ CUtensorMap map, const place p, uint32_t *out)
{
    extern __shared__ __align__(1024) uint32_t box[];
    __shared__ __align__(8) uint64_t barrier;
    const bool loads = KIND == LOAD || KIND == LOAD_COLUMNS;
    for (int i = threadIdx.x; i < BOX_BYTES / 4; i += THREADS)
        box[i] = loads ? 0x11111111u * (i % 15) : mixed(i + 12345);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&barrier)));
        asm volatile("fence.mbarrier_init.release.cluster;");
    }
    asm volatile("fence.proxy.async.shared::cta;");
    __syncthreads();
    if (threadIdx.x == 0) {
        if (loads)
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                             shared_address(&barrier)),
                         "r"(p.bytes)
                         : "memory");
        issue<RANK, KIND>(&map, p, shared_address(box), shared_address(&barrier));
        if (!loads) {
            asm volatile("cp.async.bulk.commit_group;");
            asm volatile("cp.async.bulk.wait_group 0;");
        }
    }
    if (!loads)
        return;
    uint32_t over = 0;
    while (!over)
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 "
                     "%0, 1, 0, p;}"
                     : "=r"(over)
                     : "r"(shared_address(&barrier))
                     : "memory");
    for (int i = threadIdx.x; i < BOX_BYTES / 4; i += THREADS)
        out[i] = box[i];
}

static uint64_t state;

static uint32_t random_below(uint32_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16) % n;
}

static void check(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    exit(1);
}

static uint8_t *tensor;
static uint32_t *result;
static decltype(&cuTensorMapEncodeTiled) encode;
static decltype(&cuTensorMapEncodeIm2col) encode_im2col;
static int interleave; /* of all tensors: 0 none, 1 of slices of 16 bytes, 2 of 32 */

/* A random tensor, its map, and a box in it. */
struct draw {
    int type, bytes, swizzle, rank;
    bool nan;
    cuuint64_t size[5], stride[4];
    cuuint32_t box[5], step[5], channels, pixels;
    int lower[3], upper[3];
    CUtensorMap map;
    place where;
};

static const int sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4}; /* bytes of types */

/* The operations (bit n: operation n) that the hardware takes for each type. */
static const int legal[13] = {0, 0, 0xff, 0xe7, 0xe7, 6, 7, 1, 1, 7, 1, 1, 1};

/* Draws the part that both modes have. */
static bool draw_tensor(int kind, draw *d)
{
    d->type = random_below(13);
    d->bytes = sizes[d->type];
    d->swizzle = random_below(4);
    d->nan = d->type >= 6 && random_below(2);
    d->size[0] = 16 / d->bytes * (1 + random_below(8)) + random_below(3);
    for (int i = 0; i < 5; i++) {
        if (i)
            d->size[i] = 1 + random_below(12);
        d->step[i] = random_below(3) ? 1 : 1 + random_below(3);
        d->where.at[i] = (int)random_below(d->size[i] + 8) - 4;
        if (i == 0 && !interleave) /* must begin at a multiple of 16 bytes */
            d->where.at[0] = d->where.at[0] * d->bytes / 16 * 16 / d->bytes;
        if (kind != LOAD && kind != LOAD_COLUMNS && d->where.at[i] < 0)
            d->where.at[i] = 0; /* only loads may begin before the tensor */
    }
    const int unit = interleave == 2 ? 32 : 16;
    uint64_t row = interleave ? d->size[0] * unit : (d->size[0] * d->bytes + 15) / 16 * 16;
    row += unit * random_below(2);
    for (int i = 1; i < d->rank; i++) {
        d->stride[i - 1] = row;
        row = row * d->size[i] + unit * random_below(2);
    }
    for (int i = d->rank; i < 5; i++)
        d->where.at[i] = 0;
    if (kind == REDUCE && !legal[d->type])
        return false;
    do
        d->where.op = random_below(8);
    while (kind == REDUCE && !(legal[d->type] >> d->where.op & 1));
    return row <= TENSOR_BYTES;
}

static CUtensorMapFloatOOBfill fill_of(const draw *d)
{
    return d->nan ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
                  : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
}

/* Bytes of a box. If slices are interleaved, it counts them in dimension 0, and takes one of the
 * last dimension but one. */
static uint64_t box_bytes(const draw *d)
{
    uint64_t all = interleave ? 16 * interleave : d->bytes * d->box[0];
    for (int i = !interleave; i < d->rank; i++)
        if (!interleave || i != d->rank - 2)
            all *= (d->box[i] + d->step[i] - 1) / d->step[i];
    return all;
}

static bool make_tile(int kind, draw *d)
{
    if (!draw_tensor(kind, d))
        return false;
    const bool narrow = d->swizzle && !interleave;
    d->box[0] = 16 / d->bytes * (1 + random_below(narrow ? 1 << d->swizzle : 8));
    for (int i = 1; i < d->rank; i++)
        d->box[i] = 1 + random_below(8);
    const uint64_t all = box_bytes(d);
    d->where.bytes = (uint32_t)all;
    if (d->box[0] > 256 || all > BOX_BYTES / 8)
        return false;
    return encode(&d->map, (CUtensorMapDataType)d->type, d->rank, tensor, d->size, d->stride,
                  d->box, d->step, (CUtensorMapInterleave)interleave,
                  (CUtensorMapSwizzle)d->swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                  fill_of(d)) == CUDA_SUCCESS;
}

static bool make_columns(int kind, draw *d)
{
    if (!draw_tensor(kind, d))
        return false;
    d->channels = 16 / d->bytes * (1 + random_below(d->swizzle ? 1 << d->swizzle : 8));
    d->pixels = 1 + random_below(70);
    for (int i = 0; i < d->rank - 2; i++) {
        d->lower[i] = (int)random_below(5) - (kind == LOAD_COLUMNS ? 3 : 0);
        d->upper[i] = (int)random_below(5) - (kind == LOAD_COLUMNS ? 3 : 4);
        d->where.offset[i] = kind == LOAD_COLUMNS ? random_below(4) : 0;
        const int pixel = interleave ? i : i + 1; /* the dimension */
        const int width = (int)d->size[pixel] + d->upper[i] - d->lower[i];
        if (width <= 0)
            return false;
        d->where.at[pixel] = d->lower[i] + (int)random_below(width);
    }
    for (int i = 0; i < 5; i++)
        if (kind == STORE_COLUMNS && d->where.at[i] < 0)
            return false;
    d->where.bytes = (interleave ? 16 * interleave : d->channels * d->bytes) * d->pixels;
    if (d->channels > 256 || d->where.bytes > BOX_BYTES / 8)
        return false;
    return encode_im2col(&d->map, (CUtensorMapDataType)d->type, d->rank, tensor, d->size, d->stride,
                         d->lower, d->upper, d->channels, d->pixels, d->step,
                         (CUtensorMapInterleave)interleave, (CUtensorMapSwizzle)d->swizzle,
                         CU_TENSOR_MAP_L2_PROMOTION_NONE, fill_of(d)) == CUDA_SUCCESS;
}

static uint64_t hash_of(uint64_t hash, const std::vector<uint32_t> &words)
{
    for (uint32_t word : words)
        hash = (hash ^ word) * 1099511628211u;
    return hash;
}

static void tell(int kind, const draw *d, int seed)
{
    printf("%s,%d,%d,type %d op %d swizzle %d interleave %d nan %d", names[kind], d->rank, seed,
           d->type, d->where.op, d->swizzle, interleave, d->nan);
    if (kind >= LOAD_COLUMNS)
        printf(" channels %d pixels %d", (int)d->channels, (int)d->pixels);
    for (int i = 0; i < d->rank; i++) {
        printf(" [%d: at %d of %d step %d", i, d->where.at[i], (int)d->size[i], (int)d->step[i]);
        if (kind < LOAD_COLUMNS)
            printf(" box %d", (int)d->box[i]);
        printf("]");
    }
    for (int i = 0; i < d->rank - 2 && kind >= LOAD_COLUMNS; i++)
        printf(" [corners %d %d offset %d]", d->lower[i], d->upper[i], d->where.offset[i]);
}

/* Runs one case. `one`: tells it. Returns the hash of what there is afterwards. */
template <int RANK, int KIND> static uint64_t run(int seed, uint64_t hash, bool one)
{
    std::vector<uint32_t> old(TENSOR_BYTES / 4), now;
    const bool loads = KIND == LOAD || KIND == LOAD_COLUMNS;
    draw d = {};
    check(cudaFuncSetAttribute(copy<RANK, KIND>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               BOX_BYTES));
    state = 88172645463325252u + (uint64_t)(seed * 8 + RANK * KINDS + KIND) * 0x9e3779b97f4a7c15u +
            ((uint64_t)interleave << 40);
    d.rank = RANK;
    while (KIND >= LOAD_COLUMNS ? !make_columns(KIND, &d) : !make_tile(KIND, &d))
        ;
    if (one)
        tell(KIND, &d, seed);
    for (size_t i = 0; i < old.size(); i++)
        old[i] = mixed(i + seed * 1000003u);
    check(cudaMemcpy(tensor, old.data(), TENSOR_BYTES, cudaMemcpyHostToDevice));
    copy<RANK, KIND><<<1, THREADS, BOX_BYTES>>>(d.map, d.where, result);
    now.resize(loads ? BOX_BYTES / 4 : TENSOR_BYTES / 4);
    const cudaError_t error = cudaMemcpy(now.data(), loads ? (void *)result : tensor,
                                         now.size() * 4, cudaMemcpyDeviceToHost);
    if (one) {
        printf(",%s", cudaGetErrorName(error));
        for (size_t i = 0; i < now.size() && !error; i++)
            if (now[i] != (loads ? 0x11111111u * (uint32_t)(i % 15) : old[i]))
                printf(" %x:%08x", (int)i, now[i]);
        printf("\n");
        fflush(stdout);
    }
    check(error);
    return hash_of(hash, now);
}

template <int RANK, int KIND> static void probe(int from, int to, bool one)
{
    uint64_t hash = 14695981039346656037u;
    for (int seed = from; seed < to; seed++)
        hash = run<RANK, KIND>(seed, hash, one);
    static const char *const slices[] = {"", "_16B", "_32B"};
    if (!one)
        printf("%s%s,%d,%016llx\n", names[KIND], slices[interleave], RANK,
               (unsigned long long)hash);
}

static void probe_all(int kind, int rank, int from, int to, bool one)
{
#define EACH(r, k)                                                                                 \
    if (rank == r && kind == k)                                                                    \
    probe<r, k>(from, to, one)
#define EACH_RANK(k)                                                                               \
    EACH(1, k);                                                                                    \
    EACH(2, k);                                                                                    \
    EACH(3, k);                                                                                    \
    EACH(4, k);                                                                                    \
    EACH(5, k)
    EACH_RANK(LOAD);
    EACH_RANK(STORE);
    EACH_RANK(REDUCE);
    EACH(3, LOAD_COLUMNS);
    EACH(4, LOAD_COLUMNS);
    EACH(5, LOAD_COLUMNS);
    EACH(3, STORE_COLUMNS);
    EACH(4, STORE_COLUMNS);
    EACH(5, STORE_COLUMNS);
}

static void find(const char *name, void **function)
{
    cudaDriverEntryPointQueryResult found;
    check(cudaGetDriverEntryPointByVersion(name, function, 12000, cudaEnableDefault, &found));
    if (!*function)
        exit(1);
}

int main(int argc, char **argv)
{
    check(cudaMalloc(&tensor, TENSOR_BYTES));
    check(cudaMalloc(&result, BOX_BYTES));
    find("cuTensorMapEncodeTiled", (void **)&encode);
    find("cuTensorMapEncodeIm2col", (void **)&encode_im2col);
    if (argc > 4) {
        interleave = argc > 5 ? atoi(argv[5]) : 0;
        probe_all(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]), atoi(argv[4]), true);
        return 0;
    }
    printf("kind,rank,hash\n");
    for (interleave = 0; interleave <= 2; interleave++)
        for (int kind = 0; kind < KINDS; kind++)
            for (int rank = interleave ? 3 : 1; rank <= 5; rank++)
                if (argc < 3 || kind == atoi(argv[2]))
                    probe_all(kind, rank, 0, argc > 1 ? atoi(argv[1]) : 60, false);
    return 0;
}
